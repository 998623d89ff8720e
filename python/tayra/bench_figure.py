"""Bench files drawn side by side: each case's time in each file."""

from collections.abc import Sequence

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from tayra.bench_file import BenchFile, Row, case_text, telling_columns
from tayra.comparison import fact
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
    places = np.arange(len(cases))
    for index, name in enumerate(labels):
        middle, least, most = (
            np.array([case[index][columns.time + ending] for case in cases])
            for ending in ("", "_least", "_most")
        )
        # Rounding may put a median beyond its extremes.
        spread = np.maximum(0, [middle - least, most - middle])
        style = line_style(index) | {"linestyle": "none"}
        # Side by side, else equal times hide each other.
        shifted = places + 0.5 * ((index + 0.5) / len(labels) - 0.5)
        axes.errorbar(middle, shifted, xerr=spread, label=name, capsize=2, **style)
    names = telling_columns(columns, [case[0] for case in cases])
    axes.set_yticks(
        places, [", ".join(_words(key, case[0][key]) for key in names) for case in cases], fontsize=8
    )
    axes.invert_yaxis()
    use_plain_logarithm(axes.xaxis)
    axes.grid(axis="x", which="both", alpha=0.3)
    axes.set(
        xlabel=f"{_axis_label(columns.time)}: median, least and most", title=f"bench {files[0].benchmark}"
    )
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    add_caption(figure, [caption(name, file) for name, file in zip(labels, files, strict=True)])
    return figure


def caption(name: str, file: BenchFile) -> str:
    machine = f" on {file.machine}" if file.machine else ""
    command = f";  {file.command_line}" if file.command else ""
    return f"{name}:  {file.path}, {fact(file.devices)}{machine}{command}"


def _words(column: str, value: object) -> str:
    text = case_text(value)
    return f"{column.replace('_', ' ')} {text}" if text in ("on", "off") or text[0].isdigit() else text


def _axis_label(column: str) -> str:
    unit, _, what = column.partition("_per_")
    return f"time of a {what} [{unit.replace('us', 'µs')}]"
