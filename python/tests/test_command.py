"""What every command does when its output goes nowhere, and with what the file system refuses."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest
from conftest import made_up_run

from tayra.command import exit_code
from tayra.compare import main as compare
from tayra.plot import main as plot

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


@pytest.fixture
def commands(run_directory: Path, tmp_path: Path) -> dict[str, list[str]]:
    """Each with something to print."""
    run = str(made_up_run(tmp_path / "run", [1, 2]))
    return {"plot": [str(run_directory)], "compare": [run, run]}


def run_module(
    name: str, words: Sequence[str], output: int | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", f"tayra.{name}", *words]
    return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)


@pytest.mark.parametrize("name", ["plot", "compare"])
@pytest.mark.parametrize("help_wanted", [False, True])
def test_a_full_device_is_told_in_one_line(
    commands: dict[str, list[str]], name: str, help_wanted: bool
) -> None:
    with Path("/dev/full").open("w") as full:
        done = run_module(name, ["--help"] if help_wanted else commands[name], full.fileno())
    told = f"tayra {name}: cannot print (No space left on device): make room or print elsewhere\n"
    assert (done.stderr, done.returncode) == (told, 1)


@pytest.mark.parametrize("name", ["plot", "compare"])
def test_a_reader_that_has_left_is_no_error(commands: dict[str, list[str]], name: str) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = run_module(name, commands[name], write_end)
    os.close(write_end)
    assert (done.stderr, done.returncode) == ("", 0)


def test_letters_that_the_terminal_lacks_are_written_as_codes(
    commands: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = run_module("plot", [*commands["plot"], "--output", str(tmp_path / "höhe.png")], subprocess.PIPE)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == f"{tmp_path}/h\\xf6he.png\n"


def test_names_that_are_no_utf8_are_told_and_drawn_as_codes(
    commands: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    name = os.fsdecode(b"a\xff")
    run = Path(commands["plot"][0]).rename(tmp_path / name)
    other = Path(commands["compare"][0]).rename(tmp_path / f"{name}2")
    record = other / "run.json"
    record.write_text(record.read_text().replace("made up", name), errors="surrogateescape")
    (other / "config.yaml").write_text(f"directory: {name}\n", errors="surrogateescape")
    bench = shutil.copy(RESULTS / "transfer.json", tmp_path / f"{name}.json")
    written = [tmp_path / f"{name}3{ending}" for ending in (".csv", ".json", ".md", ".svg")]
    outputs = list(zip(("--csv", "--json", "--markdown", "--plot"), map(str, written), strict=True))
    for command, *words in (
        ("plot", run),
        ("plot", run, "--curves"),
        ("plot", bench),
        ("compare", other, other, *chain(*outputs)),
        ("compare", bench, bench, *chain(*outputs)),
    ):
        done = run_module(command, list(map(str, words)), subprocess.PIPE)
        assert (done.stderr, done.returncode) == ("", 0)
        assert "a\\udcff" in done.stdout
        if command == "compare":
            assert all("a\\udcff" in path.read_text(encoding="utf-8") for path in written[:3])


def test_a_name_that_the_system_refuses_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for command, words in ((plot, ["a" * 300]), (compare, ["a" * 300, "b"])):
        assert command(words) == 2
        error = capsys.readouterr().err
        assert "File name too long" in error
        assert error.count("\n") == 1


def test_a_user_who_interrupts_needs_no_words(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    assert exit_code("tayra plot", interrupted) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["picture", "picture.pdf", "picture.", ".png", ""])
def test_names_of_other_things_than_pictures_are_refused_before_any_work(
    commands: dict[str, list[str]], capsys: pytest.CaptureFixture[str], name: str
) -> None:
    for command, words in ((plot, ["nowhere", "--output"]), (compare, ["nowhere", "nowhere", "--plot"])):
        with pytest.raises(SystemExit) as stop:
            command([*words, name])
        assert stop.value.code == 2
        assert f"'{name}' is no picture: end its name in .png or .svg" in capsys.readouterr().err
