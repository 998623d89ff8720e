"""Runs as text for a terminal: state, progress, and the heights of the layer over time."""

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
from tayra.watched_run import Look, WatchedRun

ROWS = 10  # of a plot
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
        return "\n".join([*folded, *plot_of(look, width)])


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
