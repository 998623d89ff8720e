"""Statistics of the real program against NumPy on its snapshots; needs TAYRA_BINARY (scripts/test.sh)."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import computed, run_tayra
from numpy.typing import NDArray

from tayra import Run, TayraError
from tayra.plot import main
from tayra.snapshot import Snapshot
from tayra.statistics import Profiles, Spectra
from tayra.statistics_figures import _released_energy, draw_budget, draw_spectra

CONFIG = """
problem: {name: rt_multi, atwood: 0.5, pressure: 3, amplitude: 0.1, modes: [1, 3]}
grid: {cells: [12, 10, 24], lower: [0, 0, -1], upper: [1, 1.25, 1]}
run: {time: 1, device: cpu}
output:
  snapshots: {every_time: 0.5, fields: [density, velocity, pressure, vorticity], precision: double}
  diagnostics: {every_time: 0.125}
  statistics:
    every_time: 0.125
    spectra: {every_time: 0.25, fields: [density, velocity_z, heavy_fraction, mach]}
    pdf: {fields: [heavy_fraction, density], bins: 16, lower: [0, 0.5], upper: [1, 3.5]}
"""

Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return computed(CONFIG, tmp_path_factory.mktemp("run"), "--slabs", 3)


def slopes(field: Array, run: Run, spacing: Array, turned: str = "") -> list[Array]:
    """By central differences along x, y and z; a wall turns the velocity across it around."""
    found = []
    for axis, name in enumerate("xyz"):
        along = np.moveaxis(field, 2 - axis, 0)
        boundary = run.settings[f"grid.boundary.{name}"]
        ends = {"periodic": (along[-1:], along[:1])}.get(str(boundary), (along[:1], along[-1:]))
        sign = -1 if boundary == "mirror" and turned == name else 1
        whole = np.concatenate([sign * ends[0], along, sign * ends[1]])
        found.append(np.moveaxis((whole[2:] - whole[:-2]) / (2 * spacing[axis]), 0, 2 - axis))
    return found


def values_in_cells(run: Run, snapshot: Snapshot, head: dict[str, float]) -> dict[str, Array]:
    """Of every profile, as [z][y][x], from the fields of a snapshot and the words of docs/statistics.md."""
    density, pressure = snapshot["density"], snapshot["pressure"]
    velocity = {axis: snapshot[f"velocity_{axis}"] for axis in "xyz"}
    light, heavy = head["light_density"], head["heavy_density"]
    potential = density * (head["interface_pressure"] / pressure) ** (1 / head["gamma"])
    f = np.clip((potential - light) / (heavy - light), 0, 1)
    y = heavy * f / (heavy * f + light * (1 - f))
    spacing = snapshot.grid.spacing
    spread = sum(slopes(velocity[axis], run, spacing, axis)[i] for i, axis in enumerate("xyz"))
    pairs = ("xx", "yy", "zz", "xy", "xz", "yz")
    return {
        "density": density,
        "density_squared": density**2,
        "specific_volume": 1 / density,
        "pressure": pressure,
        **{f"velocity_{axis}": u for axis, u in velocity.items()},
        **{f"mass_flux_{axis}": density * u for axis, u in velocity.items()},
        **{f"momentum_flux_{a}{b}": density * velocity[a] * velocity[b] for a, b in pairs},
        "enstrophy": 0.5 * (snapshot["vorticity"] ** 2).sum(axis=-1),
        "dilatation": np.asarray(spread),
        "pressure_dilatation": pressure * spread,
        "heavy_fraction": f,
        "mixed_fraction": f * (1 - f),
        "lesser_fraction": np.minimum(f, 1 - f),
        "mass_fraction": y,
        "mixed_mass": density * y * (1 - y),
        "scalar_dissipation": np.asarray(sum(slope**2 for slope in slopes(f, run, spacing))),
    }


def test_profiles_are_means_of_what_snapshots_hold(run: Run) -> None:
    profiles = run.statistics().profiles
    assert profiles.time.tolist() == [0.125 * i for i in range(9)]
    for snapshot in run.snapshots:
        (row,) = np.flatnonzero(profiles.step == snapshot.step)
        cells = values_in_cells(run, snapshot, profiles.head)
        assert set(cells) == set(profiles)
        for name, values in cells.items():
            rounding = 1e-13 * (np.abs(values).mean() + (1 if name == "dilatation" else 0))
            expected = values.mean(axis=(1, 2))
            np.testing.assert_allclose(
                profiles[name][row], expected, rtol=0, atol=10 * rounding, err_msg=name
            )
            assert np.ptp(expected) > 0 or snapshot.step == 0, f"{name}: nothing was measured"


def test_profiles_say_where_they_are_and_what_they_are_in(run: Run) -> None:
    profiles = run.statistics().profiles
    assert profiles.z == pytest.approx(run.snapshot().grid.centres("z"))
    assert profiles["density"].shape == (9, 24)
    assert profiles.units["enstrophy"] == "1 / time^2"
    assert "heavy fluid" in profiles.meanings["heavy_fraction"]
    with pytest.raises(TayraError, match=r"no 'mach'.*density_squared"):
        profiles["mach"]


def test_profiles_are_given_to_xarray_with_times_and_heights(run: Run) -> None:
    pytest.importorskip("xarray")
    made = run.statistics().profiles.to_xarray()
    assert made["density"].dims == ("time", "z")
    assert made["density"].attrs["units"] == "mass / length^3"
    assert made["time"].values.tolist() == run.statistics().profiles.time.tolist()


def test_integrals_are_those_of_the_diagnostics(run: Run) -> None:
    profiles, diagnostics = run.statistics().profiles, run.diagnostics()
    bubbles, spikes = profiles.integral_heights
    area = 1.25
    for name, values in {
        "mixing_width": profiles.width,
        "theta": profiles.theta,
        "integral_bubble_height": bubbles,
        "integral_spike_height": spikes,
        "mass": area * profiles.integral(profiles["density"]),
        "enstrophy": area * profiles.integral(profiles["enstrophy"]),
        "kinetic_energy_z": area * profiles.integral(sum(profiles.kinetic_energy("z"))),
        "potential_energy": diagnostics["potential_energy"][0] - area * profiles.released_energy(),
    }.items():
        np.testing.assert_allclose(values, diagnostics[name], rtol=1e-9, atol=1e-12, err_msg=name)


def fields_of(run: Run, snapshot: Snapshot, head: dict[str, float]) -> dict[str, Array]:
    """Those of which the run has spectra and histograms."""
    cells = values_in_cells(run, snapshot, head)
    speed = np.sqrt((snapshot["velocity"] ** 2).sum(axis=-1))
    sound = np.sqrt(head["gamma"] * cells["pressure"] / cells["density"])
    return {
        **{name: cells[name] for name in ("density", "velocity_z", "heavy_fraction")},
        "mach": speed / sound,
    }


def spectrum_of(plane: Array, box: tuple[float, float], shells: int) -> Array:
    """The variance of a plane's waves, by NumPy, in shells as wide as the longest wave's wavenumber."""
    ny, nx = plane.shape
    waves = np.abs(np.fft.fft2(plane)) ** 2 / plane.size**2
    longest = max(box)
    along_x, along_y = np.fft.fftfreq(nx, 1 / nx) / box[0], np.fft.fftfreq(ny, 1 / ny) / box[1]
    shell = np.floor(longest * np.hypot(along_x, along_y[:, None]) + 0.5).astype(int)
    return np.bincount(shell.ravel(), waves.ravel(), shells + 1)[1:]


def test_spectra_are_those_of_what_snapshots_hold(run: Run) -> None:
    spectra, profiles = run.statistics().spectra, run.statistics().profiles
    assert spectra.time.tolist() == [0.25 * i for i in range(5)]
    assert spectra.wavenumber == pytest.approx(2 * np.pi / 1.25 * np.arange(1, len(spectra.wavenumber) + 1))
    for snapshot in run.snapshots:
        (row,) = np.flatnonzero(spectra.step == snapshot.step)
        f = profiles["heavy_fraction"][profiles.step == snapshot.step][0]
        layer = np.flatnonzero(4 * f * (1 - f) > 0.5)
        bubbles = np.flatnonzero(1 - f >= 0.1)[-1]
        assert len(layer) > 1
        fields = fields_of(run, snapshot, profiles.head)
        of_plane = {
            name: np.array([spectrum_of(p, (1, 1.25), len(spectra.wavenumber)) for p in values])
            for name, values in fields.items()
        }
        expected = {name: values[layer].mean(axis=0) for name, values in of_plane.items()}
        expected["heavy_fraction_at_bubbles"] = of_plane["heavy_fraction"][bubbles]
        assert set(spectra) == set(expected)
        for name, values in expected.items():
            rounding = 1e-13 * max(values.sum(), 1e-16)
            np.testing.assert_allclose(spectra[name][row], values, rtol=0, atol=rounding, err_msg=name)
        for name, values in fields.items():
            variance = values[layer].var(axis=(1, 2)).mean()
            assert spectra[name][row].sum() == pytest.approx(variance, rel=1e-12, abs=1e-28)


def test_histograms_are_those_of_what_snapshots_hold(run: Run) -> None:
    pdfs, head = run.statistics().pdfs, run.statistics().profiles.head
    assert set(pdfs) == {"heavy_fraction", "density"}
    for name, (lower, upper) in {"heavy_fraction": (0, 1), "density": (0.5, 3.5)}.items():
        pdf = pdfs[name]
        width = (upper - lower) / 16
        assert pdf.middles == pytest.approx(lower + width * (np.arange(16) + 0.5))
        for snapshot in run.snapshots:
            (row,) = np.flatnonzero(pdf.step == snapshot.step)
            values = fields_of(run, snapshot, head)[name]
            counts, _ = np.histogram(values, 16, (lower, upper))
            np.testing.assert_allclose(pdf.density[row], counts / (values.size * width), rtol=1e-14)
            inside = ((values >= lower) & (values <= upper)).mean()
            assert pdf.density[row].sum() * width == pytest.approx(inside)


def test_spectra_and_histograms_say_what_they_are_in(run: Run) -> None:
    statistics = run.statistics()
    assert statistics.spectra.units["density"] == "(mass / length^3)^2"
    assert statistics.pdfs["density"].units["probability_density"] == "(mass / length^3)^-1"
    assert "from 0.5 to 3.5" in statistics.pdfs["density"].meanings["probability_density"]
    pytest.importorskip("xarray")
    assert statistics.spectra.to_xarray()["density"].dims == ("time", "wavenumber")
    assert statistics.pdfs["density"].to_xarray()["probability_density"].dims == ("time", "density")


def spectra_of(directory: Path, wavenumbers: Array, variance: Array, cells_y: float = 64) -> Spectra:
    """Of f at the bubbles' front, at one time, as a file would hold them; the box is 2 pi wide."""
    path = directory / "spectra.h5"
    with h5py.File(path, "w") as file:
        group = file.create_group("spectra")
        group.attrs["axis"] = "wavenumber"
        for name, values in {"rows": [1], "step": [0], "time": [0.0], "wavenumber": wavenumbers}.items():
            group[name] = values
        group["heavy_fraction_at_bubbles"] = [variance]
        for item in group.values():
            item.attrs.update(units="1", meaning="")
    lengths = {
        f"{end}_{axis}": value for axis in "xy" for end, value in (("lower", 0.0), ("upper", 2 * np.pi))
    }
    with h5py.File(path) as file:
        return Spectra(file["spectra"], lengths | {"cells_x": 64.0, "cells_y": cells_y})


