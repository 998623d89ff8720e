"""Figures of runs: readable in grey and by the colour-blind, the same file for the same data."""

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ticker import LogLocator, NullLocator
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from tayra.errors import TayraError
from tayra.run import Run
from tayra.snapshot import AXES, Slice, Snapshot
from tayra.table import Table
from tayra.whole_file import whole_file

Numbers = NDArray[np.floating[Any]]
LAYER = ("bubble_height", "spike_height", "mixing_width")
KINETIC = ("kinetic_energy_x", "kinetic_energy_y", "kinetic_energy_z")
LONGER_SIDE = 7.0  # of the drawn box, in inches
MARGIN = 0.1  # around a picture, in inches
PIXELS_PER_INCH = 150
LEAST_DIGITS, ALL_DIGITS = 6, 17  # of a time
CAPTION_LETTERS_PER_INCH = 18
# Okabe & Ito's palette, which the colour-blind tell apart.
BLUE, ORANGE, GREEN, BLACK = "#0072B2", "#D55E00", "#009E73", "#222222"
# One after the other for things of one kind; dashes and markers tell them apart in grey.
COLOURS = (BLUE, ORANGE, GREEN, BLACK, "#CC79A7", "#56B4E9", "#E69F00")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 3)))
MARKERS = ("o", "s", "^", "D", "v", "X", "P")

plt.rcParams.update(
    {
        "font.size": 10,
        "axes.titlesize": 11,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "svg.hashsalt": "tayra",
    }
)


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
        times.add(snapshot.header.time)
    lows, highs = zip(*extremes, strict=True)
    return Look(*_limits(min(lows), max(highs)), _telling_digits(times))


def page_of(figure: Figure) -> Bbox:
    """What `save` would keep of it, in even numbers of pixels, as most formats of films require."""
    figure.set_dpi(PIXELS_PER_INCH)
    figure.draw_without_rendering()
    drawn = figure.get_tightbbox().padded(MARGIN)
    plt.close(figure)
    # The hundredth keeps rounding from losing a pixel.
    width, height = (
        (2 * math.ceil(side * PIXELS_PER_INCH / 2) + 0.01) / PIXELS_PER_INCH for side in drawn.size
    )
    return Bbox.from_bounds(drawn.x0, drawn.y0, width, height)


def save(figure: Figure, path: Path, page: Bbox | None = None) -> None:
    """As PNG or SVG without the date and program that would make equal pictures differ; cut to `page`, or
    around what is drawn."""
    kind = path.suffix.removeprefix(".")
    stamp = {"Date" if kind == "svg" else "Software": None}
    try:
        with whole_file(path) as beside:
            figure.savefig(
                beside,
                format=kind,
                dpi=PIXELS_PER_INCH,
                bbox_inches=page or "tight",
                pad_inches=MARGIN,
                metadata=stamp,
            )
    except ValueError as error:
        raise TayraError(f"cannot draw {path} ({error})") from error
    finally:
        plt.close(figure)


def use_plain_logarithm(axis: Axis) -> None:
    """A logarithmic axis with ticks at 1, 2, 5, 10 … as people write them; at 1, 10, 100 where it is long."""
    sideways = axis is axis.axes.xaxis
    axis.axes.set(**{"xscale" if sideways else "yscale": "log"})
    low, high = axis.get_view_interval()
    long = high > (100 if sideways else 1000) * low  # numbers side by side crowd earlier
    axis.set_major_locator(LogLocator(subs=(1,) if long else (1, 2, 5)))
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_locator(NullLocator())


def line_style(index: int) -> dict[str, Any]:
    """Of the line `index` of several: colour, dashes and marker all differ. From the eighth on each comes
    again, never with the same others: lines differ without colour, too."""
    turn = index // len(COLOURS)
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": DASHES[(index + turn) % len(DASHES)],
        "marker": MARKERS[(index + 2 * turn) % len(MARKERS)],
        "markersize": 5,
    }


def error_bars(middle: Numbers, least: Numbers, most: Numbers) -> Numbers:
    """To both sides. Rounding may put a median beyond its extremes."""
    return np.maximum(0, [middle - least, most - middle])


def add_caption(figure: Figure, lines: Sequence[str]) -> None:
    """Below the panels: which machine and command gave this."""
    width = int(figure.get_figwidth() * CAPTION_LETTERS_PER_INCH)
    text = "\n".join(textwrap.fill(line, width, subsequent_indent="     ") for line in lines)
    # A name with $ in it is no formula.
    figure.supxlabel(_drawable(text), x=0.01, ha="left", fontsize=7, color=BLACK, parse_math=False)


