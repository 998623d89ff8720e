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
from stand_ins import MPIRUN, write_program

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
    write_program(tree / "bin/mpirun", MPIRUN)
    done = run(tree, "bench_gpus.sh", "out", "--dry-run", TAYRA_BINARY=tree / "mine/tayra")
    assert done.returncode == code
    assert re.search(told, done.stdout + done.stderr)
    assert re.search("scaling_large: [0-9]+ s\n", done.stdout)


def test_benchmarks_between_ranks_run_where_cores_are_fewer(tree: Path) -> None:
    write_program(tree / "mine/tayra", "#!/bin/sh\n")
    write_program(tree / "bin/mpirun", MPIRUN)
    done = run(tree, "bench_gpus.sh", "out", "--dry-run", TAYRA_BINARY=tree / "mine/tayra")
    assert done.returncode == 0, done.stderr
    measured = re.findall("^([a-z_]+_ranks): [0-9]+ s$", done.stdout, re.MULTILINE)
    assert measured == ["transfer_ranks", "halo_ranks", "overheads_ranks"]


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


def test_cmake_tells_all_that_is_missing_at_once(tmp_path: Path) -> None:
    missing = ("CLI11", "fmt", "ZLIB")
    hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in missing]
    options = ["-DTAYRA_CUDA=OFF", "-DTAYRA_MPI=OFF", "-G", "Ninja"]
    done = subprocess.run(
        ["cmake", "-S", SCRIPTS.parent, "-B", tmp_path, *options, *hidden],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert re.findall(r"^ +(\w+): -D(\w+)=FOLDER \(Debian: ([a-z0-9-]+)\)$", done.stderr, re.MULTILINE) == [
        ("zlib", "ZLIB_ROOT", "zlib1g-dev"),
        ("CLI11", "CLI11_ROOT", "libcli11-dev"),
        ("fmt", "fmt_ROOT", "libfmt-dev"),
    ]


# Finds fmt and HDF5 once they are installed, GoogleTest and MPI never.
CMAKE = """#!/bin/sh
lacks() { echo "$1: -D$2_ROOT=FOLDER (Debian: $3)"; }
[ "$1" = --version ] && echo "cmake version 3.25.1" && exit
lacks "-- Tayra: one process alone, as there is no MPI" MPI libopenmpi-dev
[ -e installed ] && lacks "-- Tayra: no tests, as there is no GoogleTest" GTest libgtest-dev && exit
lacks "  HDF5" HDF5 libhdf5-dev >&2
lacks "  fmt" fmt libfmt-dev >&2
exit 1
"""
PROGRAMS = ("bash", "dirname", "env", "grep", "head", "ln", "mkdir", "nproc", "sed", "sort", "touch")


@pytest.fixture
def machine(tree: Path) -> Path:
    """A machine with CMake, Ninja, a compiler and Python, and without apt-get."""
    for program in PROGRAMS:
        (tree / "bin").mkdir(exist_ok=True)
        (tree / "bin" / program).symlink_to(shutil.which(program) or "")
    write_program(tree / "bin/cmake", CMAKE)
    for program in ("ninja", "c++", "python3", "sudo"):
        write_program(tree / "bin" / program, '#!/bin/sh\n[ "$1" = env ] && exec "$@"\nexit 0\n')
    for program in ("pip", "tayra-plot"):
        write_program(tree / ".venv/bin" / program, "#!/bin/sh\n")
    return tree


def install(machine: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(machine, "install_dependencies.sh", *words, PATH=machine / "bin", CUDA_PATH="/none")


def test_what_is_missing_is_told_at_once_where_there_is_no_apt_get(machine: Path) -> None:
    done = install(machine, "--to-run")
    assert done.returncode == 2
    assert "  HDF5: -DHDF5_ROOT=FOLDER" in done.stderr and "  fmt: -Dfmt_ROOT=FOLDER" in done.stderr


def test_what_is_there_needs_no_apt_get(machine: Path) -> None:
    (machine / "installed").touch()
    done = install(machine, "--to-run")
    assert (done.returncode, done.stderr) == (0, "")


def test_tests_need_googletest_and_say_what_else_they_lack(machine: Path) -> None:
    (machine / "installed").touch()
    done = install(machine)
    assert done.returncode == 2
    assert "no GoogleTest: -DGTest_ROOT=FOLDER" in done.stderr
    assert "no MPI" not in done.stderr


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        ([], "git valgrind openmpi-bin libopenmpi-dev"),
        (["--slurm"], "slurmctld slurmd slurm-client munge iproute2 git valgrind openmpi-bin libopenmpi-dev"),
        (["--to-run", "--render"], "libegl1 libgl1-mesa-dri"),
        (["--to-run", "--without-root", "--render"], "libegl1 libgl1-mesa-dri"),
    ],
)
def test_all_that_is_left_out_is_told_in_the_end(machine: Path, words: list[str], left_out: str) -> None:
    write_program(machine / "bin/cmake", re.sub(".*no GoogleTest.*", "[ -e installed ] && exit", CMAKE))
    (machine / "installed").touch()
    done = install(machine, *words)
    assert done.returncode == 0, done.stderr
    assert f"what needs these is left out: {left_out} (Debian's names)\n" in done.stdout


@pytest.mark.parametrize(
    ("words", "packages"),
    [(["--to-run"], "libhdf5-dev libfmt-dev"), ([], "libhdf5-dev libfmt-dev libopenmpi-dev")],
)
def test_packages_that_are_missing_are_installed_and_no_others(
    machine: Path, words: list[str], packages: str
) -> None:
    write_program(machine / "bin/apt-get", '#!/bin/sh\necho "$@" >>log\ntouch installed\n')
    for program in ("git", "valgrind", "mpirun"):
        write_program(machine / "bin" / program, "#!/bin/sh\n")
    install(machine, *words)
    (line,) = [line for line in (machine / "log").read_text().splitlines() if line.startswith("install")]
    assert line.endswith(f"--no-install-recommends {packages}")


def test_the_page_on_scaling_has_the_tables_that_the_model_makes() -> None:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    checked = run(SCRIPTS.parent, "scaling_tables.py", "--tayra", binary, "--check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="no mpirun")
def test_ranks_of_which_one_is_killed_go_on_to_the_same_bits() -> None:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    tried = run(SCRIPTS.parent, "many_ranks.py", "--tayra", binary, "--steps", 400, 4)
    assert tried.stdout.endswith("| yes |\n"), tried.stdout + tried.stderr
