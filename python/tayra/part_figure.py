"""A part in one file as a picture: a curve of a point, space and time of a line, the last of a slice."""

import numpy as np
from matplotlib import rc_context

from tayra.errors import TayraError
from tayra.figures import STYLE, Picture, subplots
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
    values = part.scalar(field)
    if not len(part.time):
        raise TayraError(f"{part.path} holds no rows yet")
    if len(part.axes) > 2:
        raise TayraError(
            f"{part.path} is no point, line or slice: draw it in ParaView, or by {part.name}.xmf"
        )
    figure, axes = subplots(1, 1, figsize=(8, 4.5))
    if not part.axes:
        axes.plot(part.time, values, linewidth=1.2)
        axes.set(xlabel="time", ylabel=field)
        axes.grid(alpha=0.3)
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
    last = f", time {part.time[-1]:.4g}" if len(part.axes) == 2 else ""
    where = _where(part)
    figure.suptitle(f"{part.name}: {field}{f', {where}' if where else ''}{last}", x=0.01, ha="left")
    return figure