def draw_slice(plane: Slice, snapshot: Snapshot, smooth: bool = False, look: Look | None = None) -> Figure:
    """The plane in the user's own units; every cell as it is, or smoothed for the eye; in a film's look."""
    look = look or film_look([(plane, snapshot)])
    left, right, bottom, top = plane.extent
    figure, axes = plt.subplots(figsize=_size(right - left, top - bottom), layout="constrained")
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
    axes.set_title(f"t = {look.time_text(snapshot.header.time)},  {plane.axis} = {plane.position:.4g}")
    bar = figure.colorbar(image, ax=axes, shrink=0.6, aspect=30)
    bar.set_label(_label(plane))
    bar.outline.set_visible(False)
    return figure


def middle_line(plane: Slice, along: str) -> Slice:
    """Of the plane only what lies in its middle, along one of its axes."""
    rows = plane.values if along == plane.horizontal else plane.values.T
    return replace(plane, values=rows[len(rows) // 2, np.newaxis])


def draw_line(line: Slice, snapshot: Snapshot, along: str, look: Look | None = None) -> Figure:
    """A `middle_line`: a point for each cell; in a film's look."""
    look = look or film_look([(line, snapshot)])
    (values,) = line.values
    figure, axes = plt.subplots(figsize=(LONGER_SIDE, 0.6 * LONGER_SIDE), layout="constrained")
    axes.plot(snapshot.header.centres(along), values, color=BLUE, marker=".", markersize=4, linewidth=1)
    margin = 0.05 * (look.high - look.low)
    axes.set_ylim(look.low - margin, look.high + margin)
    axes.set_xlim(snapshot.header.lower[AXES.index(along)], snapshot.header.upper[AXES.index(along)])
    axes.set(xlabel=along, ylabel=_label(line))
    axes.set_title(f"t = {look.time_text(snapshot.header.time)}")
    axes.grid(alpha=0.3)
    return figure


def draw_curves(run: Run) -> Figure:
    """Growth of the mixing layer, where there is one, and the energies."""
    table = run.diagnostics()
    if table["time"].size == 0:
        raise TayraError(f"{run.directory / 'diagnostics.csv'} holds no rows yet")
    layered = table.keys() >= set(LAYER)
    figure, panels = plt.subplots(
        1, 1 + layered, figsize=(5.2 * (1 + layered), 3.8), layout="constrained", squeeze=False
    )
    if layered:
        _draw_growth(panels[0, 0], table)
    _draw_energies(panels[0, -1], table)
    for axes in panels[0]:
        if table["time"].size == 1:
            _show_points(axes)
        axes.legend(frameon=False)
    figure.suptitle(_drawable(run.name), parse_math=False)
    return figure


def _drawable(text: str) -> str:
    """Bytes of names that are no letters as codes, letters that the font lacks as one sign for all."""
    letters = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(
        letter if letter == "\n" or ord(letter) in _font_letters() else "\ufffd" for letter in letters
    )


@cache
def _font_letters() -> Mapping[int, int]:
    return get_font(findfont(FontProperties())).get_charmap()


def _size(width: float, height: float) -> tuple[float, float]:
    scale = LONGER_SIDE / max(width, height)
    return max(width * scale, 1.8) + 1.7, max(height * scale, 1.8) + 0.9


def _label(plane: Slice) -> str:
    units = plane.units.replace("^2", "²").replace("^3", "³")
    return plane.field if units in ("", "1") else f"{plane.field}  [{units}]"


def _telling_digits(times: set[float]) -> int:
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


def _limits(low: float, high: float) -> tuple[float, float]:
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
    gained = table["energy"] - table["energy"][0]
    released = table["potential_energy"][0] - table["potential_energy"]
    axes.plot(time, released, color=BLUE, label="potential energy released")
    axes.plot(time, gained, color=ORANGE, linestyle="--", label="internal + kinetic energy gained")
    if table.keys() >= set(KINETIC):  # logs of before have none
        kinetic = sum(table[column] - table[column][0] for column in KINETIC)
        axes.plot(time, kinetic, color=BLACK, linestyle="-.", label="kinetic energy gained")
    axes.plot(time, gained - released, color=GREEN, linestyle=":", label="difference")
    axes.set(xlabel="time", ylabel="energy", title=f"energy since {_time_of_start(table)}")


def _show_points(axes: Axes) -> None:
    """Of lines of one point, which would be invisible. Hollow, since they may lie on each other."""
    for line, marker in zip(axes.lines, MARKERS, strict=False):
        line.set(marker=marker, markerfacecolor="none", clip_on=False)
