"""What the command answers for: every case that was chosen, measured now or before."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import validation.__main__ as program
from tayra.errors import TayraError
from validation.case import Case, Findings, Outcome, at_most, read_outcome, write_outcome
from validation.lab import Lab
from validation.tests.test_machine import stand_in

BUILD = "abc"  # of the stand-in


@pytest.fixture
def validate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command with cases `wave` and `blast`, which hold when they are measured."""

    def measure(_: Lab) -> Findings:
        return Findings([at_most("error", 0, 1)], {})

    cases = [Case(name, name, "", (), measure, lambda _: Figure()) for name in ("wave", "blast")]
    monkeypatch.setattr(program, "CASES", cases)
    monkeypatch.setattr(program, "end_all_on_signals", lambda _: None)
    places = ["--tayra", stand_in(tmp_path), "--output", tmp_path, "--scratch", tmp_path / "runs"]
    return lambda *words: program.main([*map(str, places), *words])


def kept(folder: Path, case: str) -> Path:
    return folder / f"results/quick-cpu/{case}.json"


def keep(folder: Path, case: str, error: float, commit: str = BUILD) -> None:
    """As if it had been measured before."""
    findings = Findings([at_most("error", error, 1)], {})
    write_outcome(kept(folder, case), Outcome(case, "quick", "a processor", commit, "before", 1, 1, findings))


def test_a_report_answers_for_all_results_that_it_is_written_from(
    tmp_path: Path, validate: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "wave", 0)
    assert validate("--report-only") == 1
    assert "failed or not measured: blast\n" in capsys.readouterr().err
    assert validate("--report-only", "--cases", "wave") == 0
    keep(tmp_path, "blast", 2)
    assert validate("--report-only") == 1
    keep(tmp_path, "blast", 0.5)
    assert validate("--report-only") == 0


@pytest.mark.parametrize("content", ["{}", '{"findings": []}', '{"findings": {"checks": [{}]}}', "half"])
def test_results_that_cannot_be_read_are_told_in_one_line(
    tmp_path: Path, validate: Callable[..., int], capsys: pytest.CaptureFixture[str], content: str
) -> None:
    keep(tmp_path, "wave", 0)
    kept(tmp_path, "blast").write_text(content)
    assert validate("--report-only") == 1
    error = capsys.readouterr().err
    assert str(kept(tmp_path, "blast")) in error
    assert error.count("\n") == 1


def test_a_folder_that_takes_no_results_is_told_in_one_line(
    tmp_path: Path, validate: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results").write_text("in the way")
    assert validate() == 1
    error = capsys.readouterr().err
    assert error.startswith("validate: ")
    assert str(tmp_path / "results") in error
    assert error.count("\n") == 1


def test_a_program_that_prints_no_json_is_refused(
    tmp_path: Path, validate: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tayra").write_text("#!/bin/sh\necho something else\n")
    assert validate("--missing") == 1
    assert f"{tmp_path}/tayra is no Tayra (`info --json` prints no JSON)" in capsys.readouterr().err


@pytest.mark.parametrize(("error", "commit"), [(2, BUILD), (0, "another"), (0, f"{BUILD}-dirty")])
def test_missing_measures_what_failed_or_is_of_another_build(
    tmp_path: Path, validate: Callable[..., int], error: float, commit: str
) -> None:
    keep(tmp_path, "wave", 0)
    keep(tmp_path, "blast", error, commit)
    assert validate("--missing") == 0
    assert read_outcome(kept(tmp_path, "wave")).date == "before"
    blast = read_outcome(kept(tmp_path, "blast"))
    assert (blast.date != "before", blast.commit) == (True, BUILD)


def test_missing_leaves_no_result_of_a_build_with_uncommitted_changes(
    tmp_path: Path, validate: Callable[..., int]
) -> None:
    keep(tmp_path, "wave", 0, f"{BUILD}-dirty")
    tool = tmp_path / "tayra"
    tool.write_text(tool.read_text().replace(f'"{BUILD}"', f'"{BUILD}-dirty"'))
    assert validate("--missing") == 0
    assert read_outcome(kept(tmp_path, "wave")).date != "before"


@pytest.mark.parametrize("words", [["--gpus", "4"], ["--gpus", "0", "--gpu"]])
def test_gpus_that_cannot_be_used_are_bad_usage(validate: Callable[..., int], words: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        validate("--report-only", *words)
    assert stopped.value.code == 2


def test_a_case_that_could_not_be_measured_fails_though_older_results_hold(
    tmp_path: Path, validate: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(_: Lab) -> Findings:
        raise TayraError("out of order")

    wave = Case("wave", "wave", "", (), measure, lambda _: Figure())
    monkeypatch.setattr(program, "CASES", [wave])
    keep(tmp_path, "wave", 0)
    assert validate("--report-only") == 0
    assert validate() == 1
    assert read_outcome(kept(tmp_path, "wave")).date == "before"


@pytest.mark.parametrize(
    ("words", "effort", "device", "name"),
    [
        ([], "quick", "cpu", "a processor"),
        (["--full"], "full", "cpu", "a processor"),
        (["--gpu"], "quick", "cuda", "a GPU"),
        (["--full", "--gpu", "--gpus", "2"], "full", "cuda", "2 x a GPU"),
    ],
)
def test_results_are_of_the_set_and_the_device_that_were_asked_for_and_lie_under_their_names(
    tmp_path: Path,
    validate: Callable[..., int],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    effort: str,
    device: str,
    name: str,
) -> None:
    def measure(own: Lab) -> Findings:
        return Findings([at_most("error", 0, 1)], {"full": own.full, "device": own.device})

    monkeypatch.setattr(program, "CASES", [Case("wave", "wave", "", (), measure, lambda _: Figure())])
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    (tmp_path / "gpu").write_text("a GPU")
    assert validate(*words) == 0
    (path,) = (tmp_path / "results").glob("*/*.json")
    assert path.parent.name == f"{effort}-{device}"
    outcome = read_outcome(path)
    assert (outcome.effort, outcome.device) == (effort, name)
    assert outcome.findings.data == {"full": effort == "full", "device": device}


def test_results_are_dated_when_they_were_measured(tmp_path: Path, validate: Callable[..., int]) -> None:
    before = datetime.now(UTC)
    assert validate() == 0
    date = datetime.strptime(read_outcome(kept(tmp_path, "wave")).date, "%Y-%m-%d %H:%M UTC")
    assert timedelta(minutes=-1) < date.replace(tzinfo=UTC) - before < timedelta(minutes=5)
