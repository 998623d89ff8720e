"""Parts in one file of the real program against its snapshots, to the bit; needs TAYRA_BINARY."""

import os
import signal
import subprocess
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import computed
from numpy.typing import NDArray

from tayra import Run, TayraError
from tayra.plot import main

FIELDS = "fields: [density, velocity, vorticity, fraction], precision: double, one_file: true"
CONFIG = f"""
problem: {{name: rt_multi, modes: [1, 3], amplitude: 0.05}}
grid: {{cells: [12, 10, 26], lower: [0, 0, -1], upper: [1, 1.25, 1]}}
physics: {{scalars: [fraction]}}
run: {{steps: 30, device: cpu}}
output:
  snapshots: {{every_steps: 5, fields: [density, velocity, vorticity, fraction], precision: double}}
  checkpoints: {{every_steps: 4}}
  parts:
    probe: {{every_steps: 1, lower: [0.5, 0.5, 0], upper: [0.5, 0.5, 0], one_file: true}}
    line: {{every_steps: 2, lower: [0.5, 0.5, -1], upper: [0.5, 0.5, 1], fields: [density], one_file: true}}
    slice: {{every_steps: 5, lower: [0, 0.5, -1], upper: [1, 0.5, 1], {FIELDS}}}
    coarse: {{every_steps: 5, lower: [0.3, 0, -0.5], stride: [2, 3, 4], fields: [density], one_file: true}}
    along_x: {{every_steps: 5, mean_along: x, {FIELDS}}}
    along_y: {{every_steps: 5, mean_along: y, {FIELDS}}}
    along_z: {{every_steps: 5, mean_along: z, {FIELDS}}}
    some: {{every_steps: 5, mean_along: z, lower: [0, 0, -0.7], stride: [1, 2, 3], one_file: true}}
"""

Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return computed(CONFIG, tmp_path_factory.mktemp("run"), "--slabs", 3)


def mean(values: Array, axis: int) -> Array:
    """Neighbours are added, then their sums, as docs/files.md says."""
    planes = list(np.moveaxis(values, axis, 0))
    count = len(planes)
    while len(planes) > 1:
        pairs = [planes[i] + planes[i + 1] for i in range(0, len(planes) - 1, 2)]
        planes = pairs + planes[2 * len(pairs) :]
    return planes[0] / count


@pytest.mark.parametrize(
    ("name", "cells_of"),
    [
        ("slice", lambda values: values[:, 4]),
        ("along_x", lambda values: mean(values, 2)),
        ("along_y", lambda values: mean(values, 1)),
        ("along_z", lambda values: mean(values, 0)),
    ],
)
def test_a_part_holds_what_snapshots_hold_to_the_bit(run: Run, name, cells_of) -> None:  # noqa: ANN001
    part = run.series(name)
    assert part.step.tolist() == [0, 5, 10, 15, 20, 25, 30]
    for row, snapshot in enumerate(run.snapshots):
        assert (part.step[row], part.time[row]) == (snapshot.step, snapshot.time)
        assert set(part) == set(snapshot.fields)
        for field, values in part.items():
            assert np.array_equal(values[row], cells_of(snapshot[field])), field


def test_strides_take_cells_and_single_precision_rounds_once(run: Run) -> None:
    coarse, some = run.series("coarse"), run.series("some")
    for row, snapshot in enumerate(run.snapshots):
        density, grid = snapshot["density"], snapshot.grid
        at = {axis: np.searchsorted(grid.centres(axis) + 1e-9, coarse.places[axis]) for axis in "xyz"}
        cells = density[np.ix_(at["z"], at["y"], at["x"])]
        assert np.array_equal(coarse["density"][row], cells.astype(np.float32))
        (low,) = np.flatnonzero(np.diff(grid.centres("z") > -0.7, prepend=False))
        assert np.array_equal(some["density"][row], mean(density[low::3, ::2], 0).astype(np.float32))


