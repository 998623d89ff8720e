"""`tayra plot` of several runs: curves, sweeps, 1-D flows; films; and a part over time."""

import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import made_up_run
from matplotlib import image
from PIL import Image

from tayra import Run, TayraError
from tayra.compared_run import load_run
from tayra.field_differences import fields_apart_over_time
from tayra.plot import main
from tayra.run_figure import draw_runs
from tayra.run_labels import labels_of
from tayra.several_runs import draw_curves_of, draw_lines_of, draw_sweep

HEADER = (
    "step,time,mass,energy,potential_energy,bubble_height,spike_height,mixing_width,theta,"
    "kinetic_energy_x,kinetic_energy_y,kinetic_energy_z\n"
)


def run_at(directory: Path, height: float, end: float = 1.0, **settings: object) -> Run:
    """Bubbles rise evenly to `height` at time 1."""
    made_up_run(directory, [2, 3], status="finished")
    lines = {"problem": "name: rt_multi", "grid": "cells: [8, 8, 16]"} | {
        section: str(text) for section, text in settings.items()
    }
    text = "".join(f"{section}:\n  {line}\n" for section, line in lines.items())
    (directory / "config.yaml").write_text(text + f"output:\n  directory: {directory}\n")
    rows = [
        f"{i},{t},1,{2 - t},{3 + t},{height * t},{2 * height * t},{height * t},0.5,0,0,{t}"
        for i, t in enumerate(np.linspace(0, end, 5))
    ]
    (directory / "diagnostics.csv").write_text(HEADER + "\n".join(rows) + "\n")
    return Run(directory)


def test_runs_are_labelled_by_what_differs_in_their_flow(tmp_path: Path) -> None:
    low = run_at(tmp_path / "a", 1, problem="name: rt_multi\n  atwood: 0.25")
    high = run_at(tmp_path / "b", 2, problem="name: rt_multi\n  atwood: 0.5")
    assert labels_of([low, high]) == ["atwood 0.25", "atwood 0.5"]
    finer = run_at(tmp_path / "c", 2, grid="cells: [16, 16, 32]")
    other = run_at(tmp_path / "d", 2, numerics="scheme: roe3")
    assert labels_of([finer, run_at(tmp_path / "e", 2)]) == ["16 x 16 x 32 cells", "8 x 8 x 16 cells"]
    assert labels_of([other, run_at(tmp_path / "f", 2, numerics="scheme: muscl")]) == ["roe3", "muscl"]


def test_runs_of_equal_configs_are_labelled_by_their_folders(tmp_path: Path) -> None:
    assert labels_of([run_at(tmp_path / "one", 1), run_at(tmp_path / "two", 2)]) == ["one", "two"]


def test_curves_of_several_runs_lie_in_the_same_panels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [run_at(tmp_path / "one", 1), run_at(tmp_path / "two", 2)]
    heights, width, mixed, energies = draw_curves_of(runs).axes
    assert [line.get_ydata()[-1] for line in heights.lines] == [1, 2, 2, 4]
    assert [line.get_linestyle() for line in heights.lines] == ["-", "--", "-", "--"]
    assert [line.get_ydata()[-1] for line in width.lines] == [1, 2]
    assert mixed.get_ylabel() == "Θ"
    assert [line.get_ydata()[-1] for line in energies.lines] == [-1, 1, -1, 1]
    assert main([str(run.directory) for run in runs] + ["--output", str(tmp_path / "a.png")]) == 0
    assert image.imread(tmp_path / "a.png").std() > 0.01
    assert capsys.readouterr().out == f"{tmp_path / 'a.png'}\n"


