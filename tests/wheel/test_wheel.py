"""A stranger installs the wheel and does the quickstart: no compiler, no CMake, no root, an empty folder."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

SECONDS = 120  # on two cores without a GPU, which other programs may be using at the same time
NOBODY = 65534
PYTHON = "/usr/bin/python3"  # which everybody may run


class User:
    """Somebody with a home, a clean environment and the wheel in it. Not root, where root runs the test."""

    def __init__(self, home: Path, wheel: Path) -> None:
        self.home = home
        self.bin = home / "environment/bin"
        self._is_root = os.geteuid() == 0
        if self._is_root:
            os.chown(home, NOBODY, NOBODY)
        self.run(PYTHON, "-m", "venv", home / "environment")
        self.run(self.bin / "pip", "install", "--quiet", "--only-binary", ":all:", wheel)

    def run(self, *words: object, status: int = 0) -> str:
        """With nothing on PATH but the environment; pip is told how packages are got here.

        What it says; or why it fails, where a status asks for that.
        """
        told = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        done = subprocess.run(
            list(map(str, words)),
            cwd=self.home,
            env=told
            | {
                "HOME": str(self.home),
                "PATH": str(self.bin),
                "OMP_NUM_THREADS": "2",
                "OMP_WAIT_POLICY": "passive",
            },
            user=NOBODY if self._is_root else None,
            group=NOBODY if self._is_root else None,
            extra_groups=[] if self._is_root else None,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr
        return done.stderr if status else done.stdout


@pytest.fixture(scope="module")
def user(request: pytest.FixtureRequest) -> Iterator[User]:
    with tempfile.TemporaryDirectory() as folder:
        yield User(Path(folder), request.config.getoption("wheel"))


def test_the_quickstart_ends_with_pictures_in_two_minutes(user: User) -> None:
    before = os.times()
    said = user.run(user.bin / "tayra", "quickstart")
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    assert busy < 2 * SECONDS
    assert "Done. In tayra-quickstart" in said
    pictures = sorted(path.name for path in (user.home / "tayra-quickstart/pictures").iterdir())
    assert pictures == ["curves.png", "density_000007.png"]


def test_program_package_and_wheel_have_one_version(user: User, request: pytest.FixtureRequest) -> None:
    of_wheel = request.config.getoption("wheel").name.split("-")[1]
    asks = "import importlib.metadata; print(importlib.metadata.version('tayra'))"
    assert user.run(user.bin / "python", "-c", asks).strip() == of_wheel
    assert user.run(user.bin / "tayra", "--version").split()[1] == of_wheel


def test_all_commands_are_there(user: User) -> None:
    user.run(user.bin / "tayra", "compare", "tayra-quickstart", "tayra-quickstart")
    user.run(user.bin / "tayra", "bench", "step", "--help")
    info = user.run(user.bin / "tayra", "info")
    assert "\n  nccl    not available" in info


def test_formulas_are_computed_and_their_errors_told(user: User) -> None:
    tayra = user.bin / "tayra"
    example = user.bin.parent / "share/tayra/configs/own_start.yaml"
    user.run(tayra, "run", example, "--set", "grid.cells=[32, 1, 64]")
    said = user.run(tayra, "check", example, "--set", "problem.density=1 +* 2", status=2)
    assert "problem.density: in '1 +* 2': Unexpected operator" in said


def test_nothing_is_needed_but_the_libraries_of_c_and_cxx(user: User) -> None:
    of_system = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libstdc++.so.6", "libgcc_s.so.1"}
    of_wheel = {"libmuparser.so.2", "libgomp.so.1"}
    for program in (user.bin / "tayra", user.bin / "tayra-bench"):
        listed = user.run("/lib64/ld-linux-x86-64.so.2", "--list", program)
        found = [line.split() for line in listed.splitlines() if "=>" in line]
        places = {library: Path(path) for library, _, path, _ in found}
        assert places.keys() - of_system == of_wheel
        for library in of_wheel:
            assert places[library].samefile(user.bin.parent / "lib/tayra" / library)


def test_examples_job_scripts_and_licences_come_with_it(user: User) -> None:
    share = user.bin.parent / "share"
    for file in ("tayra/configs/rt_multi.yaml", "tayra/slurm/rank_per_gpu.sh", "doc/tayra/LICENSE"):
        assert (share / file).exists(), file
