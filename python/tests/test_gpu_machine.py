"""What scripts/gpu_machine.sh runs, with stand-ins for the GPUs, the build, the sanitizer and the tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from stand_ins import write_program

SCRIPT = Path(__file__).parents[2] / "scripts" / "gpu_machine.sh"
# It finds nothing, and the run behind it has limited a face.
SANITIZER = """#!/bin/sh
while [ "$1" != --output ]; do shift; done
mkdir -p "$2"
echo 1 > "$2/diagnostics.csv"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with the script alone, in a folder with a space in its name."""
    tree = tmp_path / "a tree"
    programs = {"compute-sanitizer": SANITIZER, "ctest": '#!/bin/sh\necho "tested $*"\n'}
    programs["mpirun"] = '#!/bin/sh\nshift 3\nexec "$@"\n'
    for name, text in programs.items():
        write_program(tree / "bin" / name, text)
    for name in ("scripts/build.sh", "build/cuda/tayra"):
        write_program(tree / name, "#!/bin/sh\n")
    shutil.copy(SCRIPT, tree / "scripts")
    return tree


@pytest.mark.parametrize("gpus", [1, 2])
def test_after_the_sanitizer_come_the_tests_on_any_number_of_gpus(tree: Path, gpus: int) -> None:
    write_program(tree / "bin" / "nvidia-smi", "#!/bin/sh\n" + "echo GPU\n" * gpus)
    environment = os.environ | {"PATH": f"{tree / 'bin'}:{os.environ['PATH']}"}
    words = [tree / "scripts" / "gpu_machine.sh", "--sanitize"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    ranks = {line.split()[2] for line in done.stdout.splitlines() if line.startswith("clean")}
    assert ranks == ({"1"} if gpus == 1 else {"1", "2"})
    assert done.stdout.count("tested --preset cuda") == 2