def test_a_point_at_every_step_says_where_it_is(run: Run) -> None:
    probe = run.series("probe")
    assert probe.step.tolist() == list(range(31))
    assert probe["density"].shape == (31,)
    assert probe["velocity"].shape == (31, 3)
    assert np.array_equal(probe.scalar("velocity_z"), probe["velocity"][:, 2])
    assert probe.units["pressure"] == "mass / (length time^2)"
    assert [float(probe.places[axis][0]) for axis in "xyz"] == pytest.approx(
        [0.541666, 0.4375 + 0.125, 1 / 26], abs=0.1
    )
    assert run.timings()["time"].tolist() == probe.time[1:].tolist()
    with pytest.raises(TayraError, match=r"no part 'prob'.*along_x, .*probe"):
        run.series("prob")
    with pytest.raises(TayraError, match=r"no field 'mach': it has density"):
        probe["mach"]
    assert "a mean" not in repr(probe) and "a point" in repr(probe)


def test_a_part_goes_to_xarray_with_what_axes_it_has(run: Run) -> None:
    pytest.importorskip("xarray")
    made = run.series("along_y").to_xarray()
    assert made["velocity"].dims == ("time", "z", "x", "component")
    assert made["velocity"].sel(component="z").shape == (7, 26, 12)
    assert made["density"].attrs["meaning"].startswith("mean along y: ")
    assert float(made["y"]) == 0.625
    assert run.series("probe").to_xarray()["density"].dims == ("time",)


def test_a_list_for_paraview_leads_to_every_row(run: Run) -> None:
    parts = run.directory / "parts"
    part = run.series("along_z")
    grids = list(ET.parse(parts / "along_z.xmf").iter("Grid"))[1:]
    assert [float(grid.find("Time").get("Value")) for grid in grids] == part.time.tolist()  # type: ignore[union-attr]
    for row, grid in enumerate(grids):
        for attribute in grid.iter("Attribute"):
            slab, stored = (item for item in attribute.find("DataItem") or ())
            start, stride, count = np.array(slab.text.split(), int).reshape(3, -1)  # type: ignore[union-attr]
            file, path = str(stored.text).split(":/")
            with h5py.File(parts / file) as opened:
                assert [int(n) for n in stored.get("Dimensions", "").split()] == list(opened[path].shape)
                chosen = tuple(slice(a, a + c) for a, c in zip(start, count, strict=True))
                values = opened[path][chosen]
            assert set(stride) == {1}
            assert np.array_equal(values.reshape(part[path][row].shape), part[path][row])
    assert not (parts / "probe.xmf").exists()


def test_a_part_is_drawn(run: Run) -> None:
    for name, field in (("probe", "pressure"), ("line", "density"), ("along_y", "velocity_z")):
        assert main([str(run.directory), "--part", name, "--field", field]) == 0
        assert (run.directory / "pictures" / f"part_{name}_{field}.png").stat().st_size > 5000
    assert main([str(run.directory), "--part", "coarse"]) != 0
    assert main([str(run.directory), "--part", "probe", "--smooth"]) != 0


def test_a_part_is_read_while_the_run_goes_on_and_after_it_was_killed(tmp_path: Path) -> None:
    if "TAYRA_BINARY" not in os.environ:
        pytest.skip("TAYRA_BINARY is not set")
    probe_alone = CONFIG[: CONFIG.index("    line:")].replace("steps: 30", "steps: 1000000")
    for often in ("snapshots: {every_steps: 5, ", "checkpoints: {every_steps: 4"):
        probe_alone = probe_alone.replace(
            often, often.replace("every_steps: 5, ", "").replace(": 4", ": 9999")
        )
    (tmp_path / "config.yaml").write_text(probe_alone)
    words = [
        os.environ["TAYRA_BINARY"],
        "run",
        tmp_path / "config.yaml",
        "--output",
        tmp_path / "out",
        "--quiet",
    ]
    process = subprocess.Popen(words)
    try:
        deadline, seen = time.monotonic() + 60, 0
        while seen < 80 and time.monotonic() < deadline:
            if (tmp_path / "out/parts/probe.h5").exists():
                probe = Run(tmp_path / "out").series("probe")
                assert probe.step.tolist() == list(range(len(probe.step)))
                assert np.isfinite(probe["density"]).all()
                seen = len(probe.step)
            time.sleep(0.01)
        assert seen >= 80
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    probe = Run(tmp_path / "out").series("probe")
    assert len(probe.step) >= seen
    assert (probe["pressure"] > 0).all()
