"""statistics.h5: what a run has measured of planes over time, and what follows from it.

docs/statistics.md has the definitions.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError
from tayra.snapshot import DAMAGES, NOTES, _own, _own_dataset, _reason, _whole_rows, imported_xarray

if TYPE_CHECKING:
    import xarray

Numbers = NDArray[np.float64]
LEVEL_OF_DISCS = 2 / 3 - np.sqrt(3) / (2 * np.pi)  # how much two discs overlap that are a radius apart
DISTANCES = 500


class StatisticsGroup(dict[str, Numbers]):
    """Quantities by name, each as [time][place]; `places` are along `axis`."""

    def __init__(self, group: h5py.Group, head: dict[str, float]) -> None:
        self.axis = str(group.attrs["axis"])
        self.head = head
        self.step, self.time = _whole_rows(group)
        self.places: Numbers = _own_dataset(group, self.axis)[:]
        self.units: dict[str, str] = {}
        self.meanings: dict[str, str] = {}
        for name in group:
            data = _own_dataset(group, name)
            self.units[name], self.meanings[name] = str(data.attrs["units"]), str(data.attrs["meaning"])
            if name not in (*NOTES, self.axis):
                if data.shape[1:] != self.places.shape:
                    raise ValueError(f"{name} has no number for each {self.axis}")
                self[name] = data[: len(self.time)]

    def to_xarray(self) -> xarray.Dataset:
        """With times, places and units. Needs xarray."""
        made: xarray.Dataset = imported_xarray().Dataset(
            {
                name: (
                    ("time", self.axis),
                    values,
                    {"units": self.units[name], "meaning": self.meanings[name]},
                )
                for name, values in self.items()
            },
            {
                "time": ("time", self.time, {"units": self.units["time"]}),
                "step": ("time", self.step),
                self.axis: (self.axis, self.places, {"units": self.units[self.axis]}),
            },
            self.head,
        )
        return made

    def __missing__(self, name: str) -> Numbers:
        raise TayraError(f"there is no '{name}' in these statistics: they have {', '.join(self)}")

    def __repr__(self) -> str:
        return f"<{len(self.time)} times, {len(self.places)} places along {self.axis}: {', '.join(self)}>"


class Profiles(StatisticsGroup):
    """Means over planes as [time][z], and what follows from them: again as [time][z], or as [time]."""

    @property
    def z(self) -> Numbers:
        return self.places

    def integral(self, values: Numbers) -> Numbers:
        """Over z."""
        return np.asarray(values.sum(axis=1) * self._spacing)

    def slope(self, values: Numbers) -> Numbers:
        """Along z, by central differences."""
        return np.asarray(np.gradient(values, self._spacing, axis=1))

    def favre(self, axis: str) -> Numbers:
        """Density-weighted mean velocity."""
        return self[f"mass_flux_{axis}"] / self["density"]

    def stress(self, axes: str) -> Numbers:
        """Reynolds stress, density-weighted: 'xx', 'xy' … of the mean of rho u'' u''."""
        of_means = self[f"mass_flux_{axes[0]}"] * self.favre(axes[1])
        return self["momentum_flux_" + "".join(sorted(axes))] - of_means

    def turbulent_mass_flux(self, axis: str = "z") -> Numbers:
        """The mean of rho' u', in other words the mean density times a."""
        return self[f"mass_flux_{axis}"] - self["density"] * self[f"velocity_{axis}"]

    @property
    def density_volume_covariance(self) -> Numbers:
        """b, minus the covariance of density and specific volume."""
        return self["density"] * self["specific_volume"] - 1

    @property
    def width(self) -> Numbers:
        """Integral width of the mixing layer: 6 times the integral of <f> <1 - f>."""
        f = self["heavy_fraction"]
        return 6 * self.integral(f * (1 - f))

    @property
    def theta(self) -> Numbers:
        f = self["heavy_fraction"]
        return self._ratio(self["mixed_fraction"], f * (1 - f))

    @property
    def xi(self) -> Numbers:
        f = self["heavy_fraction"]
        return self._ratio(self["lesser_fraction"], np.minimum(f, 1 - f))

    @property
    def psi(self) -> Numbers:
        """Normalised mixed mass (Zhou, Cabot & Thornber 2016)."""
        y = self["mass_fraction"]
        return self._ratio(self["mixed_mass"], self["density"] * y * (1 - y))

    @property
    def integral_heights(self) -> tuple[Numbers, Numbers]:
        """Of bubbles and of spikes, as in diagnostics.csv."""
        f = self["heavy_fraction"]
        of_upper = f if self.head["heavy_above"] else 1 - f
        low, step = self.head["lower_z"], self._spacing
        centre = low + self.integral(1 - of_upper)
        faces = low + step * np.arange(len(self.z) + 1) - centre[:, None]
        up = self._end_of(1 - of_upper, np.maximum(0, faces))
        down = self._end_of(of_upper, np.maximum(0, -faces))
        return (up, down) if self.head["heavy_above"] else (down, up)

    def kinetic_energy(self, axis: str) -> tuple[Numbers, Numbers]:
        """Of the motion along an axis, as [time][z] per volume: of the density-weighted mean, and of what
        differs from it."""
        return 0.5 * self[f"mass_flux_{axis}"] * self.favre(axis), 0.5 * self.stress(axis * 2)

    def released_energy(self) -> Numbers:
        """Potential energy that has been released since the first row, over z. Where gravity varies it
        depends on what happened between rows: diagnostics.csv has it then."""
        if self.head.get("gravity_varies"):
            raise TayraError(
                "released_energy: gravity varies in time, so rows of profiles don't tell it: take "
                "potential_energy from diagnostics.csv"
            )
        potential = -self.head["gravity"] * self.integral(self["density"] * self.z)
        return potential[:1] - potential

    @property
    def turbulent_energy(self) -> Numbers:
        """As [time][z], per volume."""
        return np.asarray(sum(self.kinetic_energy(axis)[1] for axis in "xyz"))

    def turbulence_budget(self) -> dict[str, Numbers]:
        """What changes the turbulent energy in a unit of time, over z. What remains, `dissipation`, is the
        scheme's, and what leaves through open ends; its sign is that of a gain."""
        a_of_density = self.turbulent_mass_flux("z")
        of = {
            "mass flux": self.integral(a_of_density / self["density"] * self.slope(self["pressure"])),
            "shear": -self.integral(
                np.asarray(sum(self.stress(f"{axis}z") * self.slope(self.favre(axis)) for axis in "xyz"))
            ),
            "pressure-dilatation": self.integral(
                self["pressure_dilatation"] - self["pressure"] * self["dilatation"]
            ),
        }
        energy = self.integral(self.turbulent_energy)
        change = np.gradient(energy, self.time) if len(self.time) > 1 else np.zeros_like(energy)
        return {**of, "dissipation": change - sum(of.values()), "change": change}

    @property
    def _spacing(self) -> float:
        return float((self.head["upper_z"] - self.head["lower_z"]) / len(self.z))

    def _ratio(self, above: Numbers, below: Numbers) -> Numbers:
        over, under = self.integral(above), self.integral(below)
        return np.asarray(np.divide(over, under, out=np.zeros_like(over), where=under > 0))

    def _end_of(self, share: Numbers, faces: Numbers) -> Numbers:
        near, far = np.sort([faces[:, :-1], faces[:, 1:]], axis=0)
        volume = (share * (far - near)).sum(axis=1)
        moment = (share * (far - near) * (far + near) / 2).sum(axis=1)
        return np.asarray(np.divide(3 * moment, volume, out=np.zeros_like(volume), where=volume > 0))


