"""Which program and which folder small scripts take, with stand-ins for both."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import run_tayra
from stand_ins import write_program

SCRIPTS = Path(__file__).parents[2] / "scripts"
# As far as gpu_snapshots.sh reads a run: times of two steps, and snapshots.
RUN = """#!/bin/sh
while [ "$1" != --output ]; do shift; done
mkdir -p "$2/snapshots"
printf 'header\\n1,2,3,4,5,6,7,8\\n1,2,3,4,5,6,7,8\\n' > "$2/timings.csv"
echo "$2"
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with scripts alone, in a folder with a space in its name."""
    tree = tmp_path / "a tree"
    shutil.copytree(SCRIPTS, tree / "scripts")
    return tree


def run(tree: Path, script: str, *words: object, **variables: object) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{tree / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(
        [tree / "scripts" / script, *map(str, words)],
        env=environment | {name: str(value) for name, value in variables.items()},
        cwd=tree.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_halo_backends_are_all_that_the_program_lists() -> None:
    script = (SCRIPTS / "full_width.sh").read_text()
    (expression,) = re.findall(r"info \| sed -n '(.*halo backends.*?)'", script)
    listed = subprocess.run(
        ["sed", "-n", expression], input=run_tayra("info"), capture_output=True, text=True, check=True
    ).stdout.split()
    schema = json.loads((SCRIPTS.parent / "configs/schema.json").read_text())
    assert ["auto", *listed] == schema["properties"]["run"]["properties"]["halo"]["enum"]


@pytest.mark.parametrize("name", ["missing/tayra", "tayra-new"])
def test_benchmarks_measure_no_other_program_than_the_one_that_is_named(tree: Path, name: str) -> None:
    for other in ("bin/tayra", "tayra-new"):
        write_program(tree / other, "#!/bin/sh\n")
    (tree / "missing").mkdir()
    done = run(tree, "bench_gpus.sh", "out", "--dry-run", TAYRA_BINARY=tree / name)
    assert done.returncode == 2
    assert done.stderr.startswith(f"bench_gpus: {tree / name} is no program called tayra: build it")


def test_snapshots_are_timed_in_the_folder_as_the_caller_sees_it(tree: Path) -> None:
    write_program(tree / "build/cuda/tayra", RUN)
    write_program(tree / "bin/dd", "#!/bin/sh\n")
    (tree.parent / "a disk").mkdir()
    done = run(tree, "gpu_snapshots.sh", "a disk")
    assert done.returncode == 0, done.stderr
    assert f"{tree.parent}/a disk/tayra-snapshots." in done.stdout


def test_the_cost_of_snapshots_is_what_steps_and_output_take_longer_with_them(tree: Path) -> None:
    """The first step is left out: a start is slow."""
    steps = 'case "$*" in *every_steps:*fields*) io=1;; *) io=0;; esac\n'
    log = 'printf "header\\n1,2,3,900,5,6,7,90\\n1,2,3,4,5,6,7,$io\\n1,2,3,4,5,6,7,$io\\n"'
    write_program(
        tree / "build/cuda/tayra", re.sub(r"printf '[^']*'", log, RUN.replace("while", steps + "while"))
    )
    write_program(tree / "bin/dd", "#!/bin/sh\n")
    done = run(tree, "gpu_snapshots.sh", tree.parent)
    assert done.returncode == 0, done.stderr
    assert "double, without snapshots: 4.0000 ms a step\n" in done.stdout
    assert "single, 1024 MiB may wait: 5.0000 ms a step, snapshots take 20.00 % of it\n" in done.stdout


@pytest.mark.parametrize(
    ("version", "preset"), [("11.8", "release"), ("12.8", "cuda"), ("12.10", "cuda"), ("13.0", "cuda")]
)
def test_cuda_is_built_with_a_toolkit_that_is_new_enough(tree: Path, version: str, preset: str) -> None:
    write_program(tree / "bin/nvcc", f"#!/bin/sh\necho 'Cuda, release {version}, V{version}.1'\n")
    done = run(tree, "choose_preset.sh", CUDA_PATH=tree)
    assert done.stdout == f"{preset}\n"
    assert ("older than 12.8" in done.stderr) == (preset == "release")


@pytest.mark.parametrize(
    ("built", "words", "taken"),
    [
        (("release", "cuda"), [], "release"),
        (("cuda",), [], "cuda"),
        (("release", "cuda"), ["--gpu"], "cuda"),
        (("release",), ["--gpu"], None),
        ((), [], None),
    ],
)
def test_validation_takes_the_build_that_fits(
    tree: Path, built: Sequence[str], words: list[str], taken: str | None
) -> None:
    write_program(tree / "bin/python3", '#!/bin/sh\necho "$*"\n')
    for preset in built:
        write_program(tree / f"build/{preset}/tayra", "#!/bin/sh\n")
    done = run(tree, "validate.sh", *words)
    assert (done.returncode == 0) == (taken is not None)
    if taken:
        assert f"-m validation --tayra {tree}/build/{taken}/tayra" in done.stdout
    else:
        assert "build it with scripts/build.sh" in done.stderr


@pytest.mark.parametrize(
    ("ends", "code", "told"),
    [
        (0, 0, "halo: [0-9]+ s\n"),
        (3, 0, "halo: not available here: tayra: no"),
        (1, 1, "halo: FAILED after [0-9]+ s: tayra: no"),
    ],
)
def test_a_benchmark_that_fails_fails_the_set_and_leaves_the_others(
    tree: Path, ends: int, code: int, told: str
) -> None:
    broken = f'#!/bin/sh\ncase "$*" in *"--json halo.json"*) echo tayra: no; exit {ends};; esac\n'
    write_program(tree / "mine/tayra", broken)
    write_program(tree / "bin/mpirun", '#!/bin/sh\nshift 2\nexec "$@"\n')
    done = run(tree, "bench_gpus.sh", "out", "--dry-run", TAYRA_BINARY=tree / "mine/tayra")
    assert done.returncode == code
    assert re.search(told, done.stdout + done.stderr)
    assert re.search("scaling_large: [0-9]+ s\n", done.stdout)


@pytest.mark.parametrize("words", [["--tayra", "mine"], ["--tayra=mine"]])
def test_validation_of_a_named_program_needs_no_build(tree: Path, words: list[str]) -> None:
    write_program(tree / "bin/python3", '#!/bin/sh\necho "$*"\n')
    done = run(tree, "validate.sh", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"-m validation {' '.join(words)}\n")


def test_validation_takes_paths_as_the_caller_sees_them(tree: Path) -> None:
    shutil.copytree(SCRIPTS.parent / "validation", tree / "validation")
    (tree / "python").symlink_to(SCRIPTS.parent / "python")
    write_program(tree / "bin/python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    write_program(tree.parent / "mine", '#!/bin/sh\necho \'{"commit": "abc", "schemes": []}\'\n')
    (tree.parent / "out/results/quick-cpu").mkdir(parents=True)
    shutil.copy(tree / "validation/results/quick-cpu/chaos.json", tree.parent / "out/results/quick-cpu")
    write_program(tree.parent / "validation/__init__.py", "another program")
    done = run(tree, "validate.sh", "--report-only", "--tayra", "./mine", "--output", "out")
    assert done.stdout == "report: out/REPORT.md\n", done.stderr
    assert (tree.parent / "out/REPORT.md").is_file()


@pytest.mark.parametrize(("gpus", "left_out"), [(0, True), (1, False), (8, False)])
def test_gpu_tests_are_left_out_without_gpus_alone(tree: Path, gpus: int, left_out: bool) -> None:
    for folder in ("src", "bench", "tests"):
        (tree / folder).mkdir()
    for name in ("install_dependencies.sh", "build.sh"):
        write_program(tree / "scripts" / name, "#!/bin/sh\n")
    for name in ("clang-format", "ruff", "python"):
        write_program(tree / ".venv/bin" / name, "#!/bin/sh\n")
    write_program(tree / "bin/ctest", '#!/bin/sh\necho "ctest $*"\n')
    write_program(tree / "bin/nvidia-smi", "#!/bin/sh\n" + "echo GPU\nsleep 0.05\n" * gpus)
    done = run(tree, "test.sh")
    assert done.returncode == 0, done.stderr
    assert ("--label-exclude gpu" in done.stdout) == left_out


# It goes on when it is told to, or after a while if a test has failed; meanwhile another build may start.
SLOW_CMAKE = """#!/bin/sh
[ "$1" = --preset ] || exit 0
echo "begins" >> "$LOG"
tries=0
while [ ! -e "$LOG.go" ] && [ $((tries += 1)) -lt 500 ]; do sleep 0.02; done
echo "ends" >> "$LOG"
"""


@pytest.mark.parametrize("with_flock", [True, False])
def test_two_builds_of_one_folder_go_one_after_the_other_where_there_is_flock(
    tree: Path, with_flock: bool
) -> None:
    write_program(tree / "bin/cmake", SLOW_CMAKE)
    for program in ("bash", "dirname", "mkdir", "nproc", "sleep", "ninja", *["flock"] * with_flock):
        found = shutil.which(program)
        if found:
            (tree / "bin" / program).symlink_to(found)
    log = tree / "log"
    command = [tree / "scripts/build.sh", "release"]
    environment = {"PATH": str(tree / "bin"), "LOG": str(log)}

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)

    with start() as one:
        while not log.exists():
            assert one.poll() is None
            time.sleep(0.02)
        with start() as other:
            assert other.stderr
            if with_flock:
                told = other.stderr.readline()
                assert told == "build.sh: another build is under way in build/release: waiting for its end\n"
            else:
                while log.read_text() != "begins\nbegins\n":
                    assert other.poll() is None
                    time.sleep(0.02)
            Path(f"{log}.go").touch()
        assert other.returncode == 0
    assert one.returncode == 0
    expected = ["begins", "ends", "begins", "ends"] if with_flock else ["begins", "begins", "ends", "ends"]
    assert log.read_text().split() == expected
