"""The eigenvalue solver against problems that are solved in closed form."""

import numpy as np
import pytest

from validation.references.discrete_growth import roe3_growth
from validation.references.rayleigh_taylor import Column, growth_rate, layers_of, tanh_layers

INCOMPRESSIBLE = 1e6  # pressure in units of density, gravity and length


def test_an_exponential_layer_grows_as_rayleigh_found_in_1883() -> None:
    slope, depth, wavenumber = 1.3, 1.0, 4.0
    column = Column(
        density=lambda z: np.exp(slope * z),
        density_slope=lambda z: slope * np.exp(slope * z),
        pressure=lambda z: INCOMPRESSIBLE + 0 * z,
        gravity=-1,
        gamma=5 / 3,
        lower=0,
        upper=depth,
    )
    expected = slope * wavenumber**2 / (wavenumber**2 + slope**2 / 4 + np.pi**2 / depth**2)
    assert growth_rate(column, wavenumber) ** 2 == pytest.approx(expected, rel=1e-5)


def test_a_thin_interface_between_walls_grows_as_potential_flow() -> None:
    atwood, height, wavenumber = 0.5, 1.0, 2 * np.pi
    expected = atwood * wavenumber * np.tanh(wavenumber * height / 2)
    thick, thin = (
        growth_rate(tanh_layers(atwood, d, INCOMPRESSIBLE, height), wavenumber, nodes=400) ** 2
        for d in (0.02, 0.01)
    )
    assert 2 * thin - thick == pytest.approx(
        expected, rel=0.03
    )  # linear in the thickness, extrapolated to none
    assert thick < thin < expected


def test_compression_changes_growth_when_pressure_is_low() -> None:
    stiff, soft = (growth_rate(tanh_layers(0.5, 0.1, pressure, 1.5), 2 * np.pi) for pressure in (100, 1))
    assert abs(soft / stiff - 1) > 0.02


def test_more_nodes_change_nothing() -> None:
    layers = tanh_layers(0.9, 0.1, 3, 3)
    assert growth_rate(layers, np.pi, nodes=160) == pytest.approx(
        growth_rate(layers, np.pi, nodes=220), rel=1e-8
    )


@pytest.mark.parametrize(
    ("profile", "pressure", "expected"),
    [
        ("constant", 1.2, 1.24715360),
        ("isothermal", 1.2, 1.07156002),
        ("isentropic", 1.2, 1.14131146),
        ("constant", 10, 1.15867235),
        ("isothermal", 10, 1.13764194),
        ("isentropic", 10, 1.14605718),
    ],
)
def test_growth_in_each_profile_is_what_the_eigenmode_of_the_start_is_held_to(
    profile: str, pressure: float, expected: float
) -> None:
    """The numbers of tests/solver/problems/linear_mode_test.cpp, which another method finds there."""
    layers = layers_of(profile, 1 / 3, 0.1, pressure, 1.5)
    assert growth_rate(layers, 2 * np.pi) == pytest.approx(expected, abs=1e-7)


def test_growth_on_grids_tends_to_that_of_the_equations_with_third_order() -> None:
    layers = tanh_layers(1 / 3, 0.1, 10, 1.5)
    exact = growth_rate(layers, 2 * np.pi)
    coarse, fine = (exact - roe3_growth(layers, 1, cells) for cells in (32, 64))
    assert np.log2(coarse / fine) == pytest.approx(3, abs=0.15)


def test_nothing_grows_on_a_grid_where_the_heavy_gas_lies_below() -> None:
    # Nearly: layers of one density turn over by themselves, the slower the stiffer the gas.
    assert roe3_growth(tanh_layers(-1 / 3, 0.1, 1000, 1.5), 1, 24) < 0.01
