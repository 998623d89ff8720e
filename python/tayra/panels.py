"""Figures of several panels with lines: what the figures of all benchmarks share."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes

from tayra.figures import (
    Picture,
    add_caption,
    add_title,
    error_bars,
    line_style,
    subplots,
    use_plain_logarithm,
)

MOST_COLUMNS = 3
MOST_TICKS = 8
BYTE_UNITS = ("B", "KiB", "MiB", "GiB")


@dataclass(frozen=True)
class Line:
    """Points to the right of each other; `spread`: the least and the most of each."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    spread: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class Panel:
    title: str
    lines: Sequence[Line]


@dataclass(frozen=True)
class Chart:
    title: str
    x_label: str
    y_label: str
    panels: Sequence[Panel]
    bytes_below: bool = False  # the x axis counts bytes
    from_zero: bool = False  # the y axis is linear
    labels: list[str] = field(init=False)

    def __post_init__(self) -> None:
        every = dict.fromkeys(line.label for panel in self.panels for line in panel.lines)
        object.__setattr__(self, "labels", list(every))


def draw_chart(chart: Chart, below: str) -> Picture:
    """A label has the same colour, dashes and marker in all panels."""
    figure, panels = panels_for(len(chart.panels))
    for axes, panel in zip(panels, chart.panels, strict=True):
        for line in panel.lines:
            _draw_line(axes, line, chart.labels.index(line.label))
        axes.set(xlabel=chart.x_label, ylabel=chart.y_label, title=panel.title)
        if chart.bytes_below:
            _use_bytes(axes)
        else:
            _use_points(axes, {x for line in panel.lines for x in line.x})
        if chart.from_zero:
            axes.set_ylim(0, 1.05 * axes.get_ylim()[1])
        else:
            use_plain_logarithm(axes.yaxis)
    finish(figure, panels, chart.title, below)
    return figure


def byte_text(count: float) -> str:
    """'4 KiB'."""
    unit = 0
    while count >= 1024 and unit + 1 < len(BYTE_UNITS):
        count, unit = count / 1024, unit + 1
    return f"{count:.3g} {BYTE_UNITS[unit]}" if count < 999.5 else f"{count:.0f} {BYTE_UNITS[unit]}"


def number_text(number: float) -> str:
    """'512', '262k', '16.8M', '1.07G'."""
    if number < 1e5:
        return f"{number:g}"
    rounded = float(f"{number:.3g}")
    unit, letter = next(pair for pair in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if rounded >= pair[0])
    return f"{rounded / unit:g}{letter}"


def panels_for(count: int) -> tuple[Picture, list[Axes]]:
    lines = -(-count // MOST_COLUMNS)
    columns = -(-count // lines)
    size = (max(6, 3.4 * columns), 1.6 + 2.9 * lines)
    figure, grid = subplots(lines, columns, figsize=size, squeeze=False)
    for empty in grid.flat[count:]:
        empty.set_visible(False)
    return figure, list(grid.flat[:count])


def finish(figure: Picture, panels: Sequence[Axes], title: str, *below: str) -> None:
    """One legend for all panels; grids to read values off; title and caption."""
    add_title(figure, title)
    entries = {}
    for axes in panels:
        axes.grid(axis="y", alpha=0.3)
        entries.update(dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True)))
    figure.legend(entries.values(), entries.keys(), loc="outside right upper", frameon=False, fontsize=9)
    add_caption(figure, below)


def _draw_line(axes: Axes, line: Line, index: int) -> None:
    error = None
    if line.spread:
        error = error_bars(np.array(line.y), *np.array(line.spread).T)
    axes.errorbar(line.x, line.y, yerr=error, capsize=2, linewidth=1.2, label=line.label, **line_style(index))


def _use_points(axes: Axes, points: set[float]) -> None:
    """A logarithmic axis with ticks where there are points, as far as there is room."""
    axes.set_xscale("log")
    between = (max(points) / min(points)) ** (1 / MOST_TICKS)
    ticks: list[float] = []
    for point in sorted(points):
        if not ticks or point > between * ticks[-1]:
            ticks.append(point)
    axes.set_xticks(ticks, [number_text(tick) for tick in ticks], fontsize=8)
    axes.minorticks_off()


def _use_bytes(axes: Axes) -> None:
    axes.set_xscale("log", base=2)
    low, high = np.log2(axes.get_xlim())
    step = 6 if high - low > 14 else 4 if high - low > 8 else 2 if high - low > 4 else 1
    first = int(np.ceil(low / step)) * step
    ticks = [2.0**power for power in range(first, int(high) + 1, step)]
    axes.set_xticks(ticks, [byte_text(tick) for tick in ticks], fontsize=8)
    axes.minorticks_off()
