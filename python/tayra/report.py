"""Tables of words and numbers, as text for a terminal and as Markdown."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tayra.files import whole_file
from tayra.printable import for_markdown, printable

TERMINAL_WIDTH = 100
WIDEST_VALUE = 34
GAP = "  "


@dataclass(frozen=True)
class Section:
    """One table. The first `labels` columns name a row and are set left, the others right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    labels: int = 1
    note: str = ""


def as_text(sections: Sequence[Section]) -> str:
    return "\n\n".join("\n".join(_text_lines(_shown(section, printable))) for section in sections)


def as_markdown(sections: Sequence[Section]) -> str:
    return "\n\n".join("\n".join(_markdown_lines(_shown(section, for_markdown))) for section in sections)


def write_text(path: Path, text: str) -> Path:
    """The folder is made where it is missing. Bytes of names that are no letters stand there as codes."""
    with whole_file(path) as beside:
        beside.write_text(text, encoding="utf-8", errors="backslashreplace")
    return path


def digits(value: float) -> str:
    """Four of them, without an exponent for times that people wait for."""
    return f"{value:.4g}" if abs(value) < 9999.5 else f"{value:.0f}"


def short(text: str, width: int) -> str:
    """Without its middle where it is too long: paths and commands say most at their ends."""
    if len(text) <= width:
        return text
    tail = (width - 1) * 2 // 3
    return f"{text[: width - 1 - tail]}…{text[-tail:]}"


def fact(value: object) -> str:
    """A value of a record in words: equal neighbours in a list are counted."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        counted = [(len(list(equal)), text) for text, equal in groupby(map(fact, value))]
        return ", ".join(f"{count} x {text}" if count > 1 else text for count, text in counted)
    if isinstance(value, float):
        return f"{value:.6g}"
    return json.dumps(value)


def _shown(section: Section, shown: Callable[[object], str]) -> Section:
    """With nothing in it that a terminal or a page would obey. The lines of a note stay."""
    return Section(
        shown(section.title),
        [shown(column) for column in section.columns],
        [[shown(cell) for cell in row] for row in section.rows],
        section.labels,
        "\n".join(map(shown, section.note.split("\n"))),
    )


def _text_lines(section: Section) -> Iterator[str]:
    yield section.title
    table = _fitting([section.columns, *section.rows], section.labels)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    blocks = _blocks(widths, section.labels) if section.rows else []
    for number, block in enumerate(blocks):
        if number:
            yield ""
        for row in table:
            cells = [
                row[i].ljust(widths[i]) if i < section.labels else row[i].rjust(widths[i]) for i in block
            ]
            yield (GAP + GAP.join(cells)).rstrip()
    yield from (GAP + line for line in section.note.splitlines())


def _fitting(table: Sequence[Sequence[str]], labels: int) -> list[list[str]]:
    """Cells cut so that all labels and at least one more column stand side by side."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    widths = [width if i < labels else min(width, WIDEST_VALUE) for i, width in enumerate(widths)]
    free = TERMINAL_WIDTH - len(GAP) * (labels + 1) - max(widths[labels:], default=0)
    limit = next(n for n in range(TERMINAL_WIDTH, 0, -1) if sum(min(w, n) for w in widths[:labels]) <= free)
    return [
        [short(cell, limit if i < labels else WIDEST_VALUE) for i, cell in enumerate(row)] for row in table
    ]


def _blocks(widths: Sequence[int], labels: int) -> list[list[int]]:
    """Columns side by side as far as a terminal is wide; each block begins with the labels."""
    head = list(range(labels))
    blocks = [head.copy()]
    for column in range(labels, len(widths)):
        width = sum(len(GAP) + widths[i] for i in (*blocks[-1], column))
        if width > TERMINAL_WIDTH and len(blocks[-1]) > labels:
            blocks.append(head.copy())
        blocks[-1].append(column)
    return blocks


def _markdown_lines(section: Section) -> Iterator[str]:
    yield f"**{section.title}**\n"
    if section.rows:
        yield _markdown_row(section.columns)
        yield _markdown_row(["---" if i < section.labels else "---:" for i in range(len(section.columns))])
    for row in section.rows:
        yield _markdown_row(row)
    if section.note:
        yield f"\n{section.note}"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
