"""The strong point explosion: Sedov's similarity solution in the form of Landau & Lifshitz (1987), Fluid
Mechanics, 2nd edition, section 106."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Similarity:
    """Profiles from the centre to the shock, where both are 1, and R = scale (E t^2 / density)^(1/5)."""

    radius: Array
    density: Array  # over that before the shock
    scale: float


def solve(gamma: float, points: int = 20000) -> Similarity:
    """V = 5 t u / (2 r) runs from 1 / gamma in the centre to 2 / (gamma + 1) at the shock."""
    centre, shock = 1 / gamma, 2 / (gamma + 1)
    v = centre + (shock - centre) * np.linspace(0, 1, points + 1)[1:] ** 3  # crowded towards the centre
    a1 = -(13 * gamma**2 - 7 * gamma + 12) / ((3 * gamma - 1) * (2 * gamma + 1))
    a2 = 5 * (gamma - 1) / (2 * gamma + 1)
    a3 = 3 / (2 * gamma + 1)
    first = (gamma + 1) / (7 - gamma) * (5 - (3 * gamma - 1) * v)
    second = (gamma + 1) / (gamma - 1) * (gamma * v - 1)
    third = (gamma + 1) / (gamma - 1) * (1 - v)
    radius = (((gamma + 1) / 2 * v) ** -2 * first**a1 * second**a2) ** 0.2
    density = (
        (gamma + 1) / (gamma - 1) * second**a3 * first ** (-a1 / (2 - gamma)) * third ** (-2 / (2 - gamma))
    )
    sound_squared = gamma * (gamma - 1) * (1 - v) * v**2 / (2 * (gamma * v - 1))
    energy = density * (v**2 / 2 + sound_squared / (gamma * (gamma - 1))) * radius**4
    integral = np.sum(0.5 * (energy[1:] + energy[:-1]) * np.diff(radius)) + energy[0] * radius[0] / 5
    return Similarity(radius, density, float((16 * np.pi / 25 * integral) ** -0.2))


def shock_radius(gamma: float, energy: float, density: float, time: float) -> float:
    return float(solve(gamma).scale * (energy * time**2 / density) ** 0.2)
