"""The package as a physicist uses it: snapshots by time, arrays with coordinates, what is shown of things."""

import json
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import write_snapshot

import tayra
from tayra import Run, TayraError


@pytest.fixture
def with_part(run_directory: Path) -> Run:
    (run_directory / "parts/middle").mkdir(parents=True)
    for number in range(4):
        write_snapshot(run_directory / f"parts/middle/{number:06}.vtkhdf", 0.25 * number, 5 * number)
    return tayra.open(run_directory)


@pytest.mark.parametrize(("time", "number"), [(0, 0), (0.24, 0), (0.26, 1), (0.5, 1), (1.0, 2), (1.2, 2)])
def test_a_time_gives_the_nearest_snapshot(run_directory: Path, time: float, number: int) -> None:
    assert tayra.open(run_directory).snapshot(time=time).number == number


@pytest.mark.parametrize("time", [-0.3, 1.3, float("nan")])
def test_a_time_that_no_snapshot_is_near_to_is_refused_with_those_there_are(
    run_directory: Path, time: float
) -> None:
    with pytest.raises(TayraError, match=r"no snapshot near time .*: it has some from 0 to 1$"):
        tayra.open(run_directory).snapshot(time=time)


def test_negative_numbers_count_from_the_end(run_directory: Path) -> None:
    run = tayra.open(run_directory)
    assert [run.snapshot(number).number for number in (-1, -3)] == [2, 0]
    with pytest.raises(TayraError, match="holds no snapshot -4: it has 0 to 2"):
        run.snapshot(-4)


def test_a_number_and_a_time_are_too_much(run_directory: Path) -> None:
    with pytest.raises(TayraError, match="both number 1 and time 0.5 are asked for"):
        tayra.open(run_directory).snapshot(1, time=0.5)


def test_parts_are_found_by_name_and_a_wrong_one_is_refused(with_part: Run) -> None:
    assert list(with_part.parts) == ["middle"]
    assert with_part.parts["middle"].times == [0, 0.25, 0.5, 0.75]
    assert with_part.parts["middle"].snapshot(time=0.5).step == 10
    with pytest.raises(TayraError, match="holds no part 'left': it has middle"):
        with_part.parts["left"]


def test_snapshots_that_are_written_later_are_seen(run_directory: Path) -> None:
    run = tayra.open(run_directory)
    assert len(run.snapshots) == 3
    write_snapshot(run_directory / "snapshots/000003.vtkhdf", 1.5, 30)
    assert run.snapshot().number == 3


def test_settings_have_their_types(run_directory: Path) -> None:
    (run_directory / "config.yaml").write_text(
        "grid:\n  cells: [8, 6, 16]\n  lower: [0, -1.5, 1e-05]\nproblem:\n  name: rt_single\n"
        "numerics:\n  cfl: 0.6\n  positivity: true\nmpi:\n  gpu_aware: off\n"
        "output:\n  directory: 2024\n  snapshots:\n    fields: [density, velocity]\n"
        '  odd: "a: \\"b\\"\\x0a"\n'
    )
    settings = tayra.open(run_directory).settings
    assert settings == {
        "grid.cells": [8, 6, 16],
        "grid.lower": [0, -1.5, 1e-5],
        "problem.name": "rt_single",
        "numerics.cfl": 0.6,
        "numerics.positivity": True,
        "mpi.gpu_aware": "off",
        "output.directory": "2024",
        "output.snapshots.fields": ["density", "velocity"],
        "output.odd": 'a: "b"\n',
    }
    assert isinstance(settings["numerics.positivity"], bool)


def test_what_is_shown_of_things_is_short_and_says_what_they_hold(with_part: Run) -> None:
    folder = with_part.directory
    (folder / "config.yaml").write_text(
        "problem:\n  name: blast\ngrid:\n  cells: [4, 6, 8]\nnumerics:\n  scheme: muscl\n"
    )
    record = {"tayra": {}, "status": "finished", "totals": {"steps": 20, "time": 1.0}}
    (folder / "run.json").write_text(json.dumps(record))
    assert repr(with_part) == f"<Run {folder}: blast, 4 x 6 x 8 cells, muscl; finished at time 1, step 20>"
    assert repr(with_part.snapshots) == f"<3 snapshots in {folder}/snapshots: 0 to 2>"
    assert repr(with_part.snapshot()) == (
        f"<Snapshot {folder}/snapshots/000002.vtkhdf: time 1, step 20, 4 x 6 x 8 cells; density, velocity>"
    )
    assert repr(with_part.timings()).startswith("<Table of 2 rows: step, time, dt, ")
    assert "values" not in repr(with_part.snapshot().slice("density"))


