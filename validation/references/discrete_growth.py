"""Linear growth in the equations that `roe3` solves on its grid, not in those that it approximates.

About gas at rest the scheme (docs/numerics.md, written down here anew) is linear in small changes of density,
momentum and energy, which go as cos(kx), or for what points along x as sin(kx). What it does along x is then
a factor, along z a matrix, and the largest eigenvalue of the whole is the growth rate. The term that goes
as |w| only feeds waves of 2k, 4k and so on.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from validation.references.rayleigh_taylor import Column

Array = NDArray[np.float64]
CENTRED = np.array([-1, 7, 7, -1]) / 12  # a face's flux from those of the four cells about it
THIRD_DIFFERENCE = np.array([-1, 3, -3, 1]) / 12
ACROSS = np.array([0, -1, 1, 0])  # differences
BETWEEN_OUTER = np.array([-1, 0, 0, 1])


def roe3_growth(column: Column, wavelength: float, cells: int) -> float:
    """With `cells` cells a wave along x, and cubes for cells."""
    spacing = wavelength / cells
    planes = round((column.upper - column.lower) / spacing)
    z = column.lower + (np.arange(planes) + 0.5) * spacing
    gas = Gas(column, z)
    changes = along_x(gas, spacing, 2 * np.pi / cells) + along_z(gas, spacing, column.gravity)
    return float(np.max(np.linalg.eigvals(changes).real))


class Gas:
    """At rest; the columns of its matrices are a state: density, momentum along x and z, energy."""

    def __init__(self, column: Column, z: Array) -> None:
        size = len(z)
        self.density, background = column.density(z), column.pressure(z)
        self.sound = np.sqrt(column.gamma * background / self.density)
        self.gamma_1 = column.gamma - 1
        enthalpy = column.gamma / self.gamma_1 * background / self.density  # of unit mass
        self.mass, self.momentum_x, self.momentum_z, energy = np.split(np.eye(4 * size), 4)
        self.pressure = self.gamma_1 * energy
        self.velocity_z = self.momentum_z / self.density[:, None]
        self.carried_x = enthalpy[:, None] * self.momentum_x
        self.carried_z = enthalpy[:, None] * self.momentum_z


def along_x(gas: Gas, spacing: float, phase: float) -> Array:
    """`phase` is that from cell to cell."""
    wavenumber = (16 * np.sin(phase) - 2 * np.sin(2 * phase)) / (12 * spacing)
    damping = (2 - 2 * np.cos(phase)) ** 2 / (12 * spacing)
    sound = gas.sound[:, None]
    return np.vstack(
        [
            -wavenumber * gas.momentum_x - damping * gas.pressure / sound,
            wavenumber * gas.pressure - damping * sound * gas.momentum_x,
            0 * gas.momentum_z,
            -wavenumber * gas.carried_x - damping * sound * gas.pressure / gas.gamma_1,
        ]
    )


def along_z(gas: Gas, spacing: float, gravity: float) -> Array:
    """Between walls: what is normal to them changes its sign beyond."""
    size = len(gas.density)
    centred, third = at_faces(CENTRED, size), at_faces(THIRD_DIFFERENCE, size)
    sound, density = (np.concatenate([f[:1], f, f[-1:]]) for f in (gas.sound, gas.density))
    slow = np.minimum(sound[1:], sound[:-1])[:, None]
    sound = np.maximum(sound[1:], sound[:-1])[:, None]
    density = np.minimum(density[1:], density[:-1])[:, None]
    pressure_jump = third.even @ gas.pressure
    mass_flux = mass_of_volume(gas) + pressure_jump * (1 / sound + sound / slow**2) / 2
    momentum_flux = centred.even @ gas.pressure + sound * density * (third.odd @ gas.velocity_z)
    energy_flux = centred.odd @ gas.carried_z + sound * pressure_jump / gas.gamma_1
    return np.vstack(
        [
            -np.diff(mass_flux, axis=0) / spacing,
            0 * gas.momentum_x,
            -np.diff(momentum_flux, axis=0) / spacing + gravity * gas.mass,
            -np.diff(energy_flux, axis=0) / spacing + gravity * (mass_flux[1:] + mass_flux[:-1]) / 2,
        ]
    )


def mass_of_volume(gas: Gas) -> Array:
    """Through the faces along z: the product of both means, less a twelfth of that of their slopes."""
    size = len(gas.density)
    centred, across, outer = (at_faces(weights, size) for weights in (CENTRED, ACROSS, BETWEEN_OUTER))
    mean, step = centred.even @ gas.density, across.even @ gas.density
    return (
        mean[:, None] * (centred.odd @ gas.velocity_z) - step[:, None] * (outer.odd @ gas.velocity_z) / 3 / 12
    )


@dataclass(frozen=True)
class AtFaces:
    """From cells to the faces along z, for what is even and what is odd about a wall."""

    even: Array
    odd: Array


def at_faces(weights: Array, size: int) -> AtFaces:
    beyond = np.zeros((size + 1, size + 4))
    for face in range(size + 1):
        beyond[face, face : face + 4] = weights
    ghosts = np.zeros((size + 4, size))
    ghosts[:2, :2], ghosts[-2:, -2:] = np.eye(2)[::-1], np.eye(2)[::-1]
    inside = np.eye(size + 4)[:, 2:-2]
    return AtFaces(beyond @ (inside + ghosts), beyond @ (inside - ghosts))