def test_a_sweep_shows_what_runs_have_at_the_latest_time_that_all_have_reached(tmp_path: Path) -> None:
    runs = [
        run_at(tmp_path / "b", 2, end=3, problem="name: rt_multi\n  atwood: 0.5"),
        run_at(tmp_path / "a", 1, end=0.5, problem="name: rt_multi\n  atwood: 0.25"),
    ]
    figure = draw_sweep(runs, "")
    assert "t = 0.5" in figure.get_suptitle()
    bubbles = figure.axes[0].lines[0]
    assert bubbles.get_xdata().tolist() == [0.25, 0.5]
    assert bubbles.get_ydata().tolist() == pytest.approx([0.5, 1])
    assert figure.axes[0].get_xlabel() == "problem.atwood"


def test_a_sweep_over_names_has_a_place_for_each(tmp_path: Path) -> None:
    runs = [run_at(tmp_path / name, 1, numerics=f"scheme: {name}") for name in ("roe3", "muscl")]
    axes = draw_sweep(runs, "numerics.scheme").axes[0]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["roe3", "muscl"]


def test_a_sweep_over_several_keys_asks_for_one(tmp_path: Path) -> None:
    runs = [
        run_at(tmp_path / "a", 1, problem="name: rt_multi\n  seed: 1", numerics="scheme: roe3"),
        run_at(tmp_path / "b", 1, problem="name: rt_multi\n  seed: 2", numerics="scheme: muscl"),
    ]
    with pytest.raises(
        TayraError, match=r"differ in problem.seed, numerics.scheme\): name it, as in --sweep"
    ):
        draw_sweep(runs, "")
    with pytest.raises(TayraError, match=r"'grid.cells' is the same in all these runs"):
        draw_sweep(runs, "grid.cells")
    assert draw_sweep(runs, "problem.seed").axes


def test_a_sweep_needs_several_runs(run_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(run_directory), "--sweep"]) == 2
    assert "a sweep is of several runs: name them: leave out --sweep" in capsys.readouterr().err


def test_options_of_slices_are_refused_for_several_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(run_at(tmp_path / name, 1).directory) for name in ("a", "b")]
    assert main([*runs, "--slice", "x"]) == 2
    assert "leave out --slice" in capsys.readouterr().err


def test_a_run_among_bench_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_at(tmp_path / "a", 1).directory
    (tmp_path / "b.json").write_text("{}")
    assert main([str(run), str(tmp_path / "b.json")]) == 2
    assert "draw runs and bench files apart" in capsys.readouterr().err


def one_dimensional(run: Run, values: list[float]) -> Run:
    folder = run.directory / "snapshots"
    folder.mkdir()
    with h5py.File(folder / "000000.vtkhdf", "w") as file:
        file.attrs.update(time=0.2, step=1, lower=np.zeros(3), spacing=np.ones(3))
        file["density"] = np.broadcast_to(np.array(values), (1, 1, len(values)))
    return run


def test_1d_flows_are_drawn_over_each_other(tmp_path: Path) -> None:
    runs = [
        one_dimensional(run_at(tmp_path / name, 1, numerics=f"scheme: {name}"), [i, 2 * i, 3, 4, 5])
        for i, name in enumerate(("roe3", "muscl"))
    ]
    figure = draw_lines_of(runs, "density")
    (axes,) = figure.axes
    assert [line.get_ydata().tolist() for line in axes.lines] == [[0, 0, 3, 4, 5], [1, 2, 3, 4, 5]]
    assert axes.get_xlabel() == "x"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["roe3", "muscl"]
    picture = tmp_path / "lines.png"
    assert main([*(str(run.directory) for run in runs), "--output", str(picture)]) == 0
    assert picture.is_file()


def frames_of(path: Path) -> list[np.ndarray]:
    with Image.open(path) as film:
        frames = []
        for number in range(film.n_frames):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB")))
        return frames