def test_what_is_shown_of_damaged_files_is_no_error(with_part: Run) -> None:
    (with_part.directory / "run.json").write_text("{")
    with_part.snapshot().path.write_text("")
    assert "can't be read" in repr(with_part)
    assert "can't be read" in repr(with_part.snapshot())


def test_a_snapshot_gives_its_fields_by_name(run_directory: Path) -> None:
    snapshot = tayra.open(run_directory).snapshot()
    assert np.array_equal(snapshot["velocity_z"], snapshot.field("velocity")[..., 2])


def test_xarray_gets_coordinates_units_and_time(run_directory: Path) -> None:
    pytest.importorskip("xarray")
    snapshot = tayra.open(run_directory).snapshot(1)
    data = snapshot.to_xarray()
    assert set(data.data_vars) == {"density", "velocity"}
    assert data.density.dims == ("z", "y", "x")
    assert data.density.sel(x=0.3, y=2.4, z=3.1, method="nearest").item() == 1 + 2 + 20 + 400
    assert data.density.attrs["units"] == "mass / length^3"
    assert data.z.attrs["units"] == "length"
    assert np.array_equal(data.z, snapshot.grid.centres("z"))
    assert (data.time.item(), data.step.item()) == (0.5, 10)
    assert np.array_equal(data.velocity.sel(component="z"), snapshot["velocity_z"])
    assert list(snapshot.to_xarray("velocity_z").data_vars) == ["velocity_z"]


def test_a_series_becomes_one_array_along_time_of_what_all_hold(with_part: Run) -> None:
    pytest.importorskip("xarray")
    with h5py.File(with_part.parts["middle"][2].path, "a") as file:
        del file["velocity"]
    data = with_part.parts["middle"].to_xarray()
    assert list(data.data_vars) == ["density"]
    assert data.density.dims == ("time", "z", "y", "x")
    assert data.time.values.tolist() == [0, 0.25, 0.5, 0.75]
    assert data.step.values.tolist() == [0, 5, 10, 15]
    assert data.density.sel(time=0.25).shape == (8, 6, 4)
    with pytest.raises(TayraError, match="000002.vtkhdf holds no field 'velocity'"):
        with_part.parts["middle"].to_xarray("velocity")


def test_without_xarray_one_is_told_how_to_get_it(
    run_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(TayraError, match="xarray is not installed: pip install xarray"):
        tayra.open(run_directory).snapshot().to_xarray()


def test_logs_become_data_frames(run_directory: Path) -> None:
    pytest.importorskip("pandas")
    frame = tayra.open(run_directory).diagnostics().to_pandas()
    assert frame["theta"].tolist() == [0, 0.5]
    assert len(frame) == 2


def test_plots_are_figures_that_notebooks_show(run_directory: Path) -> None:
    run = tayra.open(run_directory)
    picture = run.plot("velocity_z", "x", 0.4, time=0.5)
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert picture.axes[0].get_title() == "t = 0.5,  x = 0.25"
    assert len(run.plot_curves().axes) == 2


def test_plots_leave_the_users_matplotlib_as_it_is(run_directory: Path) -> None:
    program = (
        "import matplotlib, sys; matplotlib.use('svg'); before = dict(matplotlib.rcParams)\n"
        f"import tayra; run = tayra.open({str(run_directory)!r})\n"
        "run.plot()._repr_png_(); run.plot_curves()\n"
        "assert dict(matplotlib.rcParams) == before\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_arrays_need_no_matplotlib(run_directory: Path) -> None:
    program = (
        f"import sys, tayra; tayra.open({str(run_directory)!r}).snapshot()['density']\n"
        "assert not {'matplotlib', 'xarray', 'pandas'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_package_knows_its_version() -> None:
    assert tayra.__version__ == "unknown" or tayra.__version__[0].isdigit()