def test_the_correlation_of_one_wave_is_that_wave(tmp_path: Path) -> None:
    wavenumbers, variance = np.arange(1.0, 9), np.eye(8)[3]
    distances = np.linspace(0, 3, 7)
    in_2d = spectra_of(tmp_path, wavenumbers, variance, cells_y=1)
    correlation = in_2d.correlation("heavy_fraction_at_bubbles", distances)
    np.testing.assert_allclose(correlation[0], np.cos(4 * distances), atol=1e-14)
    in_3d = spectra_of(tmp_path, wavenumbers, variance)
    first_zero_of_bessel = 2.404825557695773
    (values,) = in_3d.correlation("heavy_fraction_at_bubbles", np.array([0, first_zero_of_bessel / 4]))
    assert values == pytest.approx([1, 0], abs=1e-14)


def test_discs_have_their_own_diameter(tmp_path: Path) -> None:
    """Of discs at random places the spectrum is that of one."""
    n, diameter = 512, 0.4
    x = 2 * np.pi * (np.arange(n) - n / 2) / n
    disc = (np.hypot(x, x[:, None]) < diameter / 2).astype(float)
    variance = spectrum_of(disc, (2 * np.pi, 2 * np.pi), 362)
    spectra = spectra_of(tmp_path, np.arange(1.0, 363), variance)
    assert spectra.bubble_diameter()[0] == pytest.approx(diameter, rel=0.03)


