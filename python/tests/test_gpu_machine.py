"""What scripts/gpu_machine.sh runs, with stand-ins for the GPUs, the build, the sanitizer and the tests."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from stand_ins import write_program

SCRIPT = Path(__file__).parents[2] / "scripts" / "gpu_machine.sh"
# Of `tayra info --json` what the script reads.
INFO = {
    "halo_backends": [{"name": "uva"}, {"name": "put"}],
    "schemes": [{"name": "upwind3", "wants_limiter": True}, {"name": "muscl", "wants_limiter": True}],
    "fields": ["density", "mach"],
}
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
    offer(tree, INFO)
    write_program(tree / "scripts/build.sh", '#!/bin/sh\necho "built $*"\n')
    shutil.copy(SCRIPT, tree / "scripts")
    return tree


def offer(tree: Path, info: dict[str, Any]) -> None:
    write_program(tree / "build/cuda/tayra", f"#!/bin/sh\necho '{json.dumps(info)}'\n")


def run(tree: Path, gpus: int, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """From the folder that the repository lies in."""
    write_program(tree / "bin" / "nvidia-smi", "#!/bin/sh\n" + "echo GPU\n" * gpus)
    return subprocess.run(
        [tree / "scripts" / "gpu_machine.sh", *words],
        env=os.environ | {"PATH": f"{tree / 'bin'}:{os.environ['PATH']}"} | variables,
        cwd=tree.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_dependencies_are_those_of_the_folder_as_the_caller_sees_it(tree: Path) -> None:
    (tree.parent / "more headers").mkdir()
    done = run(tree, 1, TAYRA_DEPS="more headers")
    assert f"built cuda all -DCMAKE_PREFIX_PATH={tree.parent}/more headers/usr\n" in done.stdout
    done = run(tree, 1, TAYRA_DEPS="none")
    assert done.returncode != 0
    assert "built" not in done.stdout


@pytest.mark.parametrize("gpus", [1, 2])
def test_after_the_sanitizer_come_the_tests_on_any_number_of_gpus(tree: Path, gpus: int) -> None:
    done = run(tree, gpus, "--sanitize")
    assert done.returncode == 0, done.stdout + done.stderr
    ranks = {line.split()[2] for line in done.stdout.splitlines() if line.startswith("clean")}
    assert ranks == ({"1"} if gpus == 1 else {"1", "2"})
    assert done.stdout.count("tested --preset cuda") == 2


def test_every_scheme_but_those_that_want_no_limiter_has_to_limit_a_face(tree: Path) -> None:
    none_of_muscl = 'case "$*" in *scheme=muscl*) limited=0 ;; *) limited=1 ;; esac\n'
    sanitizer = SANITIZER.replace("#!/bin/sh\n", "#!/bin/sh\n" + none_of_muscl).replace(
        "echo 1", "echo $limited"
    )
    write_program(tree / "bin/compute-sanitizer", sanitizer)
    done = run(tree, 1, "--sanitize")
    assert done.returncode != 0
    assert "FAILED: no face was limited there" in done.stdout
    for unlimited, passes in (({"muscl"}, True), ({"upwind3", "muscl"}, True), ({"upwind3"}, False)):
        schemes = [{"name": name, "wants_limiter": name not in unlimited} for name in ("upwind3", "muscl")]
        offer(tree, INFO | {"schemes": schemes})
        assert (run(tree, 1, "--sanitize").returncode == 0) == passes, unlimited


def test_the_sanitizer_sees_every_backend_that_the_program_names_on_several_gpus(tree: Path) -> None:
    clean = [line for line in run(tree, 2, "--sanitize").stdout.splitlines() if "--halo" in line]
    seen = {
        (tool, ranks, words.split("--halo ")[1].split()[0])
        for _, tool, ranks, words in (line.split(maxsplit=3) for line in clean)
        if "--slabs" not in words
    }
    assert seen == {
        ("memcheck", "1", "uva"),
        ("racecheck", "2", "uva"),
        ("memcheck", "2", "put"),  # which needs several processes
        ("racecheck", "2", "put"),
    }


def test_the_sanitizer_sees_every_scheme_and_field_that_the_program_names(tree: Path) -> None:
    clean = [line for line in run(tree, 1, "--sanitize").stdout.splitlines() if line.startswith("clean")]
    for scheme in ("upwind3", "muscl"):
        assert any(f"numerics.scheme={scheme} " in line for line in clean)
    written = [line for line in clean if "output.snapshots=" in line]
    assert written
    assert all('"fields":[density,mach]}' in line for line in written)
