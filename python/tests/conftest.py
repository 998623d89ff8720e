"""A small run as Tayra leaves it, made without Tayra; and runs of the program in TAYRA_BINARY."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import h5py
import numpy as np
import pytest

from tayra import Run

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


def write_picture(directory: Path, name: str, step: int) -> None:
    """Of the newest state, over the one before: a reader never sees half of it."""
    (directory / "live").mkdir(exist_ok=True)
    beside = directory / "live/beside.tmp"
    write_snapshot(beside, 0.05 * step, step)
    with h5py.File(beside, "r+") as file:
        whole = file["density"][:]
        del file["density"], file["velocity"]
        file["density"] = whole[:, :, 3:] + step
        file.attrs.update(lower=LOWER + [1.5, 0, 0])
    beside.replace(directory / "live" / name)


def write_timings(path: Path, wall_ms: Sequence[float], comm_ms: float = 0.5) -> None:
    """Half of the communication hidden, 1 ms of output before each tenth step."""
    rows = [
        f"{i},{0.1 * i},0.1,{wall},{wall - comm_ms / 2},{comm_ms},{comm_ms / 2},{1 if i % 10 == 0 else 0},640"
        for i, wall in enumerate(wall_ms, 1)
    ]
    header = "step,time,dt,wall_ms,compute_ms,comm_ms,exposed_ms,io_ms,bytes_sent"
    path.write_text("\n".join([header, *rows]) + "\n")


def made_up_run(directory: Path, wall_ms: Sequence[float], comm_ms: float = 0.5, **changes: object) -> Path:
    """As far as comparisons read it; `changes` go into its record."""
    directory.mkdir()
    record = {
        "tayra": {"version": "0"},
        "command": ["/opt/tayra", "run", "made up.yaml"],
        "status": "running",
        "grid": {"cells": [8, 8, 8]},
        "machine": {"host": "nowhere", "devices": ["GPU", "GPU"], "halo": "host"},
        "totals": {},
    }
    (directory / "run.json").write_text(json.dumps(record | changes))
    (directory / "config.yaml").write_text("grid:\n  cells: [8, 8, 8]\n")
    write_timings(directory / "timings.csv", wall_ms, comm_ms)
    return directory


def run_tayra(*words: object) -> str:
    """What the real program says, which scripts/test.sh names."""
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    # Tests share the cores: threads that wait must not burn them.
    environment = os.environ | {"OMP_WAIT_POLICY": "passive"}
    command = [binary, *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def computed(config: str, directory: Path, *options: object) -> Run:
    """A run of a config's text."""
    (directory / "config.yaml").write_text(config)
    run_tayra("run", directory / "config.yaml", "--output", directory / "results", *options)
    return Run(directory / "results")


@pytest.fixture
def run_directory(tmp_path: Path) -> Path:
    directory = tmp_path / "results"
    (directory / "snapshots").mkdir(parents=True)
    (directory / "run.json").write_text(json.dumps({"tayra": {"version": "0"}, "status": "finished"}))
    for number in range(3):
        write_snapshot(directory / "snapshots" / f"{number:06}.vtkhdf", 0.5 * number, 10 * number)
    (directory / "snapshots" / "000003.vtkhdf.tmp").write_text("half")
    write_timings(directory / "timings.csv", wall_ms=[2, 3])
    header = "step,time,mass,energy,potential_energy,bubble_height,spike_height,mixing_width,theta\n"
    (directory / "diagnostics.csv").write_text(
        header + "0,0,1,2,3,0,0,0,0\n10,0.5,1,2.5,2.5,0.1,0.2,0.3,0.5\n"
    )
    return directory