class Spectra(StatisticsGroup):
    """Variance of horizontal waves as [time][wavenumber].

    Their sum over wavenumbers is a plane's variance."""

    @property
    def wavenumber(self) -> Numbers:
        return self.places

    @property
    def spacing(self) -> float:
        """Of wavenumbers: a variance over it is a spectral density."""
        return float(self.places[0])

    def correlation(self, name: str, distances: Numbers) -> Numbers:
        """Autocorrelation in the plane as [time][distance], the mean over all directions (Wiener and
        Khinchin). A shell counts as waves of its middle."""
        waves = np.multiply.outer(np.asarray(distances, float), self.wavenumber)
        kernel = _bessel(waves) if len(self._lengths) > 1 else np.cos(waves)
        variance = self[name].sum(axis=1, keepdims=True)
        correlation: Numbers = np.full((len(variance), len(distances)), np.nan)
        np.divide(self[name] @ kernel.T, variance, out=correlation, where=variance > 0)
        return correlation

    def bubble_diameter(self, level: float = LEVEL_OF_DISCS) -> Numbers:
        """As [time]: twice the distance at which the autocorrelation of f in the plane of the bubbles' front
        first falls to `level`. By default discs far from each other have their own diameter."""
        distances = np.linspace(0, max(self._lengths) / 2, 1 + DISTANCES)
        found = []
        for line in self.correlation("heavy_fraction_at_bubbles", distances):
            below = np.flatnonzero(line < level)
            if not len(below):  # also where there is nothing to correlate
                found.append(np.nan)
                continue
            after = below[0]
            share = (line[after - 1] - level) / (line[after - 1] - line[after])
            found.append(2 * (distances[after - 1] + share * distances[1]))
        return np.array(found)

    @property
    def _lengths(self) -> list[float]:
        """Of the box, across which there are waves."""
        varying = [axis for axis in "xy" if self.head[f"cells_{axis}"] > 1]
        return [self.head[f"upper_{axis}"] - self.head[f"lower_{axis}"] for axis in varying]


