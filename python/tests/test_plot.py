"""The command `tayra plot`."""

import re
import resource
import shutil
from collections.abc import Sequence
from pathlib import Path

import h5py
import numpy as np
import pytest
from matplotlib import image
from matplotlib.backend_bases import MouseEvent

from tayra import Run
from tayra.figures import save
from tayra.flow_figures import (
    draw_curves,
    draw_line,
    draw_slice,
    film_look,
    middle_line,
)
from tayra.plot import main
from tayra.snapshot import axis_of_line, usual_axis


def is_picture(path: Path) -> bool:
    pixels = image.imread(path)
    return pixels.shape[0] > 200 and pixels.shape[1] > 200 and pixels.std() > 0.01


def test_the_last_snapshot_is_drawn_by_default(
    run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(run_directory)]) == 0
    picture = run_directory / "pictures" / "density_000002.png"
    assert is_picture(picture)
    assert capsys.readouterr().out == f"{picture}\n"


def test_every_snapshot_is_drawn_on_request(run_directory: Path) -> None:
    assert main([str(run_directory), "--snapshot", "all", "--field", "velocity_z"]) == 0
    names = sorted(path.name for path in (run_directory / "pictures").iterdir())
    assert names == ["velocity_z_000000.png", "velocity_z_000001.png", "velocity_z_000002.png"]


def change_snapshots(run_directory: Path, **values: Sequence[float]) -> None:
    """Of each snapshot in turn: its time, or a field that is the same everywhere."""
    for name, of_each in values.items():
        for number, value in enumerate(of_each):
            with h5py.File(run_directory / "snapshots" / f"{number:06}.vtkhdf", "a") as file:
                if name == "time":
                    file.attrs["time"] = value
                else:
                    file[name][...] = value


def film(run_directory: Path, *words: str) -> list[np.ndarray]:
    """Its pictures, as `tayra plot` has drawn them."""
    assert main([str(run_directory), "--snapshot", "all", *words]) == 0
    return [image.imread(path) for path in sorted((run_directory / "pictures").iterdir())]


