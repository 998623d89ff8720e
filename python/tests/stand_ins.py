"""Programs that stand in for others in tests of scripts."""

from pathlib import Path

# As Open MPI's where there are fewer cores than ranks.
MPIRUN = """#!/bin/sh
[ "$1 $2 $3 $4" = "--oversubscribe --bind-to none -n" ] || { echo "not enough slots" >&2; exit 1; }
shift 5
exec "$@"
"""


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
