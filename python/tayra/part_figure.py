"""A part in one file as a picture: a curve of a point, space and time of a line, the last of a slice;
or its mean and extremes over time."""

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes

from tayra.errors import TayraError
from tayra.figures import STYLE, Picture, add_title, mark_points, subplots
from tayra.flow_figures import draw_mean_and_extremes, field_label
from tayra.part_file import PartSeries


def _edges(centres: np.ndarray) -> np.ndarray:
    step = centres[1] - centres[0]
    return np.append(centres - step / 2, centres[-1] + step / 2)


def _where(part: PartSeries) -> str:
    return ", ".join(
        f"mean along {axis}" if "mean" in part.meanings[axis] else f"{axis} = {place[0]:.4g}"
        for axis, place in sorted(part.places.items())
        if axis not in part.axes
    )


@rc_context(STYLE)
def draw_part(part: PartSeries, field: str) -> Picture:
    values = _rows(part, field)
    if len(part.axes) > 2:
        raise TayraError(
            f"{part.path} is no point, line or slice: draw it in ParaView, or by {part.name}.xmf"
        )
    figure, axes = subplots(figsize=(8, 4.5))
    one_row = len(part.time) == 1
    if not part.axes:
        _draw_line(axes, "time", part.time, field, values)
    elif len(part.axes) == 1 and one_row:
        _draw_line(axes, part.axes[0], part.places[part.axes[0]], field, values[0])
    elif len(part.axes) == 1:
        # Between the middles of neighbouring times: a row is the state at its own.
        middles = (part.time[1:] + part.time[:-1]) / 2
        times = np.concatenate([part.time[:1], middles, part.time[-1:]])
        drawn = axes.pcolormesh(times, _edges(part.places[part.axes[0]]), values.T, cmap="viridis")
        axes.set(xlabel="time", ylabel=part.axes[0])
        figure.colorbar(drawn, ax=axes, label=field)
    else:
        up, right = part.axes
        drawn = axes.pcolormesh(
            _edges(part.places[right]), _edges(part.places[up]), values[-1], cmap="viridis"
        )
        axes.set(xlabel=right, ylabel=up, aspect="equal")
        figure.colorbar(drawn, ax=axes, label=field)
    where = _where(part)
    last = f"time {part.time[-1]:.4g}" if len(part.axes) == 2 or (part.axes and one_row) else ""
    add_title(figure, f"{part.name}: {', '.join(filter(None, (field, where, last)))}")
    return figure


def draw_part_over_time(part: PartSeries, field: str) -> Picture:
    """Mean, least and most of its cells."""
    cells = _rows(part, field).reshape(len(part.time), -1)
    each = np.stack([cells.mean(axis=1), cells.min(axis=1), cells.max(axis=1)], axis=1)
    units = part.units[field if field in part else field.rpartition("_")[0]]
    title = ": ".join(filter(None, (part.name, _where(part))))
    return draw_mean_and_extremes(part.time, each, field_label(field, units), title)


def _rows(part: PartSeries, field: str) -> np.ndarray:
    values = part.scalar(field)
    if not len(part.time):
        raise TayraError(f"{part.path} holds no rows yet")
    return values


def _draw_line(axes: Axes, along: str, places: np.ndarray, field: str, values: np.ndarray) -> None:
    axes.plot(places, values, linewidth=1.2)
    mark_points(axes)
    axes.set(xlabel=along, ylabel=field)
    axes.grid(alpha=0.3)
