"""Late growth and mixing of Richtmyer-Meshkov runs beside the theta group's, as a table and a picture.

B. Thornber et al. (2017), Late-time growth rate, mixing, and anisotropy in the multimode narrowband
Richtmyer-Meshkov instability: The theta-group collaboration, Physics of Fluids 29, 105107.

    PYTHONPATH=python:. python3 -m validation.theta_group RUN... [--picture PNG]

RUN is a folder of `tayra run validation/configs/theta_group*.yaml`; of a run that still computes or was cut
off, what is there is read.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from numpy.typing import NDArray

from tayra import Run
from tayra.command import Parser, say
from tayra.errors import TayraError
from tayra.figures import STYLE, Picture, line_style, save, subplots
from tayra.statistics import Profiles
from validation.references.richtmyer import ShockedInterface

Array = NDArray[np.float64]
GROUP = {"exponent": (0.292, 0.009), "theta": (0.792, 0.014), "xi": (0.800, 0.014), "psi": (0.782, 0.013)}
GROUP_ANISOTROPY = (1.49, 1.66)  # at the latest time, least and most of all codes
FITTED = 0.25  # of the run's time after the shock: from there to the end the exponent is fitted
LATE = 0.8  # and from here on measures of mixing are averaged


@dataclass(frozen=True)
class Layer:
    """A run's mixing layer over time, since the shock met the interface."""

    name: str
    cells: Sequence[int]
    profiles: Profiles
    time: Array
    wavelength: float  # 2 pi over the root mean square wavenumber
    growth: float  # of the integral width at first, by the impulsive model

    @property
    def tau(self) -> Array:
        return self.time * self.growth / self.wavelength

    @property
    def width(self) -> Array:
        """The integral of <f> <1 - f>: Tayra's `width` is six times that."""
        return self.profiles.width / 6

    @property
    def anisotropy(self) -> Array:
        """Turbulent energy along z over the mean of that along x and y."""
        x, y, z = (self.profiles.integral(self.profiles.kinetic_energy(axis)[1]) for axis in "xyz")
        return np.divide(2 * z, x + y, out=np.full_like(z, np.nan), where=x + y > 0)

    def since(self, share: float) -> NDArray[np.bool_]:
        return self.time >= share * self.time[-1]

    def late(self, values: Array) -> float:
        return float(np.mean(values[self.since(LATE)]))

    def row(self) -> dict[str, float]:
        later = self.since(FITTED)
        return {
            "tau": float(self.tau[-1]),
            "exponent": fitted_power(self.time[later], self.width[later])[0],
            "from impact": float(np.polyfit(np.log(self.time[later]), np.log(self.width[later]), 1)[0]),
            "theta": self.late(self.profiles.theta),
            "xi": self.late(self.profiles.xi),
            "psi": self.late(self.profiles.psi),
            "anisotropy": float(self.anisotropy[-1]),
            "width": float(self.width[-1] / self.wavelength),
        }


def fitted_power(time: Array, width: Array) -> tuple[float, float]:
    """theta and t_0 of width = a (time - t_0)^theta, by least squares of the logarithm. The origin lies
    before the first time."""
    if len(time) < 4:
        return float("nan"), float("nan")
    span = time[-1] - time[0]
    best = (np.inf, 0.0, 0.0)
    for before in span * np.geomspace(1e-3, 10, 800):
        origin = time[0] - before
        distance = np.log(time - origin)
        (power, _), left, *_ = np.polyfit(distance, np.log(width), 1, full=True)
        best = min(best, (float(left[0]) if len(left) else 0.0, float(power), float(origin)))
    return best[1], best[2]


def layer_of(run: Run) -> Layer:
    keys = run.settings
    if keys["problem.name"] != "rm_multi":
        raise TayraError(f"{run.directory} is a run of {keys['problem.name']}: give runs of rm_multi")
    if "fraction" not in keys.get("physics.scalars", []):
        raise TayraError(f"{run.directory} carries no fraction: run with physics.scalars: [fraction]")
    profiles = run.statistics().profiles
    number = {
        name: keys[f"problem.{name}"] for name in ("mach", "density_below", "density_above", "pressure")
    }
    shocked = ShockedInterface(**number, gamma=keys["physics.gamma"])
    met = (keys["problem.interface"] - keys["problem.shock"]) / shocked.shock_speed
    after = profiles.time > met
    if np.count_nonzero(after) < 2:
        raise TayraError(f"{run.directory} has hardly begun: the shock meets the interface at {met:.3g}")
    side = max(profiles.head[f"upper_{axis}"] - profiles.head[f"lower_{axis}"] for axis in "xy")
    low, high = (2 * np.pi / side * count for count in keys["problem.modes"])
    wavenumber = root_mean_square(low, high, keys["problem.spectrum"])
    return Layer(
        run.name,
        keys["grid.cells"],
        rows(profiles, after),
        profiles.time[after] - met,
        float(2 * np.pi / wavenumber),
        shocked.growth_of_width(wavenumber, keys["problem.amplitude"]),
    )


