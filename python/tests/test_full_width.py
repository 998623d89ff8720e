"""What scripts/full_width.sh does again, with stand-ins for tayra and mpirun."""

import os
import subprocess
from pathlib import Path

import pytest
from stand_ins import MPIRUN, write_program

SCRIPT = Path(__file__).parents[2] / "scripts" / "full_width.sh"
BACKENDS = ("host", "uva", "mpi", "new", "put")
TAYRA = """#!/bin/sh
case $1 in
  info) echo "$INFO"; exit ;;
  bench) exit 3 ;;
esac
while [ "$1" != --output ]; do shift; done
mkdir -p "$2/snapshots" "$2/checkpoints"
echo '"fingerprint": "5"' > "$2/run.json"
echo "$2" >> "$LOG"
"""


def full_width(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LOG": str(folder / "log"), "TAYRA_BINARY": str(folder / "tayra")}
    environment["INFO"] = "\n".join(
        ["halo backends", *(f"  {name}  not available  why" for name in BACKENDS), "schemes     muscl"]
    )
    environment["PATH"] = f"{folder}:{environment['PATH']}"
    words = [SCRIPT, folder / "out", "--dry-run"]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60)


def runs_for_bits(folder: Path) -> set[str]:
    """Those that a call of the script makes."""
    (folder / "log").write_text("")
    done = full_width(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    runs = [Path(line) for line in (folder / "log").read_text().splitlines()]
    return {run.name for run in runs if run.parent.name == "bits"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "a folder"
    write_program(folder / "tayra", TAYRA)
    write_program(folder / "mpirun", MPIRUN)
    return folder


def test_bits_are_asked_for_anew_of_another_build_only(folder: Path) -> None:
    first = runs_for_bits(folder)
    assert first
    assert not runs_for_bits(folder)
    write_program(folder / "tayra", TAYRA + "# built again\n")
    assert runs_for_bits(folder) == first


def test_bits_are_compared_of_every_backend_that_the_program_names(folder: Path) -> None:
    """Of mpi and put between ranks alone."""
    in_process = {f"{halo}_process" for halo in ("host", "uva", "new", "auto")}
    assert runs_for_bits(folder) == {"one_slab", *in_process, *(f"{b}_ranks" for b in (*BACKENDS, "auto"))}


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        ("rt_multi", ""),
        ("one_slab", "bits: one slab: FAILED: out of order\n"),
        ("uva_ranks", "bits: uva, 8 ranks: FAILED"),
    ],
)
def test_a_run_that_fails_fails_the_script(folder: Path, fails: str, told: str) -> None:
    refusal = f'case "$2" in */{fails}) echo out of order; exit 1;; esac\nmkdir'
    write_program(folder / "tayra", TAYRA.replace("mkdir", refusal))
    done = full_width(folder)
    assert done.returncode == 1
    assert told in done.stdout


def test_a_way_that_this_machine_lacks_is_told_and_fails_nothing(folder: Path) -> None:
    refusal = 'case "$2" in */new_process) echo "tayra: no library"; exit 3;; esac\nmkdir'
    write_program(folder / "tayra", TAYRA.replace("mkdir", refusal))
    done = full_width(folder)
    assert done.returncode == 0
    assert "bits: new, one process: not available here: tayra: no library\n" in done.stdout
    assert "bits: host, 8 ranks: as one slab (5)\n" in done.stdout


def test_runs_that_leave_no_fingerprint_are_not_the_same_bits(folder: Path) -> None:
    write_program(folder / "tayra", TAYRA.replace("fingerprint", "footprint"))
    done = full_width(folder)
    assert done.returncode == 1
    assert "FAILED" in done.stdout
