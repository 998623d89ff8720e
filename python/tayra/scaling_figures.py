"""Figures of `bench scaling`: a panel a box, a line a halo backend, the number of slabs to the right."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tayra.bench_figure import caption
from tayra.bench_file import BenchFile
from tayra.errors import TayraError
from tayra.figures import BLACK, error_bars, line_style, use_plain_logarithm
from tayra.panels import finish, panels_for
from tayra.scaling import REFERENCE, Family, Scaling, equal_slabs, halos_of, scalings, strong, weak

Value = Callable[[Family, Scaling], float | None]
Point = tuple[Scaling, float]


@dataclass(frozen=True)
class Picture:
    """What one figure shows of families. `second`, if any, is drawn with open markers."""

    name: str
    title: str
    label: str
    value: Value
    second: Value | None = None
    names: tuple[str, str] = ("", "")
    logarithmic: bool = True
    level: float | None = None  # a line to hold the others against
    ideal: bool = False
    spread: bool = False


SPEED = Picture(
    "speed", "speed", "speed [10⁹ cell-steps/s]", lambda _, r: 1e-9 * r.cell_steps_per_second, ideal=True
)
TIME = Picture(
    "time", "time of a step, least to most", "time of a step [ms]", lambda _, r: r.ms_per_step, spread=True
)
RATIO = Picture(
    "ratio",
    f"speed against {REFERENCE}",
    f"speed / speed with {REFERENCE}",
    lambda family, row: family.speed_ratio(row),
    logarithmic=False,
    level=1,
)
PARTS = Picture(
    "parts",
    "computation and communication",
    "time in a step [ms]",
    lambda _, row: row.compute_ms,
    lambda _, row: row.comm_ms or None,
    names=(", computation", ", communication"),
)
EFFICIENCY = Picture(
    "efficiency",
    "speed of a slab against one alone",
    "efficiency",
    lambda family, row: family.efficiency(row),
    logarithmic=False,
    level=1,
)


def draw_scaling(file: BenchFile) -> Iterator[tuple[str, Figure]]:
    """Every figure that the rows give, with a name for its file."""
    rows = scalings(file.rows)
    grown, cut = weak(rows), strong(rows)
    if not grown and not cut:
        raise TayraError(
            f"{file.paths_text}: no box on several numbers of slabs (nothing scales here): name a whole sweep"
        )
    below = caption("data", file)
    for kind, families, pictures in (
        ("strong", cut, (SPEED, TIME, RATIO, PARTS)),
        ("weak", grown, (EFFICIENCY, replace(TIME, logarithmic=False), RATIO, PARTS)),
    ):
        for picture in pictures:
            shown = [family for family in families if _has_values(picture, family)]
            if shown:
                yield f"{kind}_{picture.name}", _draw(kind, picture, shown, below)
    if any(row.gb_per_second for row in rows):
        yield "transfer_rate", _draw_rates(rows, below)


def _has_values(picture: Picture, family: Family) -> bool:
    return any(picture.value(family, row) is not None for row in family.rows)


def _draw(kind: str, picture: Picture, families: Sequence[Family], below: str) -> Figure:
    figure, panels = panels_for(len(families))
    halos = halos_of(row for family in families for row in family.rows)
    for axes, family in zip(panels, families, strict=True):
        _draw_panel(axes, picture, family, halos)
    finish(figure, panels, f"{kind} scaling: {picture.title}", below)
    return figure


def _draw_panel(axes: Axes, picture: Picture, family: Family, halos: Sequence[str]) -> None:
    if picture.level is not None:
        axes.axhline(picture.level, color=BLACK, linewidth=0.8)
    if picture.ideal:
        _draw_ideal(axes, family)
    for halo in family.halos:
        style = line_style(halos.index(halo))
        first, second = picture.names
        points = _points(picture.value, family, halo)
        _draw_line(axes, points, {**style, "label": halo + first}, picture.spread)
        if picture.second:
            open_style = {**style, "markerfacecolor": "white", "label": halo + second}
            _draw_line(axes, _points(picture.second, family, halo), open_style)
    counts = sorted({row.slabs for row in family.rows})
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, map(str, counts))
    axes.minorticks_off()
    axes.set(xlabel="slabs", ylabel=picture.label, title=family.title)
    if picture.logarithmic:
        use_plain_logarithm(axes.yaxis)
    else:
        axes.set_ylim(0, 1.05 * axes.get_ylim()[1])


def _points(value: Value, family: Family, halo: str) -> list[Point]:
    heights = [(row, value(family, row)) for row in family.line(halo)]
    return [(row, height) for row, height in heights if height is not None]


def _draw_line(axes: Axes, points: Sequence[Point], style: dict[str, Any], with_spread: bool = False) -> None:
    slabs, heights = [row.slabs for row, _ in points], np.array([height for _, height in points])
    spread = None
    if with_spread:
        extremes = np.array([(r.ms_per_step_least, r.ms_per_step_most) for r, _ in points])
        spread = error_bars(heights, *extremes.T)
    axes.errorbar(slabs, heights, yerr=spread, capsize=2, linewidth=1.2, **style)


def _draw_ideal(axes: Axes, family: Family) -> None:
    one = next((row for row in family.rows if row.slabs == 1), None)
    if one:
        counts = np.array(sorted({row.slabs for row in family.rows}))
        speeds = 1e-9 * one.cell_steps_per_second * counts
        axes.plot(counts, speeds, color="#999999", linewidth=0.8, label="ideal")


def _draw_rates(rows: Sequence[Scaling], below: str) -> Figure:
    """A panel a number of slabs: rates depend on size."""
    groups = equal_slabs([row for row in rows if row.gb_per_second])
    halos = halos_of(rows)
    figure, panels = panels_for(len(groups))
    for axes, group in zip(panels, groups, strict=True):
        for halo in group.halos:
            points = sorted((1e-6 * r.bytes_sent, r.gb_per_second) for r in group.rows if r.halo == halo)
            style = line_style(halos.index(halo))
            axes.plot(*zip(*points, strict=True), label=halo, linewidth=1.2, **style)
        use_plain_logarithm(axes.xaxis)
        use_plain_logarithm(axes.yaxis)
        axes.set(xlabel="sent by all slabs in a step [MB]", ylabel="rate [GB/s]", title=group.title)
    title = "transfer rate: bytes sent over communication time, all slabs together"
    finish(figure, panels, title, below)
    return figure
