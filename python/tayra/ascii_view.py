"""Runs as text for a terminal: state, progress, the newest slice, and the heights of the layer over time."""

import json
import shutil
import sys
import textwrap
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tayra import run_summary
from tayra.command import say
from tayra.errors import TayraError
from tayra.watched_run import Look, WatchedRun, usual_view

ROWS = 10  # of a plot
PICTURE_ROWS = 16  # of a slice
SHADES = " .:-=+*#%@"
LETTER_SHAPE = 2  # times as high as wide
MOST_WIDE = 100  # letters
CLEAR = "\x1b[H\x1b[J"
EVERY = 1.0  # seconds
HEIGHTS = {"b": "bubble_height", "s": "spike_height", "w": "mixing_width"}


def watch_as_text(runs: Sequence[WatchedRun]) -> None:
    """On a terminal anew every second, until all have ended; elsewhere once."""
    is_live = sys.stdout.isatty()
    while True:
        looks = [run.look() for run in runs]
        width = min(MOST_WIDE, shutil.get_terminal_size().columns - 1)
        blocks = [text_of(run, look, width) for run, look in zip(runs, looks, strict=True)]
        text = "\n\n".join(blocks)
        if is_live:
            sys.stdout.write(CLEAR)
        say(text)
        if not is_live or not any(look.state.is_under_way for look in looks):
            return
        time.sleep(EVERY)


def text_of(run: WatchedRun, look: Look, width: int) -> str:
    summary = run_summary.summary_of(run, look)
    lines = [f"{summary['name']}: {summary['state']}", _flow(summary), _progress(summary, width)]
    if summary["speed"]:
        share = f", {summary['speed'] / summary['bound']:.0%} of the bound" if summary["bound"] else ""
        lines.append(f"{summary['speed']:.3g} cell-steps/s{share}")
    if summary["waits_for"]:
        lines.append("waits for: " + "; ".join(summary["waits_for"]))
    if summary["told"] and summary["state"] != "running":
        lines.append(summary["told"])
    lines += [f"! {text}" for text in (*summary["warnings"], *summary["missing"])]
    folded = [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ")]
    with np.errstate(all="ignore"):  # of a damaged one numbers may be anything
        return "\n".join([*folded, *picture_of(run, look, width), *plot_of(look, width)])


def picture_of(run: WatchedRun, look: Look, width: int) -> list[str]:
    """The slice that the page shows first, in shades; none of a 1-D flow, or where there is nothing."""
    from tayra.page_plane import plane_for_page  # only here, as HDF5 with it

    views = run.views()
    if not views:
        return []
    view = views[usual_view(views, look.state.is_under_way)]
    try:
        head, _, numbers = plane_for_page(view.snapshots[-1]).partition(b"\n")
    except TayraError:
        return []
    header = json.loads(head)
    low, high = header["low"], header["high"]
    if header["line"] or low is None:
        return []
    plane = np.frombuffer(numbers, "<f4").reshape(header["rows"], header["columns"])
    left, right, bottom, top = header["extent"]
    rows = min(PICTURE_ROWS, max(1, round((width - 1) * (top - bottom) / (right - left) / LETTER_SHAPE)))
    columns = max(1, min(width - 1, round(rows * LETTER_SHAPE * (right - left) / (top - bottom))))
    shares = (_sampled(plane, rows, columns) - low) / (high - low or 1)
    places = np.clip(np.nan_to_num(shares) * len(SHADES), 0, len(SHADES) - 1).astype(int)
    axis = "xyz"[header["axis"]]
    where = f"mean along {axis}" if header["mean"] else f"{axis} = {header['position']:.4g}"
    told = f"{header['fields'][header['field']]} from {low:.4g} to {high:.4g} ({SHADES[-1]}), {where}"
    lines = ["".join(SHADES[place] for place in row).rstrip() for row in places[::-1]]
    return [" ", f"{told}, t = {header['time']:.5g}, step {header['step']}", *("|" + line for line in lines)]


def _sampled(plane: NDArray[np.float32], rows: int, columns: int) -> NDArray[np.float32]:
    """The cells in the middle of equal pieces."""
    chosen = [
        ((np.arange(count) + 0.5) * size / count).astype(int)
        for count, size in zip((rows, columns), plane.shape, strict=True)
    ]
    return plane[np.ix_(*chosen)]


def plot_of(look: Look, width: int) -> list[str]:
    """The heights that the run has, as letters over time."""
    table = look.diagnostics
    curves = {letter: table[name] for letter, name in HEIGHTS.items() if name in table}
    finite = [values[np.isfinite(values)] for values in curves.values()]
    if not curves or table.rows < 2 or not any(values.size for values in finite):
        return []
    top = max(float(values.max()) for values in finite if values.size)
    begin, end = float(table["time"][0]), float(table["time"][-1])
    columns = max(20, width - 10)
    if not (top > 0 and end > begin):
        return []
    canvas = [[" "] * columns for _ in range(ROWS)]
    for letter, values in curves.items():
        _plot(canvas, letter, (table["time"] - begin) / (end - begin), values / top)
    now = ", ".join(
        f"{letter} {HEIGHTS[letter].replace('_', ' ')} {v[-1]:.4g}" for letter, v in curves.items()
    )
    lines = [" ", now]
    for number, row in enumerate(canvas):
        label = f"{top:8.3g}" if number == 0 else f"{0:8}" if number == ROWS - 1 else " " * 8
        lines.append(f"{label}|{''.join(row).rstrip()}")
    left, right = f"{begin:.4g}", f"time {end:.4g}"
    return [
        *lines,
        " " * 8 + "+" + "-" * columns,
        " " * 9 + left + right.rjust(columns - len(left)),
    ]


def _plot(canvas: list[list[str]], letter: str, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    columns = len(canvas[0])
    for column in range(columns):
        value = float(np.interp(column / (columns - 1), x, y))
        if np.isfinite(value):
            row = round((1 - min(1.0, max(0.0, value))) * (ROWS - 1))
            canvas[row][column] = letter


def _flow(summary: dict[str, Any]) -> str:
    box = " x ".join(map(str, summary["cells"]))
    parts = [summary["problem"], f"{box} cells" if box else "", summary["scheme"], summary["precision"]]
    return ", ".join(part for part in (*parts, summary["machine"]) if part)


def _progress(summary: dict[str, Any], width: int) -> str:
    told = []
    if summary["time"] is not None:
        of = f" of {summary['end_time']:g}" if summary["end_time"] else ""
        told.append(f"time {summary['time']:.5g}{of}")
    if summary["step"] is not None:
        of = f" of {summary['end_step']}" if summary["end_step"] else ""
        told.append(f"step {summary['step']}{of}")
    if summary["seconds_left"] is not None:
        told.append(f"{run_summary.duration(summary['seconds_left'])} left")
    if summary["share"] is None:
        return ", ".join(told)
    length = max(10, min(40, width - 50))
    done = int(summary["share"] * length)
    return f"[{'#' * done}{'.' * (length - done)}] {summary['share']:.0%}  {', '.join(told)}"
