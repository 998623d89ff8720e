"""Bench files drawn side by side: a row a case, or of many cases lines of how much faster each is."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator
from numpy.typing import NDArray

from tayra.bench_file import BenchFile, Benchmark, Row, case_text, telling_columns
from tayra.figures import BLACK, STYLE, add_caption, error_bars, line_style, subplots, use_plain_logarithm
from tayra.panels import byte_text, finish, panels_for

MOST_ROWS = 80
MOST_TICKS = 5
Case = Sequence[Row]  # in each file
Pair = tuple[Row, Row]  # of a case, in the first file and in another
Style = dict[str, Any]


@rc_context(STYLE)
def draw_cases(files: Sequence[BenchFile], labels: Sequence[str], cases: Sequence[Case]) -> Figure:
    draw = _draw_rows if len(cases) <= MOST_ROWS else _draw_speed_ups
    return draw(files, labels, cases)


def _draw_rows(files: Sequence[BenchFile], labels: Sequence[str], cases: Sequence[Case]) -> Figure:
    columns = files[0].columns
    figure, axes = subplots(figsize=(8, 2.2 + 0.3 * len(cases)))
    for index, name in enumerate(labels):
        style = line_style(index) | {"linestyle": "none", "label": name}
        # Side by side, else equal times hide each other.
        places = np.arange(len(cases)) + 0.5 * ((index + 0.5) / len(labels) - 0.5)
        _draw_times(axes, places, [case[index] for case in cases], columns.time, style)
    names = telling_columns(columns, [case[0] for case in cases])
    words = [", ".join(_words(key, case[0][key]) for key in names) for case in cases]
    axes.set_yticks(np.arange(len(cases)), words, fontsize=8)
    axes.set_ylim(len(cases) - 0.5, -0.5)
    use_plain_logarithm(axes.xaxis)
    axes.grid(axis="x", which="both", alpha=0.3)
    axes.set_xlabel(f"{_axis_label(columns.time)}: median, least and most")
    axes.set_title(f"bench {files[0].benchmark}")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    add_caption(figure, [caption(name, file) for name, file in zip(labels, files, strict=True)])
    return figure


def _draw_speed_ups(files: Sequence[BenchFile], labels: Sequence[str], cases: Sequence[Case]) -> Figure:
    """A panel for what the columns beside `along` and `line` say, and for each file after the first."""
    columns = files[0].columns
    apart = [key for key in columns.case if key not in (columns.along, columns.line)]
    apart = [key for key in telling_columns(columns, [case[0] for case in cases]) if key in apart]
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(", ".join(_words(key, case[0][key]) for key in apart), []).append(case)
    names = [case_text(row[columns.line]) for row in _rows_in_lines(columns, groups.values())]
    styles = {name: line_style(index) for index, name in enumerate(dict.fromkeys(names))}
    figure, panels = panels_for(len(groups) * (len(labels) - 1))
    shown = iter(panels)
    for index in range(1, len(labels)):
        for title, group in groups.items():
            axes = next(shown)
            pairs = [(case[0], case[index]) for case in group]
            draw = _draw_lines if _has_lines(columns, group) else _draw_points
            draw(axes, columns, pairs, styles)
            axes.set(title=title, ylabel=f"speed-up of {labels[index]} against {labels[0]}")
    medians = [case[0][columns.time] / row[columns.time] for case in cases for row in case[1:]]
    for axes in panels:
        axes.axhline(1, color=BLACK, linewidth=0.8, zorder=0)
        axes.set_ylim(0.8 * min(medians), 1.25 * max(medians))  # the same for all; bars may go beyond
        use_plain_logarithm(axes.yaxis)
        if max(medians) < 3 * min(medians):
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 1.2, 1.5, 2, 3, 5, 6, 7, 8), numticks=20))
    captions = [caption(name, file) for name, file in zip(labels, files, strict=True)]
    finish(figure, panels, f"bench {files[0].benchmark}, bars: least to most", *captions)
    return figure


def _has_lines(columns: Benchmark, cases: Sequence[Case]) -> bool:
    return len({repr(case[0][columns.along]) for case in cases}) > 1


def _rows_in_lines(columns: Benchmark, groups: Iterable[Sequence[Case]]) -> list[Row]:
    return [case[0] for cases in groups if _has_lines(columns, cases) for case in cases]


def _draw_lines(axes: Axes, columns: Benchmark, pairs: Sequence[Pair], styles: dict[str, Style]) -> None:
    """Values of `along` stand at equal distances, since some begin at zero."""
    ordered = sorted(pairs, key=lambda pair: pair[0][columns.along])
    ticks = list(dict.fromkeys(_tick(columns.along, pair[0]) for pair in ordered))
    for name, style in styles.items():
        mine = [pair for pair in ordered if case_text(pair[0][columns.line]) == name]
        places = [ticks.index(_tick(columns.along, pair[0])) for pair in mine]
        if mine:
            _draw_ratios(axes, places, mine, columns.time, style | {"label": name})
    stride = -(-len(ticks) // MOST_TICKS)
    axes.set_xticks(range(0, len(ticks), stride), ticks[::stride], fontsize=8)
    axes.set_xlabel(columns.along.replace("_", " "))


def _draw_points(axes: Axes, columns: Benchmark, pairs: Sequence[Pair], _: dict[str, Style]) -> None:
    """Of what would be lines of one point: `line` along the axis."""
    _draw_ratios(
        axes, range(len(pairs)), pairs, columns.time, {"color": BLACK, "marker": "o", "linestyle": "none"}
    )
    names = [textwrap.fill(case_text(pair[0][columns.line]), max(1, 36 // len(pairs))) for pair in pairs]
    axes.set_xticks(range(len(pairs)), names, fontsize=8)
    axes.set_xlim(-0.5, len(pairs) - 0.5)


def _draw_ratios(axes: Axes, places: Sequence[int], pairs: Sequence[Pair], time: str, style: Style) -> None:
    """Of medians, and the least and the most that the extremes of both allow."""
    middle = np.array([first[time] / other[time] for first, other in pairs])
    least = np.array([first[f"{time}_least"] / other[f"{time}_most"] for first, other in pairs])
    most = np.array([first[f"{time}_most"] / other[f"{time}_least"] for first, other in pairs])
    bars = error_bars(middle, least, most)
    axes.errorbar(places, middle, yerr=bars, capsize=2, linewidth=1.2, **style | {"markersize": 4})


def _tick(column: str, row: Row) -> str:
    value = row[column]
    if column == "bytes":
        return byte_text(value)
    return "\n".join(map(str, value)) if isinstance(value, list) else case_text(value)


def _draw_times(
    axes: Axes, places: NDArray[np.floating[Any]], rows: Sequence[Row], time: str, style: dict[str, Any]
) -> None:
    middle, least, most = np.array([[row[time + e] for row in rows] for e in ("", "_least", "_most")])
    axes.errorbar(middle, places, xerr=error_bars(middle, least, most), capsize=2, **style)


def caption(name: str, file: BenchFile) -> str:
    command = f";  {file.command_line}" if file.command else ""
    return f"{name}:  {file.paths_text}, {file.device_and_machine}{command}"


def _words(column: str, value: object) -> str:
    text = case_text(value).replace("_", " ").replace("gpu", "GPU")
    if column == "directions":
        return "one way" if text == "one" else f"{text} ways"
    says_little = column == "axis" or text in ("on", "off") or text[0].isdigit()
    return f"{column.replace('_', ' ')} {text}" if says_little else text


def _axis_label(column: str) -> str:
    unit, _, what = column.partition("_per_")
    article = "an" if what[0] in "aeiou" else "a"
    return f"time of {article} {what} [{unit.replace('us', 'µs')}]"
