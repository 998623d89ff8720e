"""The exact solution of the Riemann problem of an ideal gas: Toro (2009), Riemann Solvers and Numerical
Methods for Fluid Dynamics, 3rd edition, chapter 4."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Gas:
    density: float
    velocity: float
    pressure: float


@dataclass(frozen=True)
class Star:
    """Between the two outer waves."""

    pressure: float
    velocity: float


def sound_speed(gas: Gas, gamma: float) -> float:
    return float(np.sqrt(gamma * gas.pressure / gas.density))


def velocity_change(pressure: float, gas: Gas, gamma: float) -> float:
    """f_K(p): what the wave between `gas` and `pressure` adds to the velocity (equation 4.6)."""
    if pressure > gas.pressure:
        a, b = 2 / ((gamma + 1) * gas.density), (gamma - 1) / (gamma + 1) * gas.pressure
        return float((pressure - gas.pressure) * np.sqrt(a / (pressure + b)))
    ratio = (pressure / gas.pressure) ** ((gamma - 1) / (2 * gamma))
    return float(2 * sound_speed(gas, gamma) / (gamma - 1) * (ratio - 1))


def solve_star(left: Gas, right: Gas, gamma: float) -> Star:
    """The pressure by bisection in its logarithm: it cannot fail where there is no vacuum."""

    def mismatch(pressure: float) -> float:
        both = velocity_change(pressure, left, gamma) + velocity_change(pressure, right, gamma)
        return both + right.velocity - left.velocity

    low, high = 1e-12 * min(left.pressure, right.pressure), 1e6 * max(left.pressure, right.pressure)
    for _ in range(200):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if mismatch(middle) > 0 else (middle, high)
    change = velocity_change(high, right, gamma) - velocity_change(high, left, gamma)
    return Star(high, 0.5 * (left.velocity + right.velocity + change))


def density_beyond(gas: Gas, pressure: float, gamma: float) -> float:
    """Behind the wave that takes `gas` to `pressure`."""
    ratio = pressure / gas.pressure
    if ratio > 1:
        weak = (gamma - 1) / (gamma + 1)
        return gas.density * (ratio + weak) / (weak * ratio + 1)
    return float(gas.density * ratio ** (1 / gamma))


def sample_density(left: Gas, right: Gas, gamma: float, speed: Array) -> Array:
    """Density along x/t = `speed`."""
    star = solve_star(left, right, gamma)
    from_left = _one_side(left, star, gamma, speed)
    mirrored = Gas(right.density, -right.velocity, right.pressure)
    from_right = _one_side(mirrored, Star(star.pressure, -star.velocity), gamma, -speed)
    return np.where(speed < star.velocity, from_left, from_right)


def _one_side(gas: Gas, star: Star, gamma: float, speed: Array) -> Array:
    """Left of the contact."""
    beyond = density_beyond(gas, star.pressure, gamma)
    sound = sound_speed(gas, gamma)
    if star.pressure > gas.pressure:
        ratio = star.pressure / gas.pressure
        shock = gas.velocity - sound * np.sqrt((gamma + 1) / (2 * gamma) * ratio + (gamma - 1) / (2 * gamma))
        return np.where(speed < shock, gas.density, beyond)
    head = gas.velocity - sound
    tail = star.velocity - np.sqrt(gamma * star.pressure / beyond)
    inside = 2 / (gamma + 1) + (gamma - 1) / ((gamma + 1) * sound) * (gas.velocity - speed)
    fan = gas.density * np.maximum(inside, 0) ** (2 / (gamma - 1))
    return np.where(speed < head, gas.density, np.where(speed > tail, beyond, fan))
