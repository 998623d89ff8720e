"""Pictures of parts in one file, which are made up here."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from tayra.part_figure import draw_part, draw_part_over_time
from tayra.part_file import PartSeries
from tayra.plot import main


def part_of(run_directory: Path, name: str, times: list[float], x: int, y: int = 1, z: int = 1) -> PartSeries:
    """Of so many places along x, y and z; its density counts rows and places."""
    (run_directory / "parts").mkdir(exist_ok=True)
    path = run_directory / "parts" / f"{name}.h5"
    with h5py.File(path, "w") as file:
        file.attrs["axis"] = "z y x"
        file["rows"], file["time"], file["step"] = [len(times)], times, np.arange(len(times))
        for axis, count in zip("xyz", (x, y, z), strict=True):
            file[axis] = np.arange(count) + 0.5
        file["density"] = np.arange(len(times) * x * y * z, dtype=float).reshape(-1, z, y, x)
        for item in file.values():
            item.attrs.update(units="mass", meaning="")
    return PartSeries(path)


def test_a_point_of_one_row_is_a_marker(run_directory: Path) -> None:
    (line,) = draw_part(part_of(run_directory, "probe", [0.5], x=1), "density").axes[0].lines
    assert line.get_marker() not in ("None", None, "")
    (line,) = draw_part(part_of(run_directory, "probe", [0.5, 1], x=1), "density").axes[0].lines
    assert line.get_marker() == "None", "of two rows a line is enough"


def test_a_line_of_one_row_is_drawn_over_its_axis(run_directory: Path) -> None:
    figure = draw_part(part_of(run_directory, "line", [0.5], x=4), "density")
    (line,) = figure.axes[0].lines
    assert line.get_xdata().tolist() == [0.5, 1.5, 2.5, 3.5]
    assert line.get_ydata().tolist() == [0, 1, 2, 3]
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("x", "density")
    assert "time 0.5" in figure.get_suptitle()


def test_dollars_in_the_name_of_a_part_are_no_formula(run_directory: Path, tmp_path: Path) -> None:
    draw_part(part_of(run_directory, "cost$_$x", [0, 1], x=1), "density").savefig(tmp_path / "a.png")


def test_curves_of_a_part_in_one_file_are_its_mean_least_and_most(run_directory: Path) -> None:
    part = part_of(run_directory, "slice", [0, 1, 3], x=2, z=3)
    axes = draw_part_over_time(part, "density").axes[0]
    (mean,) = axes.lines
    assert (mean.get_xdata().tolist(), mean.get_ydata().tolist()) == ([0, 1, 3], [2.5, 8.5, 14.5])
    (band,) = axes.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (0, 17)
    assert axes.get_ylabel() == "density  [mass]"


def test_a_part_in_one_file_is_drawn_over_time_where_curves_are_asked_for(
    run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part_of(run_directory, "line", [0, 1], x=4)
    assert main([str(run_directory), "--part", "line", "--curves"]) == 0
    picture = run_directory / "pictures" / "part_line_density_over_time.png"
    assert capsys.readouterr().out == f"{picture}\n"
    assert picture.is_file()


@pytest.mark.parametrize("words", [["--movie", "a.gif"], ["--smooth"], ["--curves", "--movie", "a.gif"]])
def test_a_part_in_one_file_takes_no_option_that_it_would_ignore(
    run_directory: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    part_of(run_directory, "line", [0, 1], x=4)
    assert main([str(run_directory), "--part", "line", *words]) == 2
    assert "leave out --" in capsys.readouterr().err
    assert not (run_directory / "pictures").exists()
