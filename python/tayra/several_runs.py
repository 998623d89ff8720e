"""Several runs in one figure: their curves over time, results of a sweep, and 1-D flows over each other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from tayra.errors import TayraError
from tayra.figures import (
    BLACK,
    DASHES,
    STYLE,
    Picture,
    add_caption,
    drawable,
    line_style,
    marker_places,
    subplots,
)
from tayra.flow_figures import field_label, film_look, view_of
from tayra.run_charts import energy_budget
from tayra.run_directory import Run
from tayra.run_labels import labels_of, swept_key, swept_value
from tayra.snapshot import axis_of_line
from tayra.table import Table

Numbers = NDArray[np.float64]
Curve = Callable[[Table], Numbers]


def column(name: str) -> Curve:
    return lambda table: table[name]


def energy(name: str) -> Curve:
    return lambda table: energy_budget(table)[name]


@dataclass(frozen=True)
class Panel:
    """Of each run the same curves, which dashes tell apart: by name, empty where there is one."""

    title: str
    y_label: str
    curves: dict[str, Curve]


HEIGHTS = Panel("heights", "length", {"bubbles": column("bubble_height"), "spikes": column("spike_height")})
WIDTH = Panel("mixing width", "length", {"": column("mixing_width")})
MIXED = Panel("how mixed the layer is", "Θ", {"": column("theta")})
ENERGIES = Panel(
    "energy since the first row",
    "energy",
    {"released": energy("potential energy released"), "kinetic": energy("kinetic energy gained")},
)
PANELS = (
    HEIGHTS,
    WIDTH,
    MIXED,
    ENERGIES,
    Panel("largest Mach number", "Mach number", {"": column("max_mach")}),
    Panel("enstrophy", "length³ / time²", {"": column("enstrophy")}),
)
MOST_PANELS = 4


def tables_of(runs: Sequence[Run]) -> list[Table]:
    tables = [run.diagnostics() for run in runs]
    for run, table in zip(runs, tables, strict=True):
        if not table.rows:
            raise TayraError(f"{run.directory / 'diagnostics.csv'} holds no rows yet: leave this run out")
    return tables


def panels_of(tables: Sequence[Table]) -> list[Panel]:
    """Those that all runs have something in, the first ones."""
    return [panel for panel in PANELS if all(_has(table, panel) for table in tables)][:MOST_PANELS]


def _has(table: Table, panel: Panel) -> bool:
    try:
        return all(np.isfinite(curve(table)).any() for curve in panel.curves.values())
    except KeyError:
        return False


@rc_context(STYLE)
def draw_curves_of(runs: Sequence[Run]) -> Picture:
    tables, labels = tables_of(runs), labels_of(runs)
    panels = panels_of(tables)
    figure, places = _places(len(panels))
    for axes, panel in zip(places, panels, strict=True):
        draw_panel(axes, panel, tables)
    add_legend(figure, labels)
    add_caption(figure, captions(runs, labels))
    return figure


def draw_panel(axes: Axes, panel: Panel, tables: Sequence[Table]) -> None:
    for index, table in enumerate(tables):
        for number, curve in enumerate(panel.curves.values()):
            style = line_style(index) | {"linestyle": DASHES[number] if len(panel.curves) > 1 else DASHES[0]}
            every = marker_places(index, table.rows)
            axes.plot(table["time"], curve(table), linewidth=1.2, markevery=every, **style)
    axes.set(xlabel="time", ylabel=panel.y_label, title=panel.title)
    axes.grid(alpha=0.3)
    if len(panel.curves) > 1:
        add_dashes_legend(axes, list(panel.curves))


def add_dashes_legend(axes: Axes, names: Sequence[str]) -> None:
    """Of what dashes tell apart, whatever the run."""
    kinds = [Line2D([], [], color=BLACK, label=name) for name in names]
    for kind, dashes in zip(kinds, DASHES, strict=False):
        kind.set(linestyle=dashes)
    axes.legend(handles=kinds, frameon=False, fontsize=8)


def add_legend(figure: Picture, labels: Sequence[str]) -> None:
    """Of the runs, by colour and marker."""
    handles = []
    for index, label in enumerate(labels):
        handles.append(Line2D([], [], label=drawable(label), **line_style(index) | {"linestyle": "-"}))
    columns = max(1, min(len(labels), int(11 * figure.get_figwidth() / (4 + max(map(len, labels))))))
    legend = figure.legend(
        handles=handles, loc="outside upper left", ncols=columns, frameon=False, fontsize=9
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


def captions(runs: Sequence[Run], labels: Sequence[str]) -> list[str]:
    """Where the runs lie, if the labels do not say it."""
    return [
        f"{label}:  {run.directory}" for run, label in zip(runs, labels, strict=True) if label != run.name
    ]


@rc_context(STYLE)
def draw_sweep(runs: Sequence[Run], asked: str) -> Picture:
    """What each run has at the latest time that all have reached, over the key in which they differ."""
    tables = tables_of(runs)
    key = swept_key(runs, asked)
    time = min(float(table["time"][-1]) for table in tables)
    values = [swept_value(run, key) for run in runs]
    as_numbers = all(isinstance(value, float) for value in values)
    order = sorted(range(len(runs)), key=values.__getitem__) if as_numbers else list(range(len(runs)))
    names = list(dict.fromkeys(map(str, values)))
    across = [values[i] if as_numbers else names.index(str(values[i])) for i in order]
    panels = panels_of(tables)
    figure, places = _places(len(panels))
    for axes, panel in zip(places, panels, strict=True):
        for number, (name, curve) in enumerate(panel.curves.items()):
            heights = [float(np.interp(time, tables[i]["time"], curve(tables[i]))) for i in order]
            style = line_style(number) | ({} if as_numbers else {"linestyle": "none"})
            axes.plot(across, heights, linewidth=1.2, label=name, **style)
        axes.set(xlabel=key, ylabel=panel.y_label, title=panel.title)
        axes.grid(alpha=0.3)
        if not as_numbers:
            axes.set_xticks(range(len(names)), list(map(drawable, names)), parse_math=False)
            axes.margins(x=0.2)
        if len(panel.curves) > 1:
            axes.legend(frameon=False, fontsize=8)
    figure.suptitle(f"at t = {time:.6g}, the latest time that all runs have reached", fontsize=10)
    return figure


@rc_context(STYLE)
def draw_lines_of(runs: Sequence[Run], field: str) -> Picture:
    """1-D flows, each at its last snapshot."""
    labels = labels_of(runs)
    figure, axes = subplots(figsize=(7.0, 4.6))
    times = set()
    for index, run in enumerate(runs):
        snapshot = run.snapshot()
        view = view_of(snapshot.grid.cells, field, None, None, smooth=False)
        if view.line is None:
            raise TayraError(
                f"{run.directory} holds no 1-D flow, as the others do: leave it out, or --curves"
            )
        plane = view.plane(snapshot)
        look = film_look([(plane, snapshot)])
        times.add(look.time_text(snapshot.time))
        centres = snapshot.grid.centres(view.line)
        style = line_style(index) | {"markersize": 3, "markevery": max(1, centres.size // 60)}
        axes.plot(centres, plane.values[0], linewidth=1.2, **style)
        axes.set(xlabel=view.line, ylabel=field_label(plane.field, plane.units))
    axes.set_title(f"t = {' and '.join(sorted(times))}")
    axes.grid(alpha=0.3)
    add_legend(figure, labels)
    add_caption(figure, captions(runs, labels))
    return figure


def are_1d(runs: Sequence[Run]) -> bool:
    """By their newest snapshots."""
    series = [run.snapshots for run in runs]
    return all(series) and all(axis_of_line(each[-1].grid.cells) for each in series)


def _places(count: int) -> tuple[Picture, list[Axes]]:
    rows, columns = -(-count // 2), min(2, count)
    figure, grid = subplots(rows, columns, figsize=(5.0 * columns, 3.3 * rows + 0.8), squeeze=False)
    for empty in grid.flat[count:]:
        empty.set_visible(False)
    return figure, list(grid.flat[:count])