def test_all_frames_of_a_film_have_one_scale_of_colours(run_directory: Path) -> None:
    change_snapshots(run_directory, density=(2, -0.001, 0))
    change_snapshots(run_directory, time=(0, 0, 0))
    first, second, third = film(run_directory)
    height, width, _ = first.shape
    bar = np.s_[:, -width // 8 :]
    assert first[bar].std() > 0.1
    assert np.array_equal(first[bar], second[bar])
    assert np.array_equal(first[bar], third[bar])
    middle = np.s_[height // 2, width // 3]
    assert third[middle].min() > 0.9, "white is zero, as one frame is negative"
    assert first[middle].min() < 0.5


def test_the_limits_of_a_film_are_those_of_the_slices_that_it_shows(run_directory: Path) -> None:
    with h5py.File(run_directory / "snapshots" / "000001.vtkhdf", "a") as file:
        file["velocity"][:, 3, :, 2] *= 2  # the middle along y
        file["velocity"][:, 0, :, 2] *= 9
    snapshots = Run(run_directory).snapshots
    look = film_look((snapshot.slice("velocity_z"), snapshot) for snapshot in snapshots)
    drawn = draw_slice(snapshots[0].slice("velocity_z"), snapshots[0], look=look).axes[0].images[0]
    assert drawn.get_clim() == (-32, 32)


def test_all_frames_of_a_film_have_the_same_size_in_whole_pairs_of_pixels(run_directory: Path) -> None:
    change_snapshots(run_directory, time=(0, 1 / 3, 1 / 3 + 1e-15), density=(0, 1e-7, 12345.678))
    frames = film(run_directory, "--slice", "z")  # high and narrow, so that long titles stand out
    assert len({frame.shape for frame in frames}) == 1
    for frame in frames:
        height, width, _ = frame.shape
        assert (height % 2, width % 2) == (0, 0), "as most films require"
        margins = (frame[:4], frame[-4:], frame[:, :4], frame[:, -4:])
        assert all(margin.min() == 1 for margin in margins), "nothing is cut off"


def test_a_film_leaves_out_and_names_snapshots_without_the_field(
    run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (0, 1):
        with h5py.File(run_directory / "snapshots" / f"{number:06}.vtkhdf", "a") as file:
            del file["velocity"]
    assert main([str(run_directory), "--snapshot", "all", "--field", "velocity_z"]) == 0
    assert [path.name for path in (run_directory / "pictures").iterdir()] == ["velocity_z_000002.png"]
    said = capsys.readouterr().err
    assert said == "tayra plot: left out, as they hold no field 'velocity_z': snapshots 0 to 1\n"


@pytest.mark.parametrize(
    ("time", "text"),
    [(100.0, "100"), (100.05, "100.05"), (0.1 + 0.2, "0.3"), (1234.56, "1234.56"), (1 / 3, "0.333333")],
)
def test_titles_tell_times_apart_without_the_noise_of_rounding(
    run_directory: Path, time: float, text: str
) -> None:
    change_snapshots(run_directory, time=(time,))
    snapshot = Run(run_directory).snapshot(0)
    title = draw_slice(snapshot.slice("density"), snapshot).axes[0].get_title()
    assert title == f"t = {text},  y = 3.5"


@pytest.mark.parametrize(
    ("times", "texts"),
    [
        ((0, 0.1 + 0.2, 100.05), ["0", "0.3", "100.05"]),
        ((1234.5678, 1234.5679, 1234.5681), ["1234.5678", "1234.5679", "1234.5681"]),
        ((2, 2, 2), ["2", "2", "2"]),
    ],
)
def test_titles_of_a_film_have_digits_enough_to_tell_its_frames_apart(
    run_directory: Path, times: Sequence[float], texts: Sequence[str]
) -> None:
    change_snapshots(run_directory, time=times)
    pictures = [(snapshot.slice("density"), snapshot) for snapshot in Run(run_directory).snapshots]
    look = film_look(pictures)
    titles = [draw_slice(*picture, look=look).axes[0].get_title() for picture in pictures]
    assert [re.search("t = (.*),", title)[1] for title in titles] == texts


def test_pictures_of_different_slices_lie_side_by_side(run_directory: Path) -> None:
    for position in ("y", "x", "y=0.25"):
        assert main([str(run_directory), "--slice", position]) == 0
    names = {path.name for path in (run_directory / "pictures").iterdir()}
    assert names == {"density_000002.png", "density_x=middle_000002.png", "density_y=0.25_000002.png"}


def test_a_component_has_another_picture_than_a_plane_across_its_axis(run_directory: Path) -> None:
    assert main([str(run_directory), "--field", "velocity", "--slice", "x"]) == 0
    assert main([str(run_directory), "--field", "velocity_x"]) == 0
    assert len(list((run_directory / "pictures").iterdir())) == 2


@pytest.mark.parametrize(
    ("cells", "axis"),
    [((64, 64, 4), "z"), ((4, 64, 64), "x"), ((32, 32, 64), "y"), ((128, 128, 64), "y"), ((256, 4, 4), "y")],
)
def test_a_thin_box_is_seen_from_its_broad_side(cells: tuple[int, int, int], axis: str) -> None:
    assert usual_axis(cells) == axis


def test_the_broad_side_of_a_thin_box_is_drawn_where_no_slice_is_named(run_directory: Path) -> None:
    with h5py.File(run_directory / "snapshots" / "000002.vtkhdf", "a") as file:
        del file["density"], file["velocity"]
        file["density"] = np.arange(2 * 16 * 16.0).reshape(2, 16, 16)
    assert main([str(run_directory)]) == 0
    assert (run_directory / "pictures" / "density_z=middle_000002.png").exists()


def test_pictures_are_smoothed_on_request(run_directory: Path, tmp_path: Path) -> None:
    for name, words in (("cells.png", []), ("smooth.png", ["--smooth"])):
        assert main([str(run_directory), *words, "--output", str(tmp_path / name)]) == 0
    assert (tmp_path / "cells.png").read_bytes() != (tmp_path / "smooth.png").read_bytes()


def test_a_snapshot_is_drawn_by_its_runs_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    snapshot = tmp_path / "000001.vtkhdf"
    snapshot.write_bytes(b"\x89HDF")
    assert main([str(snapshot), "--field", "pressure"]) != 0
    assert "name the run's directory, and --snapshot N" in capsys.readouterr().err


def copied_to_part(run_directory: Path, number: int, name: str = "middle") -> Path:
    """A snapshot of the run as one of its part of that name."""
    part = run_directory / "parts" / name / f"{number:06}.vtkhdf"
    part.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(run_directory / "snapshots" / "000001.vtkhdf", part)
    return part


def test_a_part_is_drawn_on_request(run_directory: Path) -> None:
    for number in (0, 7):
        copied_to_part(run_directory, number)
    assert main([str(run_directory), "--part", "middle"]) == 0
    pictures = run_directory / "parts" / "middle" / "pictures"
    assert [path.name for path in pictures.iterdir()] == ["density_000007.png"]
    assert main([str(run_directory), "--part", "middle", "--snapshot", "all"]) == 0
    assert len(list(pictures.iterdir())) == 2
    assert not (run_directory / "pictures").exists()


def test_the_file_of_a_snapshot_is_answered_by_the_command_that_draws_it(
    run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = copied_to_part(run_directory, 7)
    for snapshot, options in (
        (run_directory / "snapshots" / "000002.vtkhdf", "--snapshot 2"),
        (part, "--part middle --snapshot 7"),
    ):
        assert main([str(snapshot)]) == 2
        said = capsys.readouterr().err.strip()
        assert (
            said == f"tayra plot: {snapshot} is a file of a run: write tayra plot {run_directory} {options}"
        )
        assert main(said.split("write tayra plot ")[1].split()) == 0


def one_dimensional(run_directory: Path, number: int, values: Sequence[float]) -> None:
    """A field that varies along z alone, on four cells across."""
    with h5py.File(run_directory / "snapshots" / f"{number:06}.vtkhdf", "a") as file:
        del file["density"], file["velocity"]
        file["density"] = np.broadcast_to(np.reshape(values, (-1, 1, 1)), (len(values), 4, 4))
        file["density"].attrs["units"] = "mass / length^3"


def test_a_1d_flow_is_drawn_as_a_line_through_its_cells(run_directory: Path, tmp_path: Path) -> None:
    values = [1, 2, 4, 3, 5, 7]
    one_dimensional(run_directory, 2, values)
    snapshot = Run(run_directory).snapshot()
    (axes,) = draw_line(middle_line(snapshot.slice("density", "y"), "z"), snapshot, "z").axes
    (line,) = axes.lines
    assert line.get_xdata().tolist() == [2.125, 2.375, 2.625, 2.875, 3.125, 3.375]
    assert line.get_ydata().tolist() == values
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("z", "density  [mass / length³]")
    assert axes.get_title() == "t = 1"
    assert main([str(run_directory)]) == 0
    save(draw_line(middle_line(snapshot.slice("density", "y"), "z"), snapshot, "z"), tmp_path / "line.png")
    drawn = run_directory / "pictures" / "density_000002.png"
    assert drawn.read_bytes() == (tmp_path / "line.png").read_bytes()


def test_lines_of_a_film_have_one_scale(run_directory: Path) -> None:
    for number, values in enumerate(([1, 2, 3, 4, 5], [10, 20, 30, 40, 50], [0, 0, 0, 0, 0])):
        one_dimensional(run_directory, number, values)
    frames = film(run_directory)
    assert len({frame.shape for frame in frames}) == 1
    ticks = np.s_[:, : frames[0].shape[1] // 12]
    assert all(np.array_equal(frame[ticks], frames[0][ticks]) for frame in frames)


def test_a_line_has_nothing_to_smooth(run_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one_dimensional(run_directory, 2, range(6))
    assert main([str(run_directory), "--smooth"]) == 2
    assert "a 1-D flow is drawn as a line: leave out --smooth" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cells", "axis"),
    [((4, 4, 64), "z"), ((64, 1, 1), "x"), ((4, 5, 4), "y"), ((8, 4, 64), None), ((4, 4, 4), None)],
)
def test_a_flow_is_1d_where_two_axes_have_four_cells_at_most(
    cells: tuple[int, int, int], axis: str | None
) -> None:
    assert axis_of_line(cells) == axis


@pytest.mark.parametrize(
    "option",
    [["--field", "pressure"], ["--slice", "x"], ["--snapshot", "all"], ["--smooth"]],
)
def test_curves_take_no_option_of_slices(
    run_directory: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(run_directory), "--curves", *option]) != 0
    assert f"curves are of the whole run: leave out {option[0]}" in capsys.readouterr().err


def test_curves_are_drawn_from_the_diagnostics(run_directory: Path) -> None:
    assert main([str(run_directory), "--curves"]) == 0
    assert is_picture(run_directory / "pictures" / "curves.png")


def test_curves_show_what_their_names_say(run_directory: Path) -> None:
    panels = draw_curves(Run(run_directory)).axes
    assert [(axes.get_xlabel(), axes.get_ylabel()) for axes in panels] == [
        ("time", "length"),
        ("time", "energy"),
    ]
    lines = [line for axes in panels for line in axes.lines]
    assert all(line.get_xdata().tolist() == [0, 0.5] for line in lines)
    assert {line.get_label(): line.get_ydata().tolist() for line in lines} == {
        "bubble height": [0, 0.1],
        "spike height": [0, 0.2],
        "mixing width": [0, 0.3],
        "potential energy released": [0, 0.5],
        "internal + kinetic energy gained": [0, 0.5],
        "difference": [0, 0],
    }


def test_curves_of_one_row_are_points_that_the_legend_shows(run_directory: Path) -> None:
    log = run_directory / "diagnostics.csv"
    lines = [line for axes in draw_curves(Run(run_directory)).axes for line in axes.lines]
    assert {line.get_marker() for line in lines} == {"None"}, "of two rows lines are enough"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:2]))
    for axes in draw_curves(Run(run_directory)).axes:
        markers = [line.get_marker() for line in axes.lines]
        assert "None" not in markers
        assert len(set(markers)) == len(markers), "points on each other are told apart"
        assert [entry.get_marker() for entry in axes.get_legend().legend_handles] == markers


def test_curves_of_a_log_without_the_layers_columns_are_those_of_the_energies(run_directory: Path) -> None:
    log = run_directory / "diagnostics.csv"
    log.write_text(log.read_text().replace("spike_height", "spikes"))
    assert main([str(run_directory), "--curves"]) == 0
    assert is_picture(run_directory / "pictures" / "curves.png")


def test_curves_show_the_motion_along_all_axes_as_kinetic_energy(run_directory: Path) -> None:
    log = run_directory / "diagnostics.csv"
    header, *rows = log.read_text().splitlines()
    kinetic = ("kinetic_energy_x,kinetic_energy_y,kinetic_energy_z", "1,0,0", "1.5,0.25,2")
    log.write_text("".join(f"{line},{more}\n" for line, more in zip((header, *rows), kinetic, strict=True)))
    energies = draw_curves(Run(run_directory)).axes[1]
    (drawn,) = [line for line in energies.lines if line.get_label() == "kinetic energy gained"]
    assert drawn.get_ydata().tolist() == [0, 2.75]


def test_curves_say_where_a_log_begins_that_is_not_the_flows_start(run_directory: Path) -> None:
    assert draw_curves(Run(run_directory)).axes[1].get_title() == "energy since the start"
    log = run_directory / "diagnostics.csv"
    log.write_text(log.read_text().replace("\n0,0,1,", "\n5,0.25,1,"))
    assert draw_curves(Run(run_directory)).axes[1].get_title() == "energy since t = 0.25"


def test_letters_that_the_font_lacks_are_drawn_without_complaint(
    run_directory: Path, recwarn: pytest.WarningsRecorder
) -> None:
    run = run_directory.rename(run_directory.with_name("日本語"))
    assert main([str(run), "--curves"]) == 0
    assert not [warning for warning in recwarn if "Glyph" in str(warning.message)]


def test_a_picture_for_which_there_is_no_room_leaves_the_one_before(
    run_directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "a.png"
    picture.write_bytes(b"the one before")
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, allowed[1]))
    try:
        assert main([str(run_directory), "--output", str(picture)]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, allowed)
    assert capsys.readouterr().err == f"tayra plot: cannot write {picture} (File too large)\n"
    assert picture.read_bytes() == b"the one before"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["a.png"]