def root_mean_square(low: float, high: float, power: float) -> float:
    """Of wavenumbers with the spectrum P ~ k^power between these."""
    if low == high:
        return low
    k = np.linspace(low, high, 100_001)
    return float(np.sqrt(np.sum(k ** (power + 2)) / np.sum(k**power)))


def rows(profiles: Profiles, which: NDArray[np.bool_]) -> Profiles:
    """The same at some of its times."""
    for name in list(profiles):
        profiles[name] = profiles[name][which]
    return profiles


def table(layers: Sequence[Layer]) -> str:
    """In Markdown, with mean and standard deviation of runs of the same waves on one grid."""
    head = "| run | cells | τ | θ | θ from impact | Θ | Ξ | Ψ | energy z : x, y | W / λ |"
    lines = [head, "|---" * 10 + "|"]
    measured = [(layer, layer.row()) for layer in layers]
    for layer, values in measured:
        lines.append(line(layer.name, layer.cells, {name: f"{v:.3f}" for name, v in values.items()}))
    for cells, wavelength in {(tuple(layer.cells), layer.wavelength): None for layer in layers}:
        alike = [
            values
            for layer, values in measured
            if tuple(layer.cells) == cells and layer.wavelength == wavelength
        ]
        if len(alike) > 1:
            lines.append(
                line(f"mean of {len(alike)}", cells, {name: spread(alike, name) for name in alike[0]})
            )
    group = {name: f"{middle:.3f} ± {margin:.3f}" for name, (middle, margin) in GROUP.items()}
    group |= {"anisotropy": "{} to {}".format(*GROUP_ANISOTROPY)}
    lines.append(line("theta group", (512, 512, 720), group))
    return "\n".join(lines)


def line(name: str, cells: Sequence[int], values: dict[str, str]) -> str:
    names = ("tau", "exponent", "from impact", "theta", "xi", "psi", "anisotropy", "width")
    return "| " + " | ".join([name, " × ".join(map(str, cells)), *(values.get(n, "") for n in names)]) + " |"


def spread(rows: Sequence[dict[str, float]], name: str) -> str:
    values = [row[name] for row in rows]
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"


@rc_context(STYLE)
def draw(layers: Sequence[Layer]) -> Picture:
    figure, (left, middle, right) = subplots(1, 3, figsize=(13, 4))
    draw_width(left, layers)
    draw_mixing(middle, layers)
    for index, layer in enumerate(layers):
        right.plot(layer.tau, layer.anisotropy, **line_style(index) | {"marker": ""}, linewidth=1)
    right.axhspan(*GROUP_ANISOTROPY, color="0.9")
    right.set(xlabel="τ", title="turbulent energy along z over that across", ylim=(0, 10))
    return figure


def draw_mixing(axes: Axes, layers: Sequence[Layer]) -> None:
    """All three measures of a single run; of several, theirs of Θ."""
    alone = len(layers) == 1
    if alone:
        profiles = layers[0].profiles
        for index, (values, name) in enumerate(
            ((profiles.theta, "Θ"), (profiles.xi, "Ξ"), (profiles.psi, "Ψ"))
        ):
            axes.plot(layers[0].tau, values, **line_style(index) | {"marker": ""}, linewidth=1, label=name)
        axes.legend(frameon=False)
    else:
        for index, layer in enumerate(layers):
            axes.plot(layer.tau, layer.profiles.theta, **line_style(index) | {"marker": ""}, linewidth=1)
    bands = [GROUP[name] for name in (("theta", "xi", "psi") if alone else ("theta",))]
    least = min(centre - margin for centre, margin in bands)
    most = max(centre + margin for centre, margin in bands)
    axes.axhspan(least, most, color="0.9")
    axes.set(
        xlabel="τ", title=f"{'mixing' if alone else 'Θ'}; grey: the theta group's late values", ylim=(0, 1)
    )


def draw_width(axes: Axes, layers: Sequence[Layer]) -> None:
    for index, layer in enumerate(layers):
        axes.loglog(
            layer.tau,
            layer.width / layer.wavelength,
            **line_style(index) | {"marker": ""},
            linewidth=1,
            label=layer.name,
        )
    last = max(layers, key=lambda layer: layer.tau[-1])
    tau = np.geomspace(0.1, 1, 20) * last.tau[-1]
    guide = 1.3 * last.width[-1] / last.wavelength * (tau / tau[-1]) ** GROUP["exponent"][0]
    axes.loglog(tau, guide, color="grey", linewidth=0.8, label="power 0.292")
    axes.set(xlabel="τ", title="W / λ: integral width over mean wavelength")
    axes.legend(frameon=False)


def main(words: Sequence[str] | None = None) -> int:
    parser = Parser(prog="theta_group", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("runs", metavar="RUN", nargs="+", type=Path, help="folder of a run of rm_multi")
    parser.add_argument("--picture", type=Path, help="PNG or SVG to draw")
    options = parser.parse_args(words)
    try:
        layers = [layer_of(Run(path)) for path in options.runs]
        say(table(layers))
        if options.picture:
            save(draw(layers), options.picture)
    except TayraError as error:
        print(f"theta_group: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
