"""A run of the real program, read and drawn; needs TAYRA_BINARY, as scripts/test.sh sets it."""

from pathlib import Path

import numpy as np
import pytest
from conftest import computed, run_tayra

import tayra
from tayra import Run
from tayra.plot import main

CONFIG = """
problem: {name: rt_single, atwood: 0.5, amplitude: 0.05}
grid: {cells: [8, 6, 16], lower: [0, 0, -1], upper: [1, 1, 1]}
run: {steps: 30, device: cpu}
output:
  snapshots: {every_steps: 15, fields: [density, velocity, temperature], precision: double}
  diagnostics: {every_steps: 10}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    directory = tmp_path_factory.mktemp("run")
    (directory / "config.yaml").write_text(CONFIG)
    run_tayra("run", directory / "config.yaml", "--output", directory / "results")
    return Run(directory / "results")


def test_the_run_says_that_it_has_finished(run: Run) -> None:
    assert run.record["status"] == "finished"
    assert run.record["totals"]["steps"] == 30


def test_snapshots_hold_what_was_asked_for(run: Run) -> None:
    snapshots = run.snapshots
    assert [snapshot.step for snapshot in snapshots] == [0, 15, 30]
    assert snapshots[0].grid.cells == (8, 6, 16)
    assert snapshots[0].grid.lower.tolist() == [0, 0, -1]
    assert set(snapshots[0].fields) == {"density", "velocity", "temperature"}


def test_snapshots_and_diagnostics_agree_on_the_mass(run: Run) -> None:
    last = run.snapshot()
    planes = [last.slice("density", "z", z).values for z in -1 + (np.arange(16) + 0.5) / 8]
    mass = np.sum(planes) * np.prod(last.grid.spacing)
    assert run.diagnostics()["mass"][-1] == pytest.approx(mass, rel=1e-12)


def test_a_field_is_read_whole_and_lies_at_its_centres(run: Run) -> None:
    last = run.snapshot()
    velocity, density = last.field("velocity"), last.field("density")
    assert (density.shape, velocity.shape) == ((16, 6, 8), (16, 6, 8, 3))
    assert last.field("velocity_z").tolist() == velocity[..., 2].tolist()
    assert density[3].tolist() == last.slice("density", "z", last.grid.centres("z")[3]).values.tolist()
    assert last.grid.centres("z").tolist() == [-1 + (i + 0.5) / 8 for i in range(16)]


def test_logs_have_a_row_for_each_step_and_each_diagnosis(run: Run) -> None:
    assert run.timings()["step"].tolist() == list(range(1, 31))
    assert run.diagnostics()["step"].tolist() == [0, 10, 20, 30]
    assert "mixing_width" in run.diagnostics()


def test_it_can_be_drawn(run: Run) -> None:
    assert main([str(run.directory)]) == 0
    assert main([str(run.directory), "--curves"]) == 0


def test_live_pictures_are_slices_and_means_of_the_state_of_their_step(tmp_path: Path) -> None:
    settings = [
        "run.steps=60",
        "output.snapshots={every_steps: 1, precision: single}",
        "output.pictures={every_seconds: 1e-6, slices: {y: 0.3, z: -1}, projections: [z, y]}",
    ]
    run = computed(CONFIG, tmp_path, *(word for setting in settings for word in ("--set", setting)))
    for name, at in (("slice_y", np.s_[:, 1:2]), ("slice_z", np.s_[:1])):
        picture = tayra.Snapshot(run.directory / "live" / f"{name}.vtkhdf")
        assert 0 < picture.step <= 60
        assert np.array_equal(picture["density"], run.snapshot(picture.step)["density"][at])
    for axis in ("z", "y"):
        picture = tayra.Snapshot(run.directory / "live" / f"mean_{axis}.vtkhdf")
        whole = run.snapshot(picture.step)
        mean = whole["density"].mean(axis="zyx".index(axis), keepdims=True)
        assert picture["density"] == pytest.approx(mean, rel=1e-6)
        assert np.allclose([picture.grid.lower, picture.grid.upper], [whole.grid.lower, whole.grid.upper])