@pytest.mark.parametrize("name", ["a$x_$b", "a$\\unknown$b"])
def test_dollars_in_a_name_are_no_formula(run_directory: Path, name: str) -> None:
    run = run_directory.rename(run_directory.with_name(name))
    assert main([str(run), "--curves"]) == 0
    assert is_picture(run / "pictures" / "curves.png")


def test_a_slice_shows_each_cell_at_its_place_and_says_what_it_is(run_directory: Path) -> None:
    snapshot = Run(run_directory).snapshot()
    axes, bar = draw_slice(snapshot.slice("density", "y", 2.2), snapshot).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "z")
    assert axes.get_title() == "t = 1,  y = 2.5"
    assert bar.get_ylabel() == "density  [mass / length³]"
    (image,) = axes.images
    assert image.get_interpolation() == "nearest"
    across, up = axes.transData.transform((0.2, 2.6))
    assert image.get_cursor_data(MouseEvent("", axes.figure.canvas, across, up)) == 1 + 2 + 20 + 200


def test_a_signed_field_is_white_where_it_is_zero_and_has_its_extremes_within_the_colours(
    run_directory: Path,
) -> None:
    snapshot = Run(run_directory).snapshot()
    axes, bar = draw_slice(snapshot.slice("velocity_z"), snapshot).axes
    assert axes.images[0].get_clim() == (-16, 16)
    assert axes.images[0].to_rgba(np.zeros(1)).min() > 0.9
    assert bar.get_ylabel() == "velocity_z"


