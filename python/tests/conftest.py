"""A small run as Tayra leaves it, made without Tayra."""

import json
from pathlib import Path

import h5py
import numpy as np
import pytest

CELLS = (4, 6, 8)
LOWER = np.array([-1.0, 0.0, 2.0])
SPACING = np.array([0.5, 1.0, 0.25])


def write_snapshot(path: Path, time: float, step: int) -> None:
    columns, rows, depth = CELLS
    z, y, x = np.meshgrid(np.arange(depth), np.arange(rows), np.arange(columns), indexing="ij")
    with h5py.File(path, "w") as file:
        file.attrs.update(time=time, step=step, lower=LOWER, spacing=SPACING)
        file["density"] = (1.0 + x + 10 * y + 100 * z).astype(np.float32)
        file["density"].attrs["units"] = "mass / length^3"
        file["velocity"] = np.stack([3.0 * x, 0 * y, 4.0 * z - 12], axis=-1)
        file.create_group("VTKHDF/CellData")


@pytest.fixture
def run_directory(tmp_path: Path) -> Path:
    directory = tmp_path / "results"
    (directory / "snapshots").mkdir(parents=True)
    (directory / "run.json").write_text(json.dumps({"tayra": {"version": "0"}, "status": "finished"}))
    for number in range(3):
        write_snapshot(directory / "snapshots" / f"{number:06}.vtkhdf", 0.5 * number, 10 * number)
    (directory / "snapshots" / "000003.vtkhdf.tmp").write_text("half")
    (directory / "timings.csv").write_text("step,time,dt,wall_ms\n1,0.1,0.1,2\n2,0.2,0.1,3\n")
    header = "step,time,mass,energy,potential_energy,bubble_height,spike_height,mixing_width,theta\n"
    (directory / "diagnostics.csv").write_text(
        header + "0,0,1,2,3,0,0,0,0\n10,0.5,1,2.5,2.5,0.1,0.2,0.3,0.5\n"
    )
    return directory
