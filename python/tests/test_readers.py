"""What VTK (and so ParaView), PyVista, xarray and yt read from a run; each only if it is installed."""

import os
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

CONFIG = """
problem: {name: rt_single, atwood: 0.5, amplitude: 0.05}
grid: {cells: [8, 6, 16], lower: [0, 0, -1], upper: [1, 1, 1]}
run: {steps: 30, device: cpu}
output:
  snapshots: {every_steps: 15, fields: [density, velocity], compression: deflate}
  parts:
    middle: {every_steps: 15, lower: [0, 0.5, -1], upper: [1, 0.5, 1], stride: [2, 1, 4]}
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    directory = tmp_path_factory.mktemp("readers")
    (directory / "config.yaml").write_text(CONFIG)
    command = [binary, "run", directory / "config.yaml", "--output", directory / "results"]
    subprocess.run(command, check=True, capture_output=True)
    return directory / "results"


def stored(path: Path, field: str) -> np.ndarray:
    with h5py.File(path) as file:
        return np.asarray(file[field])


def test_vtk_reads_extent_and_every_value(results: Path) -> None:
    vtk = pytest.importorskip("vtk")
    from vtk.util.numpy_support import vtk_to_numpy

    path = results / "snapshots/000002.vtkhdf"
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(path))
    reader.Update()
    image = reader.GetOutput()
    assert image.GetDimensions() == (9, 7, 17)
    assert image.GetOrigin() == (0, 0, -1)
    assert image.GetSpacing() == pytest.approx((1 / 8, 1 / 6, 1 / 8), rel=1e-15)
    cells = image.GetCellData()
    density = vtk_to_numpy(cells.GetArray("density")).reshape(16, 6, 8)
    velocity = vtk_to_numpy(cells.GetArray("velocity")).reshape(16, 6, 8, 3)
    assert np.array_equal(density, stored(path, "density"))
    assert np.array_equal(velocity, stored(path, "velocity"))


def test_vtk_reads_times_and_values_through_xdmf(results: Path) -> None:
    vtk = pytest.importorskip("vtk")
    from vtk.util.numpy_support import vtk_to_numpy

    reader = vtk.vtkXdmfReader()
    reader.SetFileName(str(results / "snapshots/snapshots.xmf"))
    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    times = information.Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    with h5py.File(results / "snapshots/000002.vtkhdf") as file:
        assert len(times) == 3 and times[2] == file.attrs["time"]
    reader.UpdateTimeStep(times[2])
    grid = reader.GetOutputDataObject(0)
    while grid.IsA("vtkMultiBlockDataSet"):
        grid = grid.GetBlock(0)
    assert grid.GetBounds() == pytest.approx((0, 1, 0, 1, -1, 1))
    density = vtk_to_numpy(grid.GetCellData().GetArray("density")).reshape(16, 6, 8)
    assert np.array_equal(density, stored(results / "snapshots/000002.vtkhdf", "density"))


def test_pyvista_reads_a_part_with_its_true_cell_centres(results: Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    part = pyvista.read(results / "parts/middle/000001.vtkhdf")
    centres = part.cell_centers().points.reshape(4, 1, 4, 3)
    assert centres[0, 0, :, 0] == pytest.approx((0.0625, 0.3125, 0.5625, 0.8125))
    assert centres[0, 0, 0, 1] == pytest.approx(7 / 12)
    assert centres[:, 0, 0, 2] == pytest.approx((-0.9375, -0.4375, 0.0625, 0.5625))
    whole = stored(results / "snapshots/000001.vtkhdf", "density")
    assert np.array_equal(part["density"].reshape(4, 1, 4), whole[::4, 3:4, ::2])


def test_xarray_reads_a_snapshot_with_coordinates(results: Path) -> None:
    xarray = pytest.importorskip("xarray")
    path = results / "snapshots/000002.vtkhdf"
    with h5py.File(path) as file:
        lower, spacing = file.attrs["lower"], file.attrs["spacing"]
        values = file["density"][:]
        centres = {
            axis: lower[i] + (np.arange(n) + 0.5) * spacing[i]
            for i, (axis, n) in enumerate(zip("xyz", values.shape[::-1], strict=True))
        }
        density = xarray.DataArray(values, dims=("z", "y", "x"), coords=centres, attrs=file["density"].attrs)
    assert density.sel(x=0.5, y=0.5, z=0.99, method="nearest").item() == values[15, 3, 4]
    assert density.attrs["units"] == "mass / length^3"


def test_yt_loads_a_snapshot(results: Path) -> None:
    yt = pytest.importorskip("yt")
    yt.set_log_level("error")
    with h5py.File(results / "snapshots/000002.vtkhdf") as file:
        lower, spacing = file.attrs["lower"], file.attrs["spacing"]
        density = file["density"][:].T.astype(float)  # yt's order is x, y, z
        upper = lower + spacing * density.shape
        box = np.stack([lower, upper], axis=1)
        time = file.attrs["time"]
        data = yt.load_uniform_grid({"density": density}, density.shape, bbox=box, sim_time=time)
    assert data.all_data()["stream", "density"].sum() == pytest.approx(density.sum())
