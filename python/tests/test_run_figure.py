"""What the picture of a comparison shows; the runs are made up, so that every height is known."""

from pathlib import Path

import numpy as np
import pytest
from conftest import made_up_run
from matplotlib.figure import Figure

from tayra.compared_run import load_run
from tayra.field_differences import FieldDifference, FieldsApart
from tayra.run_figure import POINTS, draw_runs


@pytest.fixture
def figure(tmp_path: Path) -> Figure:
    lengths = {"short": 10, "long": 20 * POINTS}
    runs = [
        made_up_run(tmp_path / name, wall_ms=[4 + i % 2 for i in range(steps)], comm_ms=2)
        for name, steps in lengths.items()
    ]
    return draw_runs([load_run(path, label) for path, label in zip(runs, "AB", strict=True)])


def test_bars_are_the_mean_parts_of_a_step(figure: Figure) -> None:
    stack = figure.axes[0]
    heights = {bars.get_label(): [bar.get_height() for bar in bars] for bars in stack.containers}
    assert heights["computation"] == pytest.approx([3.5, 3.5])
    assert heights["exposed communication"] == pytest.approx([1, 1])
    assert heights["everything else"] == pytest.approx([0, 0])
    assert heights["output"] == pytest.approx([0.1, 0.1])
    (communication,) = (line for line in stack.lines if line.get_label() == "communication, hidden or not")
    assert communication.get_ydata().tolist() == [2, 2]
    tops = [stack.containers[-1][i].get_y() + stack.containers[-1][i].get_height() for i in (0, 1)]
    assert tops == pytest.approx([4.6, 4.6])


def test_bars_of_uneven_slabs_are_as_tall_as_the_step(tmp_path: Path) -> None:
    """The slab that waits longest is not the one that computes longest."""
    run = made_up_run(tmp_path / "uneven", wall_ms=[4] * 10, comm_ms=2)
    log = run / "timings.csv"
    log.write_text(log.read_text().replace(",4,3.0,2,1.0,", ",4,3.0,2,2.5,"))
    stack = draw_runs([load_run(run, "A")]).axes[0]
    heights = {bars.get_label(): bars[0].get_height() for bars in stack.containers}
    assert heights["computation"] == pytest.approx(3)
    assert heights["exposed communication"] == pytest.approx(1)
    assert heights["everything else"] == 0


def test_sums_end_at_the_time_of_all_steps_and_their_output(figure: Figure) -> None:
    ends = [line.get_ydata()[-1] for line in figure.axes[2].lines]
    assert ends == pytest.approx([0.046, 20 * POINTS * 4.6e-3])


def test_long_runs_are_thinned_to_medians_and_say_so(figure: Figure) -> None:
    short, long = figure.axes[1].lines
    assert short.get_ydata().tolist() == [4, 5] * 5
    assert long.get_ydata().size == POINTS
    assert np.all(long.get_ydata() == 4.5)
    assert "median, 5 to 95 %" in figure.axes[1].get_title()


def test_the_band_of_a_long_run_goes_from_5_to_95_percent_of_its_steps(tmp_path: Path) -> None:
    """Of twenty steps two are slow and two are fast."""
    wall_ms = [9 if i % 10 == 0 else 3 if i % 10 == 1 else 5 for i in range(20 * POINTS)]
    series = draw_runs([load_run(made_up_run(tmp_path / "run", wall_ms), "A")]).axes[1]
    (band,) = series.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (3, 9)


def test_the_caption_names_machine_command_and_what_still_goes_on(figure: Figure) -> None:
    caption = " ".join(figure.get_supxlabel().split())
    assert "2 x GPU on nowhere, halo host; still going on; tayra run 'made up.yaml'" in caption


def test_every_axis_has_its_unit(figure: Figure) -> None:
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["time a step [ms], mean", "time of a step [ms]", "time so far, with output [s]"]
    assert [axes.get_xlabel() for axes in figure.axes[1:]] == ["step", "step"]


def test_every_bar_is_named_and_the_tallest_thing_is_within_the_picture(figure: Figure) -> None:
    stack = figure.axes[0]
    assert [text.get_text() for text in stack.get_xticklabels()] == ["A", "B"]
    assert stack.get_xticks().tolist() == [0, 1]
    assert stack.get_ylim()[0] == 0
    assert stack.get_ylim()[1] > 4.6


def test_sums_stand_above_the_steps_that_they_were_taken_at(figure: Figure) -> None:
    ends = [(line.get_xdata()[0], line.get_xdata()[-1]) for line in figure.axes[2].lines]
    assert ends == [(1, 10), (1, 20 * POINTS)]


def test_the_caption_names_every_run_and_calls_none_going_on_that_has_ended(tmp_path: Path) -> None:
    states = {"going": "running", "ended": "finished", "halted": "stopped"}
    runs = [made_up_run(tmp_path / name, [1] * 4, status=status) for name, status in states.items()]
    figure = draw_runs([load_run(path, label) for path, label in zip(runs, "ABC", strict=True)])
    lines = figure.get_supxlabel().replace("\n     ", " ").splitlines()
    assert [line.partition(":")[0] for line in lines] == ["A", "B", "C"]
    for line, run in zip(lines, runs, strict=True):
        assert run.name in line
        assert ("still going on" in line) == (run.name == "going")


@pytest.mark.parametrize(
    ("rms", "told"), [(0.0, "no difference at all"), (1.0, "the table has"), (np.nan, "the table")]
)
def test_of_fields_that_cannot_be_drawn_it_says_none_that_differs_to_be_the_same(
    tmp_path: Path, rms: float, told: str
) -> None:
    """The first run's field is constant: it has no spread to measure by."""
    runs = [load_run(made_up_run(tmp_path / label, [1] * 4), label) for label in "AB"]
    field = FieldDifference("density", mean=rms, rms=rms, most=rms, spread=0)
    (text,) = draw_runs(runs, {"B": [FieldsApart(1.0, [field])]}).axes[3].texts
    assert text.get_text().startswith(told)
