"""Figures of statistics: profiles at some times, and the budget of energy over time."""

from collections.abc import Callable

import numpy as np
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes

from tayra.errors import TayraError
from tayra.figures import BLACK, COLOURS, DASHES, STYLE, Picture, add_caption, subplots
from tayra.run_directory import Run
from tayra.statistics import Numbers, Profiles

MOST_TIMES = 5  # whose lines can be told apart
AXES = "xyz"

OF_ANY_FLOW: dict[str, Callable[[Profiles], Numbers]] = {
    "density": lambda p: p["density"],
    "density–volume covariance b": lambda p: p.density_volume_covariance,
    "turbulent mass flux": lambda p: p.turbulent_mass_flux("z"),
    "stress along z": lambda p: p.stress("zz"),
    "stress across z, mean of xx and yy": lambda p: 0.5 * (p.stress("xx") + p.stress("yy")),
    "enstrophy": lambda p: p["enstrophy"],
}
OF_LAYERS: dict[str, Callable[[Profiles], Numbers]] = {
    "heavy fraction f": lambda p: p["heavy_fraction"],
    "mixed: 4 f (1 - f)": lambda p: 4 * p["mixed_fraction"],
    "scalar dissipation |∇f|²": lambda p: p["scalar_dissipation"],
}


def profiles_with_rows(run: Run) -> Profiles:
    profiles = run.statistics().profiles
    if not len(profiles.time):
        raise TayraError(f"{run.directory}/statistics.h5 holds no rows yet")
    return profiles


@rc_context(STYLE)
def draw_profiles(run: Run) -> Picture:
    """At most five times, evenly apart, over z."""
    profiles = profiles_with_rows(run)
    wanted = np.linspace(profiles.time[0], profiles.time[-1], MOST_TIMES)
    rows = np.unique([np.abs(profiles.time - time).argmin() for time in wanted])
    panels = {**(OF_LAYERS if "heavy_fraction" in profiles else {}), **OF_ANY_FLOW}
    lines = -(-len(panels) // 3)
    figure, grid = subplots(lines, 3, figsize=(11, 1 + 2.6 * lines), squeeze=False)
    for axes, (title, values_of) in zip(grid.flat, panels.items(), strict=True):
        values = values_of(profiles)
        for index, row in enumerate(rows):
            axes.plot(
                profiles.z,
                values[row],
                color=colormaps["viridis"](0.9 * (1 - index / MOST_TIMES)),
                linestyle=DASHES[index],
                linewidth=1.2,
                label=f"time {profiles.time[row]:.4g}",
            )
        axes.set(xlabel="z", title=title)
        axes.grid(alpha=0.3)
    figure.suptitle(f"{run.name}: means over planes", x=0.01, ha="left")
    figure.legend(*grid.flat[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


@rc_context(STYLE)
def draw_budget(run: Run) -> Picture:
    """Where released energy goes, and what feeds and drains the turbulence."""
    profiles = profiles_with_rows(run)
    figure, (energies, rates) = subplots(1, 2, figsize=(11, 4.6))
    mean = np.asarray(sum(profiles.kinetic_energy(axis)[0] for axis in AXES))
    across = np.asarray(sum(profiles.kinetic_energy(axis)[1] for axis in "xy"))
    has_gravity = profiles.head["gravity"] != 0
    of_energies = {
        **({"released potential energy": profiles.released_energy()} if has_gravity else {}),
        "turbulent, along z": profiles.integral(profiles.kinetic_energy("z")[1]),
        "turbulent, across z": profiles.integral(across),
        "of mean motion": profiles.integral(mean),
    }
    _draw_lines(energies, profiles.time, of_energies)
    energies.set(
        xlabel="time",
        ylabel="energy / area",
        title="where released energy goes" if has_gravity else "kinetic energy",
    )
    _draw_lines(rates, profiles.time, profiles.turbulence_budget())
    rates.axhline(0, color=BLACK, linewidth=0.6)
    rates.set(xlabel="time", ylabel="energy / (area time)", title="what changes turbulent energy")
    add_caption(
        figure,
        [
            "mass flux: the turbulent mass flux against the mean pressure gradient. dissipation: what "
            "remains, which is the scheme's. Kinetic energy is split by density-weighted means."
        ],
    )
    figure.suptitle(f"{run.name}: budget of energy", x=0.01, ha="left")
    return figure


def _draw_lines(axes: Axes, time: Numbers, lines: dict[str, Numbers]) -> None:
    for index, (label, values) in enumerate(lines.items()):
        axes.plot(time, values, label=label, color=COLOURS[index], linestyle=DASHES[index], linewidth=1.2)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8)
