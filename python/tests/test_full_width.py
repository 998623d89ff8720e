"""What scripts/full_width.sh does again, with stand-ins for tayra and mpirun."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "full_width.sh"
TAYRA = """#!/bin/sh
[ "$1" = run ] || exit 3
while [ "$1" != --output ]; do shift; done
mkdir -p "$2/snapshots" "$2/checkpoints"
echo '"fingerprint": "5"' > "$2/run.json"
echo "$2" >> "$LOG"
"""


def write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def runs_for_bits(folder: Path) -> int:
    """How many a call of the script makes."""
    log = folder / "log"
    log.write_text("")
    environment = os.environ | {"LOG": str(log), "TAYRA_BINARY": str(folder / "tayra")}
    environment["PATH"] = f"{folder}:{environment['PATH']}"
    words = [SCRIPT, folder / "out", "--dry-run"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return sum("/bits/" in line for line in log.read_text().splitlines())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_program(tmp_path / "tayra", TAYRA)
    write_program(tmp_path / "mpirun", '#!/bin/sh\nshift 2\nexec "$@"\n')
    return tmp_path


def test_bits_are_asked_for_anew_of_another_build_only(folder: Path) -> None:
    first = runs_for_bits(folder)
    assert first > 10
    assert runs_for_bits(folder) == 0
    write_program(folder / "tayra", TAYRA + "# built again\n")
    assert runs_for_bits(folder) == first