def profiles_of(directory: Path, fields: dict[str, list[float]], **head: float) -> Profiles:
    """Of two planes at one time, as a file would hold them."""
    path = directory / "statistics.h5"
    with h5py.File(path, "w") as file:
        group = file.create_group("profiles")
        group.attrs["axis"] = "z"
        for name, values in {"rows": [1], "step": [0], "time": [0.0], "z": [0.25, 0.75]}.items():
            group[name] = values
        for name, numbers in fields.items():
            group[name] = [numbers]
        for item in group.values():
            item.attrs.update(units="1", meaning="")
        ends = {"lower_z": 0.0, "upper_z": 1.0, "gravity": -1.0, "heavy_above": 1.0}
    with h5py.File(path) as file:
        return Profiles(file["profiles"], ends | head)


def test_what_follows_from_profiles_has_the_values_of_simple_layers(tmp_path: Path) -> None:
    """The lower plane: a half of its cells of density 1, a half of 3, unmixed; the upper: all mixed to 2."""
    profiles = profiles_of(
        tmp_path,
        {
            "density": [2, 2],
            "specific_volume": [2 / 3, 1 / 2],
            "heavy_fraction": [0.5, 0.5],
            "mixed_fraction": [0, 0.25],
            "lesser_fraction": [0, 0.5],
            "mass_fraction": [0.5, 0.75],
            "mixed_mass": [0, 2 * 0.75 * 0.25],
            "velocity_z": [0.0, 0.0],
            "mass_flux_z": [-1, 0],  # the heavy sinks, the light rises, at speed 1
            "momentum_flux_zz": [2, 0],
        },
    )
    assert profiles.width.tolist() == [6 * 0.25]
    assert profiles.theta.tolist() == [0.5]
    assert profiles.xi.tolist() == [0.5]
    assert profiles.psi[0] == pytest.approx(0.375 / (2 * 0.25 + 2 * 0.1875))
    assert profiles.density_volume_covariance[0] == pytest.approx([1 / 3, 0])
    assert profiles.turbulent_mass_flux().tolist() == [[-1, 0]]
    assert profiles.favre("z").tolist() == [[-0.5, 0]]
    assert profiles.stress("zz").tolist() == [[1.5, 0]]
    assert profiles.kinetic_energy("z")[0].tolist() == [[0.25, 0]]