def test_a_film_has_a_frame_for_each_snapshot_and_one_scale(run_directory: Path, tmp_path: Path) -> None:
    for number, factor in enumerate((1, 2, 3)):
        with h5py.File(run_directory / "snapshots" / f"{number:06}.vtkhdf", "a") as file:
            file["density"][...] *= factor
    assert main([str(run_directory), "--movie", str(tmp_path / "film.gif")]) == 0
    frames = frames_of(tmp_path / "film.gif")
    assert len(frames) == 3
    height, width, _ = frames[0].shape
    assert (height % 2, width % 2) == (0, 0)
    bars = [frame[:, -width // 8 :].astype(int) for frame in frames]
    assert bars[0].std() > 10
    assert all(np.abs(bar - bars[0]).max() <= 8 for bar in bars), "the palette's rounding at most"
    middles = [frame[height // 2, width // 3].astype(int).sum() for frame in frames]
    assert middles[0] < middles[1] < middles[2], "brighter, as the field grows"
    assert not (run_directory / "pictures").exists()


def test_an_mp4_without_ffmpeg_names_the_cure(
    run_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([str(run_directory), "--movie", str(tmp_path / "film.mp4")]) == 2
    assert "pip install imageio-ffmpeg, or name a .gif" in capsys.readouterr().err
    assert not (tmp_path / "film.mp4").exists()


def test_an_mp4_is_made_where_there_is_ffmpeg(run_directory: Path, tmp_path: Path) -> None:
    if not shutil.which("ffmpeg"):
        pytest.importorskip("imageio_ffmpeg")
    assert main([str(run_directory), "--movie", str(tmp_path / "film.mp4")]) == 0
    assert (tmp_path / "film.mp4").read_bytes()[4:8] == b"ftyp"


def test_a_film_is_of_all_snapshots(run_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(run_directory), "--movie", "a.gif", "--snapshot", "1"]) == 2
    assert "a film is of all snapshots: leave out --snapshot" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(run_directory), "--movie", "a.avi"])
    assert "end its name in .mp4 or .gif" in capsys.readouterr().err


def test_a_part_is_drawn_over_time(run_directory: Path) -> None:
    part = run_directory / "parts" / "probe"
    part.mkdir(parents=True)
    for number in range(3):
        shutil.copy(run_directory / "snapshots" / f"{number:06}.vtkhdf", part)
    assert main([str(run_directory), "--part", "probe", "--curves", "--field", "velocity_z"]) == 0
    assert (part / "pictures" / "velocity_z_over_time.png").is_file()


def test_fields_are_compared_at_all_times_that_both_runs_have(run_directory: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(run_directory, other)
    (other / "snapshots" / "000001.vtkhdf").unlink()
    with h5py.File(other / "snapshots" / "000002.vtkhdf", "a") as file:
        file["density"][...] += 3
    first, later = fields_apart_over_time(Run(run_directory).snapshots, Run(other).snapshots)
    assert (first.time, later.time) == (0, 1)
    assert [one.rms for one in first.fields] == [0, 0, 0, 0]
    assert later.fields[0].rms == pytest.approx(3)


def test_the_picture_of_a_comparison_shows_the_flows_and_how_far_they_are_apart(tmp_path: Path) -> None:
    runs = [run_at(tmp_path / "a", 1), run_at(tmp_path / "b", 2)]
    for number, run in enumerate(runs):
        folder = run.directory / "snapshots"
        folder.mkdir()
        with h5py.File(folder / "000000.vtkhdf", "w") as file:
            file.attrs.update(time=0.2, step=1, lower=np.zeros(3), spacing=np.ones(3))
            file["density"] = np.arange(8.0).reshape(2, 2, 2) + number
    apart = {"B": fields_apart_over_time(runs[0].snapshots, runs[1].snapshots)}
    loaded = [load_run(run.directory, label) for run, label in zip(runs, "AB", strict=True)]
    heights, width, _, fields = draw_runs(loaded, apart).axes[3:]
    assert [line.get_ydata()[-1] for line in heights.lines] == [1, 2, 2, 4]
    assert width.get_title() == "mixing width"
    (line,) = fields.lines
    assert line.get_ydata() == pytest.approx([1 / np.arange(8.0).std()])
    assert fields.get_title() == "fields, less those of A"
