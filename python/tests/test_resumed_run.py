"""What a comparison says of a run that was resumed; the runs are made up, so that every time is known."""

import json
from pathlib import Path

import pytest
from conftest import made_up_run

from tayra.compare import main
from tayra.compared_run import load_run
from tayra.run_figure import draw_runs

SLOW, FAST = [100.0] * 10, [10.0] * 5


def resumed_run(folder: Path, wall_ms: list[float]) -> Path:
    """At step 10; the steps before took longer, on another machine."""
    went_on = {"checkpoint": "results/checkpoints/000010.h5", "step": 10}
    return made_up_run(folder / "resumed", wall_ms, resumed_from=went_on)


def test_only_the_steps_of_the_machine_in_the_record_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = made_up_run(tmp_path / "whole", FAST, resumed_from=None)
    resumed = resumed_run(tmp_path, SLOW + FAST)
    assert main([str(whole), str(resumed), "--json", str(tmp_path / "c.json")]) == 0
    first, second = json.loads((tmp_path / "c.json").read_text())["runs"]
    assert second["cell_steps_per_second"] == pytest.approx(8**3 / 10e-3)
    assert second["speed_up"] == pytest.approx(1)
    assert (first["from_step"], second["from_step"]) == (0, 10)
    assert (first["steps"], second["steps"]) == (5, 5)
    text = capsys.readouterr().out
    assert "\n  resumed: B at step 10; only steps since then count" in text


def test_the_picture_draws_and_names_the_same_steps(tmp_path: Path) -> None:
    figure = draw_runs([load_run(resumed_run(tmp_path, SLOW + FAST), "A")])
    assert figure.axes[1].lines[0].get_xdata().tolist() == [11, 12, 13, 14, 15]
    assert "steps after 10, where it was resumed" in " ".join(figure.get_supxlabel().split())


def test_without_a_step_since_then_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    resumed = str(resumed_run(tmp_path, SLOW))
    assert main([resumed, resumed]) == 2
    error = capsys.readouterr().err
    assert "timings.csv holds no steps since the run went on from step 10" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("damage", [3, {}, {"step": "10"}])
def test_a_damaged_resumption_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: object
) -> None:
    run = str(made_up_run(tmp_path / "run", FAST, resumed_from=damage))
    assert main([run, run]) == 2
    assert "'resumed_from' is missing or wrong" in capsys.readouterr().err
