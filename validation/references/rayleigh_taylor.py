"""Linear growth of a compressible, stratified Rayleigh-Taylor layer between walls, as an eigenproblem.

Small adiabatic displacements (x sin(kx), z cos(kx)) exp(st) of a gas at rest, dp/dz = rho g, obey

    s^2 rho x = k P              P = -z dp/dz - gamma p (dz/dz + k x)       Eulerian pressure
    s^2 rho z = -dP/dz + g R     R = -z drho/dz - rho (dz/dz + k x)         Eulerian density

with z = 0 at the walls (e.g. Chandrasekhar 1961, Hydrodynamic and Hydromagnetic Stability, chapter X, with
compression kept). Chebyshev collocation makes a matrix of it whose largest eigenvalue is s^2.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Profile = Callable[[Array], Array]
NODES = 160


@dataclass(frozen=True)
class Column:
    """Gas at rest between two walls."""

    density: Profile
    density_slope: Profile
    pressure: Profile
    gravity: float
    gamma: float
    lower: float
    upper: float


def tanh_layers(atwood: float, thickness: float, pressure: float, height: float) -> Column:
    """Density 1 above light gas: mean + half jump tanh(z / thickness), interface at z = 0, gravity -1."""
    light = (1 - atwood) / (1 + atwood)
    mean, half_jump = (1 + light) / 2, (1 - light) / 2

    def log_cosh(x: Array) -> Array:
        return np.asarray(np.logaddexp(x, -x) - np.log(2))

    return Column(
        density=lambda z: mean + half_jump * np.tanh(z / thickness),
        density_slope=lambda z: half_jump / thickness / np.cosh(z / thickness) ** 2,
        pressure=lambda z: pressure - (mean * z + half_jump * thickness * log_cosh(z / thickness)),
        gravity=-1,
        gamma=5 / 3,
        lower=-height / 2,
        upper=height / 2,
    )


PROFILES = ("constant", "isothermal", "isentropic")


def layers_of(profile: str, atwood: float, thickness: float, pressure: float, height: float) -> Column:
    """tanh_layers, each of which keeps its density, its temperature or its entropy over its height.

    Their density is that of tanh_layers times (p / pressure)^m; p follows by stepping dp/dz = rho g from the
    interface (classical fourth-order Runge-Kutta), with no formula for it.
    """
    at_interface = tanh_layers(atwood, thickness, pressure, height)
    if profile == "constant":
        return at_interface
    power = {"isothermal": 1.0, "isentropic": 1 / at_interface.gamma}[profile]

    def weight(z: float, p: float) -> float:
        return float(at_interface.gravity * at_interface.density(np.float64(z)) * (p / pressure) ** power)

    def pressure_at(heights: Array) -> Array:
        found = {}
        for side in (heights[heights >= 0], heights[heights < 0]):
            z, p = 0.0, pressure
            for end in sorted(map(float, side), key=abs):
                steps = 1 + int(abs(end - z) / (0.02 * thickness))
                h = (end - z) / steps
                for _ in range(steps):
                    a = weight(z, p)
                    b = weight(z + h / 2, p + h / 2 * a)
                    c = weight(z + h / 2, p + h / 2 * b)
                    p += h / 6 * (a + 2 * b + 2 * c + weight(z + h, p + h * c))
                    z += h
                found[end] = p
        return np.array([found[z] for z in map(float, heights)])

    def density(z: Array) -> Array:
        return at_interface.density(z) * (pressure_at(z) / pressure) ** power

    def density_slope(z: Array) -> Array:
        p = pressure_at(z)
        own = at_interface.density_slope(z) * (p / pressure) ** power
        return own + power * at_interface.gravity * density(z) ** 2 / p

    return replace(at_interface, density=density, density_slope=density_slope, pressure=pressure_at)


def growth_rate(column: Column, wavenumber: float, nodes: int = NODES) -> float:
    """Of the fastest growing mode."""
    unit, derivative = chebyshev(nodes)
    length = column.upper - column.lower
    z = column.lower + 0.5 * length * (unit + 1)
    derivative = derivative * 2 / length
    density, slope, stiffness = column.density(z), column.density_slope(z), column.gamma * column.pressure(z)
    gravity, size = column.gravity, nodes + 1

    divergence = np.hstack([wavenumber * np.eye(size), derivative])  # of the displacements, x first
    vertical = np.hstack([np.zeros((size, size)), np.eye(size)])
    pressure_change = -(density * gravity)[:, None] * vertical - stiffness[:, None] * divergence
    density_change = -slope[:, None] * vertical - density[:, None] * divergence
    along_x = wavenumber * pressure_change / density[:, None]
    along_z = (gravity * density_change - derivative @ pressure_change) / density[:, None]

    free = np.r_[0:size, size + 1 : 2 * size - 1]  # z = 0 at the walls
    matrix = np.vstack([along_x, along_z])[np.ix_(free, free)]
    return float(np.sqrt(np.max(np.linalg.eigvals(matrix).real)))


def chebyshev(intervals: int) -> tuple[Array, Array]:
    """Nodes from 1 to -1 and the matrix that differentiates (Trefethen 2000, chapter 6)."""
    nodes = np.cos(np.pi * np.arange(intervals + 1) / intervals)
    weights = np.ones(intervals + 1)
    weights[[0, -1]] = 2
    weights[1::2] *= -1
    distances = nodes[:, None] - nodes[None, :] + np.eye(intervals + 1)
    matrix = np.outer(weights, 1 / weights) / distances
    return nodes, matrix - np.diag(matrix.sum(axis=1))
