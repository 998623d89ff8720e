"""Runs of the program under test, and what they left."""

import json
import os
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parents[2]


def record(run: Path) -> dict:
    return json.loads((run / "run.json").read_text())


def fingerprint_alone(tayra: str, folder: Path, *options: str) -> str:
    """Of the run of `config.yaml` by one process."""
    words = [tayra, "run", "config.yaml", "--quiet", "--output", "alone", *options]
    subprocess.run(words, cwd=folder, check=True, timeout=120, env=os.environ | {"OMP_NUM_THREADS": "1"})
    return record(folder / "alone")["totals"]["fingerprint"]
