"""Runs that are started from Python: by the real program (TAYRA_BINARY), and by ones that stand in for it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from stand_ins import write_program

import tayra
from tayra import RunError, TayraError
from tayra.launch import program

FLOW = {
    "problem": {"name": "rt_single", "atwood": 0.5, "amplitude": 0.05},
    "grid": {"cells": [8, 6, 16], "lower": [0, 0, -1], "upper": np.array([1.0, 1.0, 1.0])},
    "run": {"steps": np.int64(3), "device": "cpu"},
    "output.diagnostics.every_steps": 1,
    "output.snapshots": {"every_steps": None},
}
needs_program = pytest.mark.skipif("TAYRA_BINARY" not in os.environ, reason="TAYRA_BINARY is not set")
StandIn = Callable[[str], None]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    def write(text: str) -> None:
        write_program(tmp_path / "bin/tayra", "#!/bin/bash\n" + text)
        monkeypatch.setenv("TAYRA_BINARY", str(tmp_path / "bin/tayra"))

    (tmp_path / "here").mkdir()
    (tmp_path / "here/run.json").write_text("{}")
    return write


@needs_program
def test_a_dict_is_a_config_and_settings_stand_over_it(capsys: pytest.CaptureFixture[str]) -> None:
    run = tayra.run(FLOW, {"run.steps": 2, "numerics.scheme": "roe3"}, output="results/a b")
    assert run.directory == Path("results/a b")
    assert run.settings["numerics.scheme"] == "roe3"
    assert run.timings().rows == 2
    assert run.settings["grid.cells"] == [8, 6, 16]
    printed = capsys.readouterr().out
    assert "rt_single, 8 x 6 x 16 cells, roe3" in printed
    assert printed.endswith("results in results/a b\n")


@needs_program
def test_a_file_is_a_config_and_the_program_says_where_its_results_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = (
        "problem: {name: rt_single, atwood: 0.5}\ngrid: {cells: [8, 6, 16]}\nrun: {steps: 1, device: cpu}\n"
    )
    Path("my config.yaml").write_text(config)
    run = tayra.run("my config.yaml", progress=False)
    assert run.directory == Path("results/rt_single")
    assert "step 1" not in capsys.readouterr().out


@needs_program
def test_the_settings_of_a_run_are_the_config_of_another() -> None:
    first = tayra.run(FLOW, output="first", progress=False)
    again = tayra.run(first.settings, output="again", progress=False)
    assert again.record["totals"]["fingerprint"] == first.record["totals"]["fingerprint"]
    assert again.settings | {"output.directory": "first"} == first.settings
    other = tayra.run(first.settings | {"numerics.precision": "single"}, output="other", progress=False)
    assert other.settings["numerics.precision"] == "single"


@needs_program
def test_a_run_is_continued_and_a_finished_one_is_left_alone() -> None:
    tayra.run(FLOW, output="run", progress=False)
    longer = tayra.run(FLOW, {"run.steps": 5}, output="run", resume=True, progress=False)
    assert longer.timings()["step"].tolist() == [1, 2, 3, 4, 5]
    flow = FLOW | {"output.directory": "run"}
    assert tayra.run(flow, {"run.steps": 5}, resume=True, progress=False).timings().rows == 5
    assert tayra.run(flow, force=True, progress=False).timings().rows == 3


@needs_program
def test_what_is_wrong_with_a_config_is_told_with_the_exit_code() -> None:
    with pytest.raises(RunError, match=r"^config: grid\.cell: unknown key.*did you mean 'cells'") as failed:
        tayra.run(FLOW | {"grid.cell": 3}, output="run")
    assert failed.value.exit_code == 2
    assert str(failed.value).endswith("\ntayra run has failed (exit code 2)")
    with pytest.raises(RunError, match=r"^nowhere\.yaml: no such file"):
        tayra.run("nowhere.yaml")


@needs_program
def test_results_are_not_replaced_unasked() -> None:
    tayra.run(FLOW, output="run", progress=False)
    with pytest.raises(RunError, match="run already holds the results of a run"):
        tayra.run(FLOW, output="run", progress=False)


def test_what_can_stand_in_no_config_is_named() -> None:
    with pytest.raises(TayraError, match=r"<object object .* can't stand in a config"):
        tayra.run({"problem": {"name": object()}})


def test_without_the_program_one_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    monkeypatch.setattr("tayra.launch.BESIDE", ())
    monkeypatch.delenv("TAYRA_BINARY", raising=False)
    with pytest.raises(TayraError, match="is neither beside this package nor on PATH: build it"):
        program()
    monkeypatch.setenv("TAYRA_BINARY", "/nowhere/tayra")
    with pytest.raises(TayraError, match="TAYRA_BINARY names /nowhere/tayra, which is no program"):
        program()


def test_a_program_that_is_killed_is_told_of(stand_in: StandIn) -> None:
    stand_in("kill -KILL $$")
    with pytest.raises(RunError, match=r"^tayra run has failed \(killed by SIGKILL\)$") as failed:
        tayra.run("config.yaml", output="here")
    assert failed.value.exit_code == -9


def test_warnings_are_shown_and_are_no_error(stand_in: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in("echo 'tayra: warning: rough' >&2; echo 'tayra: by the way' >&2; echo results in here")
    assert tayra.run("config.yaml").directory == Path("here")
    assert capsys.readouterr().err == "tayra: warning: rough\ntayra: by the way\n"


LIVE = r"printf 'begins\n\r\e[Kstep 10 of many\r\e[Kstep 11'; test -t 1 && printf '\ntty\nresults in here\n'"


def test_a_notebook_shows_one_line_that_is_written_anew(
    stand_in: StandIn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(LIVE)
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    tayra.run("config.yaml")
    shown = capsys.readouterr().out
    assert shown == "begins\n\rstep 10 of many\rstep 11        \ntty\nresults in here\n"


def test_a_file_gets_lines(stand_in: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in("test -t 1 || printf 'step 1\nresults in here\n'")
    tayra.run("config.yaml")
    assert capsys.readouterr().out == "step 1\nresults in here\n"


def test_an_interrupt_lets_the_program_end_and_is_passed_on(stand_in: StandIn, tmp_path: Path) -> None:
    stand_in("trap 'touch asked; exit 1' TERM; touch begun; for i in {1..2000}; do sleep 0.02; done")
    # In the background it would not be heard.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code = (
        heard + "import tayra\ntry: tayra.run('config.yaml')\nexcept KeyboardInterrupt: print('interrupted')"
    )
    python = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    while not (tmp_path / "begun").exists():
        time.sleep(0.02)
    time.sleep(0.5)  # until it reads what the program prints
    python.send_signal(signal.SIGINT)
    assert python.communicate(timeout=60)[0] == "interrupted\n"
    assert (tmp_path / "asked").exists()
