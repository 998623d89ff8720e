"""A small disturbance of a column at rest: linear sound waves in a stratified gas between walls."""

import numpy as np
from numpy.typing import NDArray

from validation.references.rayleigh_taylor import Column, Profile, chebyshev

Array = NDArray[np.float64]
NODES = 240


def isothermal(pressure: float, height: float, gamma: float = 5 / 3, gravity: float = -1) -> Column:
    """Density 1 and the given pressure in the middle."""

    def decay(z: Array) -> Array:
        return np.asarray(np.exp(gravity * z / pressure))

    return Column(
        density=decay,
        density_slope=lambda z: gravity / pressure * decay(z),
        pressure=lambda z: pressure * decay(z),
        gravity=gravity,
        gamma=gamma,
        lower=-height / 2,
        upper=height / 2,
    )


def velocity_after(column: Column, pulse: Profile, time: float, heights: Array) -> Array:
    """w at `heights` of the gas that starts at rest with p'/p = `pulse` and density as compressed by it.

    d2w/dt2 = L w, from rho dw/dt = -dp'/dz + g rho', dp'/dt = -w dp/dz - gamma p dw/dz and
    drho'/dt = -d(rho w)/dz, is solved by the eigenvectors of L.
    """
    unit, derivative = chebyshev(NODES)
    length = column.upper - column.lower
    z = column.lower + 0.5 * length * (unit + 1)
    derivative = derivative * 2 / length
    density, stiffness = column.density(z), column.gamma * column.pressure(z)
    pressure_rate = -np.diag(density * column.gravity) - stiffness[:, None] * derivative
    density_rate = -derivative * density[None, :]
    push = (-derivative @ pressure_rate + column.gravity * density_rate) / density[:, None]
    change = pulse(z)
    start = -derivative @ (column.pressure(z) * change) + column.gravity * density * change / column.gamma

    squares, modes = np.linalg.eig(push[1:-1, 1:-1])
    frequency = np.sqrt(-squares.astype(complex))
    strength = np.linalg.solve(modes, (start / density)[1:-1].astype(complex))
    inner = (modes @ (strength * np.sin(frequency * time) / frequency)).real
    return interpolate(unit, np.concatenate([[0], inner, [0]]), 2 * (heights - column.lower) / length - 1)


def interpolate(nodes: Array, values: Array, at: Array) -> Array:
    """The polynomial through Chebyshev nodes (barycentric: Berrut & Trefethen 2004, SIAM Review 46, 501)."""
    weights = (-1.0) ** np.arange(nodes.size)
    weights[[0, -1]] *= 0.5
    parts = weights / (at[:, None] - nodes[None, :])
    return np.asarray(parts @ values / parts.sum(axis=1))
