"""What a shock makes of an interface, and how fast its waves grow by Richtmyer's impulsive model.

R. D. Richtmyer (1960), Taylor instability in shock acceleration of compressible fluids, Communications on
Pure and Applied Mathematics 13, 297-319.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from validation.references.riemann import Gas, Star, density_beyond, solve_star, sound_speed


@dataclass(frozen=True)
class ShockedInterface:
    """A shock runs up through the gas below; both gases rest before."""

    mach: float
    density_below: float
    density_above: float
    pressure: float
    gamma: float = 5 / 3

    @property
    def shock_speed(self) -> float:
        return self.mach * sound_speed(Gas(self.density_below, 0, self.pressure), self.gamma)

    @property
    def behind(self) -> Gas:
        """The shock (Rankine & Hugoniot)."""
        gamma, square = self.gamma, self.mach**2
        return Gas(
            self.density_below * (gamma + 1) * square / ((gamma - 1) * square + 2),
            2 * self.shock_speed / (gamma + 1) * (1 - 1 / square),
            self.pressure * (1 + 2 * gamma / (gamma + 1) * (square - 1)),
        )

    @cached_property
    def star(self) -> Star:
        """The interface's pressure and velocity afterwards."""
        return solve_star(self.behind, Gas(self.density_above, 0, self.pressure), self.gamma)

    @property
    def atwood(self) -> float:
        """Afterwards, positive where the shock came from the light gas."""
        below = density_beyond(self.behind, self.star.pressure, self.gamma)
        above = density_beyond(Gas(self.density_above, 0, self.pressure), self.star.pressure, self.gamma)
        return (above - below) / (above + below)

    @property
    def compression(self) -> float:
        """By which an amplitude shrinks, as crests are hit after troughs."""
        return 1 - self.star.velocity / self.shock_speed

    def growth(self, wavenumber: float, amplitude: float) -> float:
        """d(amplitude)/dt, of an amplitude before the shock."""
        return wavenumber * self.star.velocity * self.atwood * self.compression * amplitude

    def growth_of_width(self, wavenumber: float, deviation: float) -> float:
        """The same of the integral width of a sharp interface whose height is normally distributed: that of
        its standard deviation over sqrt(pi). `wavenumber` is the root mean square of the waves'."""
        return abs(self.growth(wavenumber, deviation)) / np.sqrt(np.pi)
