"""Figures of statistics: profiles, spectra and histograms at some times, and the budget of energy."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes

from tayra.errors import TayraError
from tayra.figures import (
    BLACK,
    COLOURS,
    DASHES,
    STYLE,
    Picture,
    add_caption,
    add_title,
    mark_points,
    subplots,
    use_plain_logarithm,
)
from tayra.panels import panels_for
from tayra.run_directory import Run
from tayra.statistics import Numbers, Profiles, Spectra, StatisticsGroup

MOST_TIMES = 5  # whose lines can be told apart
AXES = "xyz"
Group = TypeVar("Group", bound=StatisticsGroup)

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


def with_rows(run: Run, group: Group) -> Group:
    if not len(group.time):
        raise TayraError(f"{run.directory}/statistics.h5 holds no rows yet")
    return group


def some_rows(group: StatisticsGroup) -> list[int]:
    """At most five times, evenly apart."""
    wanted = np.linspace(group.time[0], group.time[-1], MOST_TIMES)
    return [int(row) for row in np.unique([np.abs(group.time - time).argmin() for time in wanted])]


def draw_rows(axes: Axes, group: StatisticsGroup, values: Numbers, title: str) -> None:
    for index, row in enumerate(some_rows(group)):
        axes.plot(
            group.places,
            values[row],
            color=colormaps["viridis"](0.9 * (1 - index / MOST_TIMES)),
            linestyle=DASHES[index],
            linewidth=1.2,
            label=f"time {group.time[row]:.4g}",
        )
    axes.set(title=title)
    axes.grid(alpha=0.3)


@rc_context(STYLE)
def draw_profiles(run: Run) -> Picture:
    """At most five times, evenly apart, over z."""
    profiles = with_rows(run, run.statistics().profiles)
    panels = {**(OF_LAYERS if "heavy_fraction" in profiles else {}), **OF_ANY_FLOW}
    figure, places = panels_for(len(panels))
    for axes, (title, values_of) in zip(places, panels.items(), strict=True):
        draw_rows(axes, profiles, values_of(profiles), title)
        axes.set(xlabel="z")
    add_title(figure, f"{run.name}: means over planes")
    figure.legend(*places[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


@rc_context(STYLE)
def draw_spectra(run: Run) -> Picture:
    """Each field's, and the bubbles' diameter over time."""
    spectra = with_rows(run, run.statistics().spectra)
    has_bubbles = "heavy_fraction_at_bubbles" in spectra
    figure, panels = panels_for(len(spectra) + has_bubbles)
    for axes, (name, values) in zip(panels, spectra.items(), strict=False):
        density = np.where(values > 0, values, np.nan) / spectra.spacing
        draw_rows(axes, spectra, density, name.replace("_", " "))
        axes.set(xlabel="wavenumber")
        use_plain_logarithm(axes.xaxis)
        if np.any(values > 0):  # rounding is no spectrum, and nothing has no logarithm
            axes.set_yscale("log")
            axes.set_ylim(bottom=max(axes.get_ylim()[0], 1e-12 * np.nanmax(density)))
    if has_bubbles:
        draw_diameter(panels[-1], spectra)
    add_caption(
        figure,
        [
            "variance of horizontal waves over the width of a shell of wavenumbers. At bubbles: in the "
            "outermost plane of which bubbles are still a tenth."
        ],
    )
    add_title(figure, f"{run.name}: spectra of planes")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def draw_diameter(axes: Axes, spectra: Spectra) -> None:
    axes.plot(spectra.time, spectra.bubble_diameter(), color=BLACK, linewidth=1.2)
    mark_points(axes)
    axes.set(xlabel="time", title="diameter of bubbles")
    axes.grid(alpha=0.3)


@rc_context(STYLE)
def draw_pdfs(run: Run) -> Picture:
    pdfs = {name: with_rows(run, pdf) for name, pdf in run.statistics().pdfs.items()}
    figure, panels = panels_for(len(pdfs))
    for axes, (name, pdf) in zip(panels, pdfs.items(), strict=True):
        draw_rows(axes, pdf, np.where(pdf.density > 0, pdf.density, np.nan), name.replace("_", " "))
        axes.set(xlabel=name.replace("_", " "), yscale="log", ylabel="probability density")
    add_title(figure, f"{run.name}: histograms")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    return figure


def _released_energy(run: Run, profiles: Profiles) -> Numbers:
    """Where gravity varies only diagnostics.csv knows it, by the books that the run keeps at every step."""
    log = run.diagnostics()
    if "gravity" not in log:
        return profiles.released_energy()
    head = profiles.head
    area = (head["upper_x"] - head["lower_x"]) * (head["upper_y"] - head["lower_y"])
    potential = np.interp(profiles.time, log["time"], log["potential_energy"]) / area
    return np.asarray(potential[0] - potential)


@rc_context(STYLE)
def draw_budget(run: Run) -> Picture:
    """Where released energy goes, and what feeds and drains the turbulence."""
    profiles = with_rows(run, run.statistics().profiles)
    figure, (energies, rates) = subplots(1, 2, figsize=(11, 4.6))
    mean = np.asarray(sum(profiles.kinetic_energy(axis)[0] for axis in AXES))
    across = np.asarray(sum(profiles.kinetic_energy(axis)[1] for axis in "xy"))
    has_gravity = profiles.head["gravity"] != 0 or "gravity" in run.diagnostics()
    of_energies = {
        **({"released potential energy": _released_energy(run, profiles)} if has_gravity else {}),
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
    add_title(figure, f"{run.name}: budget of energy")
    return figure


def _draw_lines(axes: Axes, time: Numbers, lines: dict[str, Numbers]) -> None:
    for index, (label, values) in enumerate(lines.items()):
        axes.plot(time, values, label=label, color=COLOURS[index], linestyle=DASHES[index], linewidth=1.2)
    mark_points(axes)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8)