def test_the_turbulent_energy_changes_by_what_the_budget_says(run: Run) -> None:
    budget = run.statistics().profiles.turbulence_budget()
    parts = [values for name, values in budget.items() if name != "change"]
    np.testing.assert_allclose(sum(parts), budget["change"], rtol=1e-12, atol=1e-15)
    assert budget["mass flux"][-1] > 0 > budget["dissipation"][-1]


@pytest.mark.parametrize("picture", ["profiles", "budget", "spectra", "pdf"])
def test_statistics_are_drawn(run: Run, picture: str) -> None:
    assert main([str(run.directory), f"--{picture}"]) == 0
    assert (run.directory / "pictures" / f"{picture}.png").stat().st_size > 10_000


@pytest.mark.parametrize("name", ["cost$_$x", os.fsdecode(b"\xff")])
@pytest.mark.parametrize("picture", ["profiles", "budget", "spectra", "pdf"])
def test_statistics_of_a_run_of_any_name_are_drawn(run: Run, tmp_path: Path, picture: str, name: str) -> None:
    copied = tmp_path / name
    shutil.copytree(run.directory, copied, ignore=shutil.ignore_patterns("snapshots", "checkpoints"))
    assert main([str(copied), f"--{picture}"]) == 0


def test_statistics_of_one_row_are_points(run: Run, tmp_path: Path) -> None:
    for name in ("statistics.h5", "run.json", "diagnostics.csv"):
        shutil.copy(run.directory / name, tmp_path)
    with h5py.File(tmp_path / "statistics.h5", "a") as file:
        for group in file.values():
            group["rows"][0] = 1
    energies, rates = draw_budget(Run(tmp_path)).axes
    diameter = draw_spectra(Run(tmp_path)).axes[-1]
    assert diameter.get_title() == "diameter of bubbles"
    for line in (*energies.lines, *rates.lines[:-1], *diameter.lines):  # the last one is the zero line
        assert line.get_marker() != "None"
    markers = [line.get_marker() for line in energies.lines]
    assert [entry.get_marker() for entry in energies.get_legend().legend_handles] == markers


