"""Runs of the program under test, and what they left."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

SOURCE = Path(__file__).parents[2]


def record(run: Path) -> dict:
    return json.loads((run / "run.json").read_text())


def wait_until(holds: Callable[[], bool], what: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.05)


def steps_of(run: Path) -> int:
    """That are in its log."""
    rows = (run / "timings.csv").read_text().splitlines() if (run / "timings.csv").exists() else []
    return int(rows[-1].split(",")[0]) if len(rows) > 1 else 0


def wait_for_steps(run: Path, steps: int, with_checkpoint: bool = True, seconds: float = 60) -> None:
    """Until a run has gone so far, and has left a checkpoint unless it is to leave none yet."""
    wait_until(
        lambda: steps_of(run) >= steps and (any(run.glob("checkpoints/*.h5")) or not with_checkpoint),
        f"{run} at step {steps}",
        seconds,
    )


def fingerprint_alone(tayra: str, folder: Path, *options: str) -> str:
    """Of the run of `config.yaml` by one process."""
    words = [tayra, "run", "config.yaml", "--quiet", "--output", "alone", *options]
    subprocess.run(words, cwd=folder, check=True, timeout=120, env=os.environ | {"OMP_NUM_THREADS": "1"})
    return record(folder / "alone")["totals"]["fingerprint"]