def _bessel(x: Numbers) -> Numbers:
    """J0, the mean of a wave over all directions, by midpoints, enough for the largest x."""
    count = 16 + int(x.max() / 4)
    angles = (np.arange(count) + 0.5) * np.pi / (2 * count)
    return np.asarray(sum(np.cos(x * np.cos(angle)) for angle in angles) / count)


class Pdf(StatisticsGroup):
    """A histogram over time: the share of cells in each bin, over the bin's width."""

    @property
    def middles(self) -> Numbers:
        """Of the bins."""
        return self.places

    @property
    def density(self) -> Numbers:
        """As [time][bin]."""
        return self["probability_density"]


class Statistics(dict[str, StatisticsGroup]):
    """What statistics.h5 holds, by group; what was written when it was read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(_read(path))

    @property
    def profiles(self) -> Profiles:
        profiles = self.get("profiles")
        if not isinstance(profiles, Profiles):
            raise TayraError(f"{self.path} holds no profiles: run with output.statistics.profiles: true")
        return profiles

    @property
    def spectra(self) -> Spectra:
        spectra = self.get("spectra")
        if not isinstance(spectra, Spectra):
            raise TayraError(f"{self.path} holds no spectra: run with output.statistics.spectra.fields")
        return spectra

    @property
    def pdfs(self) -> dict[str, Pdf]:
        """By field."""
        pdfs = {name.removeprefix("pdf_"): one for name, one in self.items() if isinstance(one, Pdf)}
        if not pdfs:
            raise TayraError(f"{self.path} holds no histograms: run with output.statistics.pdf.fields")
        return pdfs

    def __repr__(self) -> str:
        return f"<Statistics {self.path}: {', '.join(self)}>"


def _kind_of(name: str) -> type[StatisticsGroup]:
    if name.startswith("pdf_"):
        return Pdf
    return {"profiles": Profiles, "spectra": Spectra}.get(name, StatisticsGroup)


def _read(path: Path) -> dict[str, StatisticsGroup]:
    if not path.is_file():
        raise TayraError(f"{path} is missing: the run measures nothing without output.statistics.every_steps")
    try:
        with h5py.File(path, "r") as file:
            head: dict[str, Any] = {
                name: float(value) for name, value in file.attrs.items() if isinstance(value, float)
            }
            return {name: _kind_of(name)(_own(file, name), head) for name in file}
    except DAMAGES as error:
        raise TayraError(f"{path} is damaged or no statistics of Tayra ({_reason(error)})") from error