def test_colours_reach_as_far_below_zero_as_a_field_does(run_directory: Path) -> None:
    with h5py.File(run_directory / "snapshots" / "000002.vtkhdf", "a") as file:
        file["velocity"][..., 2] *= -1
    snapshot = Run(run_directory).snapshot()
    plane = snapshot.slice("velocity_z")
    assert (plane.values.min(), plane.values.max()) == (-16, 12)
    assert draw_slice(plane, snapshot).axes[0].images[0].get_clim() == (-16, 16)


def write_density(run_directory: Path, planes: slice, value: float) -> None:
    with h5py.File(run_directory / "snapshots" / "000002.vtkhdf", "a") as file:
        file["density"][planes] = value


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_cells_that_hold_no_number_leave_the_others_their_colours(run_directory: Path, value: float) -> None:
    write_density(run_directory, slice(6, None), value)
    snapshot = Run(run_directory).snapshot()
    (drawn,) = draw_slice(snapshot.slice("density"), snapshot).axes[0].images
    assert drawn.get_clim() == (31, 534)


@pytest.mark.filterwarnings("error")
def test_a_slice_without_a_number_is_refused(run_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_density(run_directory, slice(None), np.nan)
    assert main([str(run_directory)]) == 2
    assert "000002.vtkhdf holds no finite density at y = 3.5: choose another" in capsys.readouterr().err


def test_the_same_data_gives_the_same_file(run_directory: Path, tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        assert main([str(run_directory), "--output", str(tmp_path / name)]) == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--field", "colour"], "no field 'colour'"),
        (["--field", "colour", "--snapshot", "all"], "no field 'colour'"),
        (["--slice", "y=99"], "outside the box"),
        (["--snapshot", "7"], "no snapshot 7: it has 0 to 2"),
        (["--part", "middle"], "holds no part 'middle': it has none"),
        (["--snapshot", "all", "--output", "a.png"], "leave out --output"),
        (["--output", "/proc/none/a.png"], "cannot write"),
    ],
)
def test_mistakes_give_one_line_and_exit_code_2(
    run_directory: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main([str(run_directory), *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tayra plot: ")
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("words", [["--slice", "q=1"], ["--slice", "y=high"], ["--snapshot", "first"]])
def test_bad_options_exit_with_code_2(run_directory: Path, words: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([str(run_directory), *words])
    assert stop.value.code == 2


def test_a_foreign_file_gives_a_message(run_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run_directory / "snapshots" / "000002.vtkhdf").write_text("not HDF5")
    assert main([str(run_directory)]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("units", "label"),
    [("length^2 / time^3", "density  [length² / time³]"), ("1", "density"), ("", "density")],
)
def test_units_are_told_as_people_write_them(run_directory: Path, units: str, label: str) -> None:
    with h5py.File(run_directory / "snapshots" / "000002.vtkhdf", "a") as file:
        file["density"].attrs["units"] = units
    snapshot = Run(run_directory).snapshot()
    assert draw_slice(snapshot.slice("density"), snapshot).axes[1].get_ylabel() == label


def test_a_field_that_is_the_same_everywhere_has_its_value_in_the_middle_of_the_colours(
    run_directory: Path,
) -> None:
    write_density(run_directory, slice(None), 3)
    snapshot = Run(run_directory).snapshot()
    (drawn,) = draw_slice(snapshot.slice("density"), snapshot).axes[0].images
    assert drawn.get_clim() == (2.5, 3.5)


def test_energy_that_came_from_nowhere_lies_above_zero(run_directory: Path) -> None:
    log = run_directory / "diagnostics.csv"
    log.write_text(log.read_text().replace("10,0.5,1,2.5,2.5,", "10,0.5,1,2.75,2.5,"))
    energies = draw_curves(Run(run_directory)).axes[1]
    (difference,) = (line for line in energies.lines if line.get_label() == "difference")
    assert difference.get_ydata().tolist() == [0, 0.25]


def test_lengths_of_the_layer_are_drawn_from_zero(run_directory: Path) -> None:
    assert draw_curves(Run(run_directory)).axes[0].get_ylim()[0] == 0


def test_curves_of_a_log_without_rows_are_told_to_be_missing_yet(
    run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = run_directory / "diagnostics.csv"
    log.write_text(log.read_text().splitlines()[0] + "\n")
    assert main([str(run_directory), "--curves"]) == 2
    assert capsys.readouterr().err == f"tayra plot: {log} holds no rows yet\n"


def test_a_box_is_seen_from_its_broad_side_from_four_times_as_broad_on() -> None:
    assert (usual_axis((64, 64, 16)), usual_axis((64, 64, 17))) == ("z", "y")


def test_the_snapshot_that_was_asked_for_is_drawn(run_directory: Path) -> None:
    for number in (0, 1):
        assert main([str(run_directory), "--snapshot", str(number)]) == 0
    names = {path.name for path in (run_directory / "pictures").iterdir()}
    assert names == {"density_000000.png", "density_000001.png"}


def test_curves_and_slices_lie_where_output_says(run_directory: Path, tmp_path: Path) -> None:
    for name, words in (("curves.png", ["--curves"]), ("slice.svg", [])):
        assert main([str(run_directory), *words, "--output", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 1000
    assert not (run_directory / "pictures").exists()


def test_a_slice_at_zero_is_not_the_one_in_the_middle(run_directory: Path) -> None:
    assert main([str(run_directory), "--slice", "y=0"]) == 0
    assert main([str(run_directory), "--slice", "y"]) == 0
    zero, middle = (
        (run_directory / "pictures" / f"density{name}_000002.png").read_bytes() for name in ("_y=0.0", "")
    )
    assert zero != middle