def test_a_run_without_statistics_is_told_how_to_have_them(
    run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(run_directory), "--profiles"]) == 2
    assert "output.statistics.every_steps" in capsys.readouterr().err


def test_a_killed_run_leaves_statistics_that_resume_completes(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(
        CONFIG.replace("time: 1,", "steps: 400,").replace(
            "every_time: 0.125\n    spectra: {every_time: 0.25,",
            "every_steps: 1\n    spectra: {every_steps: 3,",
        )
        + "  checkpoints: {every_steps: 10}\n"
    )
    words = ["run", tmp_path / "config.yaml", "--output"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run_tayra(*words, whole)
    for kill in range(3):
        resume = ["--resume"] if killed.exists() else []
        process = subprocess.Popen(
            [os.environ["TAYRA_BINARY"], *map(str, words), str(killed), *resume],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 30
        # Without a checkpoint to resume from it would begin anew, and remove this file at first.
        while not any(killed.glob("checkpoints/*.h5")) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.1 * (kill + 1))
        process.send_signal(signal.SIGKILL)
        process.wait()
        steps = Run(killed).statistics().profiles.step
        assert steps.tolist() == list(range(len(steps)))
    run_tayra(*words, killed, "--resume")
    assert Run(killed).statistics().profiles.step.tolist() == list(range(401))
    assert Run(killed).statistics().spectra.step.tolist() == list(range(0, 401, 3))
    assert (killed / "statistics.h5").read_bytes() == (whole / "statistics.h5").read_bytes()


def test_the_budget_takes_what_varying_gravity_has_released_from_the_diagnostics(tmp_path: Path) -> None:
    course = "physics: {gravity: [[0, -1], [0.4, -1], [0.4, 2]]}"
    run = computed(CONFIG.replace("output:", f"{course}\noutput:"), tmp_path)
    profiles, log = run.statistics().profiles, run.diagnostics()
    with pytest.raises(TayraError, match="potential_energy from diagnostics.csv"):
        profiles.released_energy()
    assert log["gravity"][0] == -1
    assert log["gravity"][-1] == 2
    area = 1.25
    released = _released_energy(run, profiles)
    np.testing.assert_allclose(released * area, log["potential_energy"][0] - log["potential_energy"])
    gained = log["energy"] - log["energy"][0]
    np.testing.assert_allclose(released * area, gained, atol=1e-13)
