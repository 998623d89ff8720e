"""Figures of a flow: slices, the lines of 1-D flows, and curves over time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes

from tayra.errors import TayraError
from tayra.figures import BLACK, BLUE, GREEN, ORANGE, STYLE, Picture, drawable, mark_points, subplots
from tayra.run_charts import Numbers, energy_budget
from tayra.run_directory import Run
from tayra.snapshot import AXES, Slice, Snapshot, axis_of_line, usual_axis
from tayra.table import Table

LAYER = ("bubble_height", "spike_height", "mixing_width")
LONGER_SIDE = 7.0  # of the drawn box, in inches
LEAST_DIGITS, ALL_DIGITS = 6, 17  # of a time


@dataclass(frozen=True)
class View:
    """What is drawn of snapshots: a field on a plane of cells, or a 1-D flow as a line."""

    field: str
    axis: str  # across which the plane lies
    position: float | None  # the middle
    line: str | None  # the axis along which a 1-D flow varies
    smooth: bool

    def plane(self, snapshot: Snapshot) -> Slice:
        plane = snapshot.slice(self.field, self.axis, self.position)
        return middle_line(plane, self.line) if self.line else plane

    def draw(self, snapshot: Snapshot, look: "Look | None" = None) -> Picture:
        if self.line:
            return draw_line(self.plane(snapshot), snapshot, self.line, look)
        return draw_slice(self.plane(snapshot), snapshot, self.smooth, look)


def view_of(
    cells: tuple[int, int, int], field: str, axis: str | None, position: float | None, smooth: bool
) -> View:
    """Of a plane where one is named; else of what shows most."""
    line = axis_of_line(cells) if axis is None and position is None else None
    if line:
        return View(field, "x" if line == "y" else "y", None, line, smooth)
    return View(field, axis or usual_axis(cells), position, None, smooth)


@dataclass(frozen=True)
class Look:
    """What the frames of a film have in common: colours from `low` to `high` and digits of their times."""

    low: float
    high: float
    digits: int

    @property
    def colormap(self) -> str:
        return "RdBu_r" if self.low < 0 < self.high else "magma"

    def time_text(self, time: float) -> str:
        return f"{time:.{self.digits}g}"


def film_look(frames: Iterable[tuple[Slice, Snapshot]]) -> Look:
    """Takes one after the other and keeps none: together they may exceed the memory."""
    extremes, times = [], set()
    for plane, snapshot in frames:
        extremes.append(_extremes(plane, snapshot))
        times.add(snapshot.time)
    lows, highs = zip(*extremes, strict=True)
    return Look(*colour_limits(min(lows), max(highs)), telling_digits(times))


@rc_context(STYLE)
def draw_slice(plane: Slice, snapshot: Snapshot, smooth: bool = False, look: Look | None = None) -> Picture:
    """The plane in the user's own units; every cell as it is, or smoothed for the eye; in a film's look."""
    look = look or film_look([(plane, snapshot)])
    left, right, bottom, top = plane.extent
    figure, axes = subplots(figsize=_size(right - left, top - bottom))
    image = axes.imshow(
        plane.values,
        origin="lower",
        extent=plane.extent,
        aspect="equal",
        cmap=look.colormap,
        vmin=look.low,
        vmax=look.high,
        interpolation="bilinear" if smooth else "nearest",
    )
    axes.spines[["top", "right"]].set_visible(True)
    axes.set(xlabel=plane.horizontal, ylabel=plane.vertical)
    axes.set_title(f"t = {look.time_text(snapshot.time)},  {plane.axis} = {plane.position:.4g}")
    bar = figure.colorbar(image, ax=axes, shrink=0.6, aspect=30)
    bar.set_label(field_label(plane.field, plane.units))
    bar.outline.set_visible(False)
    return figure


def middle_line(plane: Slice, along: str) -> Slice:
    """Of the plane only what lies in its middle, along one of its axes."""
    rows = plane.values if along == plane.horizontal else plane.values.T
    return replace(plane, values=rows[len(rows) // 2, np.newaxis])


@rc_context(STYLE)
def draw_line(line: Slice, snapshot: Snapshot, along: str, look: Look | None = None) -> Picture:
    """A `middle_line`: a point for each cell; in a film's look."""
    look = look or film_look([(line, snapshot)])
    (values,) = line.values
    figure, axes = subplots(figsize=(LONGER_SIDE, 0.6 * LONGER_SIDE))
    axes.plot(snapshot.grid.centres(along), values, color=BLUE, marker=".", markersize=4, linewidth=1)
    margin = 0.05 * (look.high - look.low)
    axes.set_ylim(look.low - margin, look.high + margin)
    axes.set_xlim(snapshot.grid.lower[AXES.index(along)], snapshot.grid.upper[AXES.index(along)])
    axes.set(xlabel=along, ylabel=field_label(line.field, line.units))
    axes.set_title(f"t = {look.time_text(snapshot.time)}")
    axes.grid(alpha=0.3)
    return figure


