"""Exact smooth flows in a periodic box, in gas with density 1 and speed of sound 1 at rest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
GAMMA = 5 / 3


@dataclass(frozen=True)
class Points:
    """Cell centres from the middle of the box, as arrays that broadcast to [z][y][x]."""

    x: Array
    y: Array
    z: Array


def entropy_wave_density(points: Points, time: float, amplitude: float) -> Array:
    """Carried by velocity (1, 1, 1) along the diagonal of a unit box."""
    return 1 + amplitude * np.sin(_diagonal_phase(points) - 6 * np.pi * time)


def simple_wave_density(points: Points, time: float, amplitude: float) -> Array:
    """A sound wave of any strength until it breaks: u - 2c/(gamma-1) and entropy are the same everywhere, and
    a value of u travels at 1 + (gamma+1)u/2 (Landau & Lifshitz, Fluid Mechanics, section 101)."""
    wavenumber = 2 * np.pi * np.sqrt(3)
    steepening = 0.5 * (GAMMA + 1) * amplitude * wavenumber * time
    arrival = _diagonal_phase(points) - wavenumber * time
    start = arrival.copy()
    for _ in range(12):  # Newton's method: start + steepening sin(start) rises while steepening < 1
        start -= (start + steepening * np.sin(start) - arrival) / (1 + steepening * np.cos(start))
    velocity = amplitude * np.sin(start)
    return np.asarray((1 + 0.5 * (GAMMA - 1) * velocity) ** (2 / (GAMMA - 1)))


def vortex_density(points: Points, time: float, strength: float, drift: tuple[float, float]) -> Array:
    """v(r) = V (r/r_V) ((1-r^2)/(1-r_V^2))^6 within half a unit box, carried by `drift`; r_V^2 = 1/13."""

    def wrapped(value: Array) -> Array:
        return np.asarray(value - np.round(value))

    square = 4 * (wrapped(points.x - drift[0] * time) ** 2 + wrapped(points.y - drift[1] * time) ** 2)
    within = 1 - np.minimum(square, 1)
    # dc^2/dr = (gamma-1) v^2/r at constant entropy, c = 1 outside.
    peak = 1 / 13
    integral = (strength**2 / peak) * (1 - peak) ** -12 * within**13 / 26
    return np.asarray((1 - (GAMMA - 1) * integral) ** (1 / (GAMMA - 1))) + 0 * points.z


def _diagonal_phase(points: Points) -> Array:
    return np.asarray(2 * np.pi * (points.x + points.y + points.z))
