#!/usr/bin/env python3
"""Instructions of the CPU's sweeps for a cell and step, by callgrind, against sweep_instructions.json."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cost_table import Costs, check, skip

# The same compiler gives the same count; this much may change unnoticed.
TOLERANCE = 0.01


def counted(program: Path, scratch: Path) -> Costs:
    """Runs the program on one thread: with more, which of them takes a tile is up to chance."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/count", program],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    if run.returncode != 0:
        sys.exit(f"valgrind {program} failed (exit code {run.returncode}):\n{run.stderr}")
    size, *cases = run.stdout.splitlines()
    cells = int(size.split()[0])
    return {
        case: {"instructions": round(total(scratch / f"count.{number}") / cells, 1)}
        for number, case in enumerate(cases, start=1)
    }


def total(dump: Path) -> int:
    return int(re.search(r"^totals: (\d+)", dump.read_text(), re.MULTILINE).group(1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help="sweeps, and has callgrind count them")
    parser.add_argument(
        "--compiler", required=True, help="name and version of the compiler it was built with"
    )
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        return skip("no valgrind here: scripts/install_dependencies.sh installs it")
    with tempfile.TemporaryDirectory() as scratch:
        costs = counted(options.program, Path(scratch))
    return check(Path(__file__).with_suffix(".json"), options.compiler, costs, TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