def draw_over_time(snapshots: Sequence[Snapshot], field: str, name: str) -> Picture:
    """Mean and extremes of a field in each of them: of a part that is small a record over time."""
    if not snapshots:
        raise TayraError(f"the part '{name}' has no snapshots yet")
    each = np.array([_mean_and_extremes(snapshot, field) for snapshot in snapshots])
    label = field_label(field, snapshots[0].slice(field, "z").units)
    times = np.array([snapshot.time for snapshot in snapshots])
    return draw_mean_and_extremes(times, each, label, f"{name}: {snapshots[0].grid}")


@rc_context(STYLE)
def draw_mean_and_extremes(times: Numbers, each: Numbers, label: str, title: str) -> Picture:
    """`each`: mean, least and most at each of the times."""
    mean, least, most = each.T
    figure, axes = subplots(figsize=(LONGER_SIDE, 0.6 * LONGER_SIDE))
    if np.any(most > least):
        # With its edge, as a band of one time is nothing else.
        axes.fill_between(times, least, most, color=BLUE, alpha=0.2, linewidth=1, label="least to most")
    axes.plot(times, mean, color=BLUE, marker=".", markersize=4, linewidth=1, label="mean of the cells")
    axes.set(xlabel="time", ylabel=label)
    axes.set_title(drawable(title), parse_math=False)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    return figure


def _mean_and_extremes(snapshot: Snapshot, field: str) -> tuple[float, float, float]:
    """Plane by plane: it may be larger than the memory."""
    each = []
    for z in snapshot.grid.centres("z"):
        plane = snapshot.slice(field, "z", float(z)).values
        each.append((plane.mean(), plane.min(), plane.max()))
    means, lows, highs = zip(*each, strict=True)
    return float(np.mean(means)), float(min(lows)), float(max(highs))


@rc_context(STYLE)
def draw_curves(run: Run) -> Picture:
    """Growth of the mixing layer, where there is one, and the energies."""
    table = run.diagnostics()
    if table["time"].size == 0:
        raise TayraError(f"{run.directory / 'diagnostics.csv'} holds no rows yet")
    layered = table.keys() >= set(LAYER)
    figure, panels = subplots(1, 1 + layered, figsize=(5.2 * (1 + layered), 3.8), squeeze=False)
    if layered:
        _draw_growth(panels[0, 0], table)
    _draw_energies(panels[0, -1], table)
    for axes in panels[0]:
        mark_points(axes)
        axes.legend(frameon=False)
    figure.suptitle(drawable(run.name), parse_math=False)
    return figure


def _size(width: float, height: float) -> tuple[float, float]:
    scale = LONGER_SIDE / max(width, height)
    return max(width * scale, 1.8) + 1.7, max(height * scale, 1.8) + 0.9


def field_label(field: str, units: str) -> str:
    units = units.replace("^2", "²").replace("^3", "³")
    return field if units in ("", "1") else f"{field}  [{units}]"


def telling_digits(times: set[float]) -> int:
    """As many as tell the times apart."""
    for digits in range(LEAST_DIGITS, ALL_DIGITS):
        if len({f"{time:.{digits}g}" for time in times}) == len(times):
            return digits
    return ALL_DIGITS


def _extremes(plane: Slice, snapshot: Snapshot) -> tuple[float, float]:
    """Of the numbers; cells that hold none are left white."""
    numbers = plane.values[np.isfinite(plane.values)]
    if not numbers.size:
        raise TayraError(
            f"{snapshot.path} holds no finite {plane.field} at {plane.axis} = {plane.position:g}: "
            "choose another snapshot or slice"
        )
    return float(numbers.min()), float(numbers.max())


def colour_limits(low: float, high: float) -> tuple[float, float]:
    """Of the colours."""
    if low < 0 < high:  # signed: white is zero
        bound = max(-low, high)
        return -bound, bound
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _draw_growth(axes: Axes, table: Table) -> None:
    time = table["time"]
    axes.plot(time, table["bubble_height"], color=BLUE, label="bubble height")
    axes.plot(time, table["spike_height"], color=ORANGE, linestyle="--", label="spike height")
    axes.plot(time, table["mixing_width"], color=BLACK, linestyle="-.", label="mixing width")
    axes.set(xlabel="time", ylabel="length", title="growth of the layer")
    axes.set_ylim(bottom=0)


def _time_of_start(table: Table) -> str:
    """The log of a branch or a refined run begins later than the flow."""
    begins = float(table["time"][0])
    return "the start" if begins == 0 else f"t = {begins:.4g}"


def _draw_energies(axes: Axes, table: Table) -> None:
    time = table["time"]
    looks = [(BLUE, "-"), (ORANGE, "--"), (BLACK, "-."), (GREEN, ":")]
    budget = energy_budget(table)
    if len(budget) < len(looks):  # without kinetic energies
        del looks[2]
    for (label, values), (colour, dashes) in zip(budget.items(), looks, strict=True):
        axes.plot(time, values, color=colour, linestyle=dashes, label=label)
    axes.set(xlabel="time", ylabel="energy", title=f"energy since {_time_of_start(table)}")
