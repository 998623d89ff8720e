"""What shells complete, typed into real ones; needs TAYRA_BINARY. zsh and fish only where they are there."""

import os
import pty
import re
import select
import shutil
import signal
import time
from pathlib import Path

import pytest
from conftest import run_tayra

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$(tayra completion bash)"'),
    "zsh": (["zsh", "-f", "-i"], "source <(tayra completion zsh)"),
    "fish": (["fish", "--no-config", "-i"], "tayra completion fish | source"),
}
BEGINNING, END = "\x01", "\x05"  # Ctrl-A, Ctrl-E: where in the line to type on


class Typed:
    """A terminal in which somebody types."""

    def __init__(self, shell: str, home: Path) -> None:
        words, setup = SHELLS[shell]
        self.screen = ""
        path = f"{Path(os.environ['TAYRA_BINARY']).resolve().parent}:{os.environ['PATH']}"
        environment = os.environ | {"HOME": str(home), "TERM": "dumb", "PATH": path, "PS1": "$ "}
        self._shell, self._terminal = pty.fork()
        if self._shell == 0:
            os.chdir(home)
            os.execvpe(words[0], words, environment)
        self.type(f"{setup}; echo rea''dy\n")
        self.wait_for("ready")

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def wait_for(self, pattern: str) -> str:
        until = time.monotonic() + 30
        while not (found := re.search(pattern, self.screen)):
            ready, _, _ = select.select([self._terminal], [], [], until - time.monotonic())
            assert ready, self.screen
            self.screen += os.read(self._terminal, 4096).decode(errors="replace")
        self.screen = self.screen[found.end() :]
        return found[0]

    def completed(self, line: str) -> list[str]:
        """What the words of this line became, tabs and all."""
        self.type(f"{line}{BEGINNING}echo '<' {END} '>'\n")
        return self.wait_for(r"< tayra[^\r\n]*>").split()[1:-1]

    def close(self) -> None:
        os.kill(self._shell, signal.SIGKILL)
        os.waitpid(self._shell, 0)
        os.close(self._terminal)


@pytest.fixture(scope="module", params=SHELLS)
def shell(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Typed:
    if "TAYRA_BINARY" not in os.environ or shutil.which(request.param) is None:
        pytest.skip(f"TAYRA_BINARY is not set, or {request.param} is not installed")
    home = tmp_path_factory.mktemp("home")
    (home / "flow.yaml").touch()
    typed = Typed(request.param, home)
    request.addfinalizer(typed.close)
    return typed


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tayra ref\t", "tayra refine"),
        ("tayra run --ha\tnc\t", "tayra run --halo nccl"),
        ("tayra run --device=cu\t", "tayra run --device=cuda"),
        ("tayra run --set numerics.sch\troe\t", "tayra run --set numerics.scheme=roe3"),
        ("tayra run --set problem.name=shu\t", "tayra run --set problem.name=shu_osher"),
        ("tayra check fl\t--gp\t", "tayra check flow.yaml --gpus"),
        ("tayra run --set output.parts.a.str\t", "tayra run --set output.parts.a.stride="),
        ("tayra bench sca\t", "tayra bench scaling"),
        ("tayra supervise -- mpirun -n 2 tayra run --set physics.gam\t", None),
        ("tayra completion zs\t", "tayra completion zsh"),
    ],
)
def test_a_shell_completes(shell: Typed, line: str, words: str | None) -> None:
    expected = words or "tayra supervise -- mpirun -n 2 tayra run --set physics.gamma="
    assert shell.completed(line) == expected.split()


def asked(*words: object) -> list[str]:
    return [line.partition("\t")[0] for line in run_tayra("--complete", *words).splitlines()]


def test_all_commands_are_offered_and_each_answers() -> None:
    commands = asked("")
    assert {"run", "check", "info", "refine", "supervise", "completion", "bench"} <= set(commands)
    for command in set(commands) - {"bench", "supervise"}:
        assert "--help" in asked(command, "--"), command


def test_every_key_of_the_schema_is_offered() -> None:
    keys = asked("run", "--set", "")
    reference = (Path(__file__).parents[2] / "docs/config.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+\.[\w.]+)` \|", reference, flags=re.MULTILINE))
    assert len(named) > 30
    missing = {key for key in named if not {f"{key}=", f"problem.{key}="} & set(keys) and "NAME" not in key}
    assert not missing


def test_names_come_with_what_they_mean() -> None:
    lines = run_tayra("--complete", "run", "--set", "numerics.scheme=").splitlines()
    assert [line.partition("\t")[0] for line in lines] == [
        f"numerics.scheme={name}" for name in ("upwind3", "roe3", "weno3", "muscl")
    ]
    assert all(line.partition("\t")[2] for line in lines)


def test_the_last_element_of_a_list_is_completed() -> None:
    assert asked("run", "--set", "output.snapshots.fields=[density,vel") == [
        "output.snapshots.fields=[density,velocity"
    ]
    assert asked("bench", "step", "--scheme", "roe3,we") == ["roe3,weno3"]


def test_numbers_are_not_guessed() -> None:
    assert asked("run", "--gpus", "") == []
    assert asked("run", "--set", "run.steps=") == []


def test_plot_knows_the_fields_and_parts_of_a_run(run_directory: Path) -> None:
    (run_directory / "parts/middle").mkdir(parents=True)
    assert asked("plot", run_directory, "--field", "velocity_") == ["velocity_x", "velocity_y", "velocity_z"]
    assert asked("plot", run_directory, "--part", "") == ["middle"]
    assert asked("plot", "nowhere", "--field", "") == []
    assert asked("plot", "--snapshot=l") == ["--snapshot=last"]
    assert asked("compare", "--js") == ["--json"]
    assert asked("compare", "--json", "") == [":files"]
    assert asked("watch", "--as") == ["--ascii"]
    assert asked("watch", "--port", "") == []
    assert asked("watch", "") == [":files"]


def test_a_program_that_says_nothing_of_itself_is_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tayra-danger").write_text("#!/bin/sh\necho started\n")
    (tmp_path / "tayra-danger").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert asked("dang") == ["danger"]
    assert asked("danger", "") == [":files"]
