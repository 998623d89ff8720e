"""Runs drawn side by side: where the time of a step goes, how it changes, how it adds up."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tayra.compared_run import ComparedRun
from tayra.errors import TayraError
from tayra.field_differences import FieldsApart
from tayra.figures import (
    BLACK,
    BLUE,
    DASHES,
    GREEN,
    ORANGE,
    STYLE,
    Picture,
    add_caption,
    line_style,
    marker_places,
)
from tayra.run_charts import evenly
from tayra.run_directory import Run
from tayra.several_runs import MIXED, add_dashes_legend, draw_panel, panels_of, tables_of
from tayra.step_statistics import PARTS, mean_parts
from tayra.table import Table

POINTS = 300  # of a curve: more than these can't be told apart
PHYSICS = 3  # panels of the flow: with the fields' differences they fill two rows
# Hatches tell the parts of a step apart in grey.
LOOKS = ((BLUE, ""), (ORANGE, "///"), ("#BBBBBB", "..."), (GREEN, "xxx"))


@rc_context(STYLE)
def draw_runs(
    runs: Sequence[ComparedRun], apart: Mapping[str, Sequence[FieldsApart]] | None = None
) -> Figure:
    """Below what the steps took the flows, as far as there are logs of them and fields that can be compared;
    `apart`: by label."""
    tables = _diagnostics(runs)
    panels = [panel for panel in panels_of(tables) if panel is not MIXED][:PHYSICS] if tables else []
    flows = [f"flow {number}" for number in range(len(panels) + bool(apart))]
    rows: list[Any] = [["stack", "series"], ["stack", "sums"], *_in_pairs(flows)]
    height = 7 + 3.3 * (len(rows) - 2) + 0.25 * len(runs)
    figure = Picture(figsize=(10, height), layout="constrained")
    places = figure.subplot_mosaic(rows)
    _draw_stack(places["stack"], runs)
    _draw_series(places["series"], runs)
    _draw_sums(places["sums"], runs)
    for name, panel in zip(flows, panels, strict=False):
        draw_panel(places[name], panel, tables)
    if apart:
        _draw_apart(places[flows[-1]], apart, [run.label for run in runs])
    add_caption(figure, [_caption(run) for run in runs])
    return figure


def _in_pairs(names: Sequence[str]) -> list[list[str]]:
    """The last one of an odd number is as wide as two."""
    return [[names[i], names[min(i + 1, len(names) - 1)]] for i in range(0, len(names), 2)]


def _diagnostics(runs: Sequence[ComparedRun]) -> list[Table]:
    """Of all; nothing if one has none."""
    try:
        return tables_of([Run(run.path) for run in runs])
    except TayraError:
        return []


def _draw_apart(axes: Axes, apart: Mapping[str, Sequence[FieldsApart]], labels: Sequence[str]) -> None:
    """Of each field the root mean square of the difference, in those of the first run's field about its mean.
    Colours are the runs', as in all panels."""
    fields = list(
        dict.fromkeys(one.field for times in apart.values() for each in times for one in each.fields)
    )
    for label, times in apart.items():
        style = line_style(labels.index(label))
        for field, dashes in zip(fields, DASHES, strict=False):
            points = [
                (each.time, one.rms / one.spread)
                for each in times
                for one in each.fields
                if one.field == field and one.rms > 0 and one.spread > 0  # others have no logarithm
            ]
            if points:
                axes.plot(*zip(*points, strict=True), linewidth=1.2, **style | {"linestyle": dashes})
    axes.set(
        xlabel="time", ylabel="rms of the difference / spread", title=f"fields, less those of {labels[0]}"
    )
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.set_yscale("log")
        add_dashes_legend(axes, fields)
    else:
        every = [one.rms for times in apart.values() for each in times for one in each.fields]
        told = "the table has the numbers" if any(rms != 0 for rms in every) else "no difference at all"
        axes.text(0.5, 0.5, told, ha="center", transform=axes.transAxes)


def _caption(run: ComparedRun) -> str:
    going = "; still going on" if run.status == "running" else ""
    resumed = f"; steps after {run.from_step}, where it was resumed" if run.from_step else ""
    return f"{run.label}:  {run.path}, {run.machine}{going}{resumed};  {run.command}"


def _draw_stack(axes: Axes, runs: Sequence[ComparedRun]) -> None:
    places = np.arange(len(runs))
    heights = np.array([list(mean_parts(run.timings).values()) for run in runs]).T
    bottom = np.zeros(len(runs))
    for name, (colour, hatch), height in zip(PARTS, LOOKS, heights, strict=True):
        axes.bar(
            places, height, 0.6, bottom, label=name, color=colour, hatch=hatch, edgecolor="white", linewidth=0
        )
        bottom += height
    transfers = [run.timings["comm_ms"].mean() for run in runs]
    axes.plot(
        places,
        transfers,
        linestyle="none",
        marker="D",
        color=BLACK,
        markerfacecolor="white",
        label="communication, hidden or not",
    )
    axes.set_xticks(places, [run.label for run in runs])
    axes.set_xlim(-0.6, len(runs) - 0.4)
    axes.set_ylim(0, 1.05 * max(bottom.max(), *transfers))
    axes.set(ylabel="time a step [ms], mean", title="where the time goes")
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.05), ncols=2)


def _draw_series(axes: Axes, runs: Sequence[ComparedRun]) -> None:
    for index, run in enumerate(runs):
        groups = np.array_split(run.timings["wall_ms"], min(POINTS, run.statistics.steps))
        steps = [group[group.size // 2] for group in np.array_split(run.timings["step"], len(groups))]
        low, middle, high = np.array([np.percentile(group, (5, 50, 95)) for group in groups]).T
        style = line_style(index)
        every = marker_places(index, len(groups))
        axes.plot(steps, middle, label=run.label, markevery=every, linewidth=1, **style)
        axes.fill_between(steps, low, high, color=style["color"], alpha=0.2, linewidth=0)
    spread = ": median, 5 to 95 %" if any(run.statistics.steps > POINTS for run in runs) else ""
    axes.set(xlabel="step", ylabel="time of a step [ms]", title=f"how it changes{spread}")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=8)


def _draw_sums(axes: Axes, runs: Sequence[ComparedRun]) -> None:
    for index, run in enumerate(runs):
        seconds = 1e-3 * np.cumsum(run.timings["wall_ms"] + run.timings["io_ms"])
        shown = evenly(seconds.size, POINTS)
        axes.plot(
            run.timings["step"][shown],
            seconds[shown],
            label=run.label,
            markevery=marker_places(index, shown.size),
            linewidth=1,
            **line_style(index),
        )
    axes.set(xlabel="step", ylabel="time so far, with output [s]", title="how it adds up")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=8)
