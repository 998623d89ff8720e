"""Bench files drawn side by side: each case's time in each file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tayra.bench_file import BenchFile, Row, case_text, telling_columns
from tayra.errors import TayraError
from tayra.figures import add_caption, line_style, use_plain_logarithm

MOST_CASES = 80


def draw_cases(files: Sequence[BenchFile], labels: Sequence[str], cases: Sequence[Sequence[Row]]) -> Figure:
    if len(cases) > MOST_CASES:
        raise TayraError(
            f"{len(cases)} cases are too many for one picture (at most {MOST_CASES}): leave out --plot"
        )
    columns = files[0].columns
    figure, axes = plt.subplots(figsize=(8, 2.2 + 0.3 * len(cases)), layout="constrained")
    for index, name in enumerate(labels):
        style = line_style(index) | {"linestyle": "none", "label": name}
        # Side by side, else equal times hide each other.
        places = np.arange(len(cases)) + 0.5 * ((index + 0.5) / len(labels) - 0.5)
        _draw_times(axes, places, [case[index] for case in cases], columns.time, style)
    names = telling_columns(columns, [case[0] for case in cases])
    words = [", ".join(_words(key, case[0][key]) for key in names) for case in cases]
    axes.set_yticks(np.arange(len(cases)), words, fontsize=8)
    axes.invert_yaxis()
    use_plain_logarithm(axes.xaxis)
    axes.grid(axis="x", which="both", alpha=0.3)
    axes.set_xlabel(f"{_axis_label(columns.time)}: median, least and most")
    axes.set_title(f"bench {files[0].benchmark}")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    add_caption(figure, [caption(name, file) for name, file in zip(labels, files, strict=True)])
    return figure


def _draw_times(
    axes: Axes, places: NDArray[np.floating[Any]], rows: Sequence[Row], time: str, style: dict[str, Any]
) -> None:
    middle, least, most = np.array([[row[time + e] for row in rows] for e in ("", "_least", "_most")])
    # Rounding may put a median beyond its extremes.
    spread = np.maximum(0, [middle - least, most - middle])
    axes.errorbar(middle, places, xerr=spread, capsize=2, **style)


def caption(name: str, file: BenchFile) -> str:
    command = f";  {file.command_line}" if file.command else ""
    here = Path.cwd()
    path = file.path.relative_to(here) if file.path.is_relative_to(here) else file.path
    return f"{name}:  {path}, {file.device_and_machine}{command}"


def _words(column: str, value: object) -> str:
    text = case_text(value)
    return f"{column.replace('_', ' ')} {text}" if text in ("on", "off") or text[0].isdigit() else text


def _axis_label(column: str) -> str:
    unit, _, what = column.partition("_per_")
    return f"time of a {what} [{unit.replace('us', 'µs')}]"
