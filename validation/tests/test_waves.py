"""The exact waves solve the equations that they claim to solve."""

import numpy as np
import pytest

from validation.references.waves import (
    GAMMA,
    Points,
    entropy_wave_density,
    simple_wave_density,
    vortex_density,
)

X = np.linspace(-0.5, 0.5, 400, endpoint=False)
LINE = Points(X, np.zeros(1), np.zeros(1))


def velocity(density: np.ndarray) -> np.ndarray:
    return 2 / (GAMMA - 1) * (density ** ((GAMMA - 1) / 2) - 1)


def test_what_the_flow_carries_is_found_where_it_has_carried_it() -> None:
    time, some = 0.3, np.linspace(-0.2, 0.2, 5)
    start, entropy = Points(some, some[::-1], 0.1 * some), (1.0, 1.0, 1.0)
    drift = (0.5, 0.25, 0.0)
    for density, flow in (
        (lambda at, t: entropy_wave_density(at, t, 0.2), entropy),
        (lambda at, t: vortex_density(at, t, 0.5, drift[:2]), drift),
    ):
        moved = Points(*(now + u * time for now, u in zip((start.x, start.y, start.z), flow, strict=True)))
        assert np.ptp(density(start, 0)) > 1e-3
        assert density(moved, time) == pytest.approx(density(start, 0))


def test_a_simple_wave_satisfies_conservation_of_mass() -> None:
    time, step = 0.1, 1e-5
    now = simple_wave_density(LINE, time, 0.3)
    slope_in_time = (
        simple_wave_density(LINE, time + step, 0.3) - simple_wave_density(LINE, time - step, 0.3)
    ) / (2 * step)
    flux = now * velocity(now)
    # x, y and z bring the same share of the divergence, with 1/sqrt(3) of the velocity each.
    divergence = np.sqrt(3) * (np.roll(flux, -1) - np.roll(flux, 1)) / (2 * (X[1] - X[0]))
    assert slope_in_time == pytest.approx(-divergence, abs=0.01 * np.max(np.abs(divergence)))


def test_a_vortex_balances_its_swirl_by_pressure() -> None:
    """dp/dr = rho v^2 / r with v read from the formula of its docstring."""
    strength = 0.5
    density = vortex_density(LINE, 0, strength, (0, 0))
    pressure = density**GAMMA / GAMMA
    radius = 2 * np.abs(X)
    swirl = strength * radius * np.sqrt(13) * ((1 - radius**2) / (1 - 1 / 13)) ** 6
    slope = np.gradient(pressure, X)
    expected = 2 * density * swirl**2 / np.maximum(radius, 1e-9) * np.sign(X)
    assert slope[1:-1] == pytest.approx(expected[1:-1], abs=0.01 * np.max(np.abs(expected)))
