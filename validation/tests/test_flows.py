"""Blast, column and shear layer references against published numbers and closed forms."""

import numpy as np
import pytest

from validation.cases.kelvin_helmholtz import TIMES
from validation.cases.kelvin_helmholtz import draw as draw_shear_layers
from validation.cases.schemes import SCHEMES, those
from validation.cases.sedov import front, similarity_profile
from validation.references.column import NODES, isothermal, velocity_after
from validation.references.rayleigh_taylor import Column, Profile, tanh_layers
from validation.references.sedov import shock_radius, solve
from validation.references.shear_layer import growth, mode_amplitude


@pytest.mark.parametrize(("gamma", "published"), [(1.4, 1.0328), (5 / 3, 1.1517)])
def test_the_blast_reaches_as_far_as_published(gamma: float, published: float) -> None:
    """Sedov's energy integrals 0.8511 and 0.4936 to the power -1/5."""
    assert solve(gamma).scale == pytest.approx(published, rel=2e-4)


def test_the_blast_goes_with_the_power_two_fifths_of_time_and_with_energy_over_density() -> None:
    assert shock_radius(1.4, 1, 1, 1) == pytest.approx(1.0328, rel=2e-4)
    assert shock_radius(1.4, 1, 1, 32) == pytest.approx(4 * shock_radius(1.4, 1, 1, 1))
    assert shock_radius(1.4, 32, 1, 1) == pytest.approx(2 * shock_radius(1.4, 1, 1, 1))
    assert shock_radius(1.4, 1, 32, 1) == pytest.approx(0.5 * shock_radius(1.4, 1, 1, 1))


@pytest.mark.parametrize("column", [isothermal(1.3, 2.0), tanh_layers(0.6, 0.1, 3, 2)])
def test_pressure_carries_the_weight_of_a_column(column: Column) -> None:
    z, step = np.linspace(-0.9, 0.9, 37), 1e-5

    def slope(profile: Profile) -> np.ndarray:
        return (profile(z + step) - profile(z - step)) / (2 * step)

    assert slope(column.pressure) == pytest.approx(column.gravity * column.density(z), rel=1e-6)
    assert slope(column.density) == pytest.approx(column.density_slope(z), rel=1e-6, abs=1e-9)


def test_the_blast_ends_in_a_strong_shock_and_holds_the_mass_that_was_there() -> None:
    exact = solve(1.4)
    mass = np.sum(0.5 * (exact.density[1:] + exact.density[:-1]) * np.diff(exact.radius**3)) / 3
    assert (exact.radius[-1], exact.density[-1]) == pytest.approx((1, 6))
    assert mass == pytest.approx(1 / 3, rel=1e-4)


def test_the_front_of_a_stretched_similarity_profile_is_where_it_was_stretched_to() -> None:
    radius, density = similarity_profile()
    assert front(0.37 * radius, density) == pytest.approx(0.37)


def test_sound_in_a_uniform_column_travels_as_dalembert_says() -> None:
    uniform = Column(np.ones_like, np.zeros_like, np.ones_like, 0, 5 / 3, -1, 1)
    sound, time, z = np.sqrt(5 / 3), 0.4, np.linspace(-0.9, 0.9, 50)

    def bell(at: np.ndarray) -> np.ndarray:
        return np.exp(-0.5 * (at / 0.1) ** 2)

    expected = (bell(z - sound * time) - bell(z + sound * time)) / (2 * sound)
    assert velocity_after(uniform, bell, time, z) == pytest.approx(expected, abs=1e-6)


def test_a_pulse_grows_on_its_way_up_as_the_gas_thins() -> None:
    """Its energy flux stays, so speed goes with density to the power -1/2."""
    column = isothermal(1.0, 2.0)
    z = np.linspace(-0.99, 0.99, 1999)

    def pulse(at: np.ndarray) -> np.ndarray:
        return np.exp(-0.5 * ((at + 0.5) / 0.03) ** 2)

    early, late = (z_and_peak(z, velocity_after(column, pulse, t, z)) for t in (0.2, 0.8))
    thinning = np.sqrt(column.density(np.array([early[0]])) / column.density(np.array([late[0]])))[0]
    assert late[1] / early[1] == pytest.approx(thinning, rel=0.01)
    assert NODES >= 200


def z_and_peak(z: np.ndarray, speed: np.ndarray) -> tuple[float, float]:
    at = int(np.argmax(speed))
    return float(z[at]), float(speed[at])


def test_a_shear_layer_grows_the_same_on_more_points() -> None:
    times = np.array([0.5, 1.0])
    assert growth(times, 128) == pytest.approx(growth(times, 192), rel=2e-3)


@pytest.mark.parametrize(("grids", "percent"), [([48, 96], 25), ([64, 128, 256, 512], 2)])
def test_the_picture_of_shear_layers_draws_the_error_that_is_allowed(
    grids: list[int], percent: float
) -> None:
    figure = draw_shear_layers(
        {
            "grids": grids,
            "theory": TIMES + 1,
            "curves": dict.fromkeys(SCHEMES, TIMES + 1),
            "errors": dict.fromkeys(SCHEMES, [0.1] * len(grids)),
        }
    )
    legend = figure.axes[1].get_legend()
    assert legend
    (text,) = legend.get_texts()
    accurate = ", ".join(those("is_accurate"))
    assert text.get_text() == f"allowed of {accurate} at {grids[-1]} cells: {percent} %"
    (line,) = (line for line in figure.axes[1].lines if line.get_label() == text.get_text())
    assert list(np.asarray(line.get_ydata())) == [percent, percent]


def test_the_mode_amplitude_of_the_start_is_its_amplitude() -> None:
    y = (np.arange(64) + 0.5) / 64
    assert mode_amplitude(y, np.full(64, 0.01 / 2), np.zeros(64)) == pytest.approx(0.01)


def test_a_smooth_shear_layer_grows_but_slower_than_a_vortex_sheet() -> None:
    """Kelvin's sheet between densities 1 and 2: k sqrt(2) / 3 times the jump in velocity, which is 1."""
    early, late = growth(np.array([1.0, 1.5]), 128)
    rate = np.log(late / early) / 0.5
    assert 0.3 < rate / (4 * np.pi * np.sqrt(2) / 3) < 1
