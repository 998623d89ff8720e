"""The JSON files of `tayra bench`: one convention for all benchmarks (docs/files.md), read and checked."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from tayra.errors import TayraError
from tayra.files import read_object
from tayra.report import fact

Row = dict[str, Any]


@dataclass(frozen=True)
class Benchmark:
    """The columns that its rows must have; they may have more."""

    case: tuple[str, ...]  # say what was measured: no two rows agree in all of them
    along: str  # of these, the one that a line of many cases goes along
    line: str  # and the one by which such lines are told apart
    time: str  # the median that comparisons are about; its extremes are in <time>_least and <time>_most
    more: tuple[str, ...] = ()

    @property
    def measured(self) -> tuple[str, ...]:
        return (self.time, f"{self.time}_least", f"{self.time}_most", *self.more)


BENCHMARKS = {
    "step": Benchmark(
        ("scheme", "precision", "positivity", "cells", "slabs"),
        "cells",
        "scheme",
        "ms_per_step",
        ("cell_steps_per_second",),
    ),
    "scaling": Benchmark(
        ("scheme", "precision", "cells", "slabs", "cut_y", "halo"),
        "slabs",
        "halo",
        "ms_per_step",
        ("compute_ms", "comm_ms", "exposed_ms", "bytes_sent"),
    ),
    "transfer": Benchmark(
        ("way", "bytes", "blocks", "pairs", "directions"),
        "bytes",
        "way",
        "us_per_transfer",
        ("gb_per_second",),
    ),
    "halo": Benchmark(
        ("precision", "cells", "slabs", "halo", "axis", "packed"),
        "cells",
        "halo",
        "us_per_exchange",
        ("gb_per_second", "face_bytes"),
    ),
    "cadence": Benchmark(
        ("way", "bytes", "interval_ms", "keep_alive"), "interval_ms", "way", "us_per_transfer"
    ),
    "overheads": Benchmark(("what", "variant", "bytes"), "bytes", "variant", "us_per_call"),
}


MOST = 10**30  # of anything: more is damage, and some of it too large to compute with


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < MOST


def _is_number(value: object) -> TypeGuard[float]:
    return type(value) in (int, float)


def _is_amount(value: object) -> bool:
    return _is_number(value) and 0 <= value < MOST


def _is_grid(value: object) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(_is_count(n) and n > 0 for n in value)


# A column means the same in every benchmark. Those not named here are amounts.
KINDS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "cells": ("three counts above 0", _is_grid),
    **dict.fromkeys(
        ("slabs", "cut_y", "pairs", "blocks"), ("a count above 0", lambda v: _is_count(v) and v != 0)
    ),
    "bytes": ("a count", _is_count),
    **dict.fromkeys(("positivity", "packed", "keep_alive"), ("true or false", lambda v: isinstance(v, bool))),
    **dict.fromkeys(
        ("scheme", "precision", "halo", "axis", "way", "directions", "what", "variant"),
        ("a word", lambda v: isinstance(v, str) and v != ""),
    ),
}
HEADER = ("benchmark", "tayra", "commit", "machine", "devices", "command", "rows", "skipped")
AMOUNT = ("a number of at least 0", _is_amount)
IF_MISSING = {"cut_y": 1}  # what columns stand for that files of older versions lack


@dataclass(frozen=True)
class BenchFile:
    path: Path
    benchmark: str
    tayra: str
    commit: str
    machine: str
    devices: list[str]
    command: list[str]
    conditions: dict[str, Any]  # what else the header says of all rows
    rows: list[Row]
    more_paths: tuple[Path, ...] = ()  # of files whose rows were joined to those of `path`

    @property
    def columns(self) -> Benchmark:
        return BENCHMARKS[self.benchmark]

    @property
    def paths_text(self) -> str:
        """As seen from the current directory."""
        here = Path.cwd()
        paths = (self.path, *self.more_paths)
        return ", ".join(str(p.relative_to(here) if p.is_relative_to(here) else p) for p in paths)

    @property
    def device_and_machine(self) -> str:
        return fact(self.devices) + (f" on {self.machine}" if self.machine else "")

    @property
    def command_line(self) -> str:
        return shlex.join([Path(word).name if i == 0 else word for i, word in enumerate(self.command)])


def read_bench_file(path: Path) -> BenchFile:
    try:
        document = read_object(path)
    except TayraError as error:
        if path.suffix != ".csv":
            raise
        raise TayraError(
            f"{path} is a table: name a run's directory, or a file of `tayra bench ... --json`"
        ) from error
    name = document.get("benchmark")
    if not isinstance(name, str) or name not in BENCHMARKS:
        raise TayraError(
            f"{path} is no bench file of Tayra ('benchmark' is none of {', '.join(BENCHMARKS)}): "
            "name a file written by `tayra bench ... --json FILE`"
        )
    return BenchFile(
        path=path,
        benchmark=name,
        tayra=_header_text(path, document, "tayra"),
        commit=_header_text(path, document, "commit"),
        machine=_header_text(path, document, "machine"),
        devices=_header_words(path, document, "devices"),
        command=_header_words(path, document, "command"),
        conditions={key: value for key, value in document.items() if key not in HEADER},
        rows=_checked_rows(path, BENCHMARKS[name], document.get("rows")),
    )


def _header_text(path: Path, document: dict[str, Any], key: str) -> str:
    value = document.get(key)
    if not isinstance(value, str):
        raise _damaged(path, f"'{key}' of its header is missing or no text")
    return value


def _header_words(path: Path, document: dict[str, Any], key: str) -> list[str]:
    value = document.get(key)
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise _damaged(path, f"'{key}' of its header is missing or no list of texts")
    return value


def _checked_rows(path: Path, benchmark: Benchmark, rows: object) -> list[Row]:
    if not isinstance(rows, list):
        raise _damaged(path, "it has no list of rows")
    if not rows:
        raise TayraError(f"{path} holds no rows (nothing was measured): run the benchmark again")
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        _check_row(path, benchmark, number, row)
        earlier = seen.setdefault(repr(case_of(benchmark, row)), number)
        if earlier != number:
            raise _damaged(path, f"rows {earlier} and {number} are of the same case")
    return rows


def _check_row(path: Path, benchmark: Benchmark, number: int, row: object) -> None:
    if not isinstance(row, dict):
        raise _damaged(path, f"row {number} is no object")
    for column in (*benchmark.case, *benchmark.measured):
        if column in IF_MISSING:
            row.setdefault(column, IF_MISSING[column])
        kind, holds = KINDS.get(column, AMOUNT)
        if column not in row:
            raise _damaged(path, f"row {number} has no '{column}'")
        if not holds(row[column]):
            raise _damaged(path, f"'{column}' of row {number} is {row[column]!r}, not {kind}")
    for column in (benchmark.time, f"{benchmark.time}_least"):
        if row[column] == 0:
            raise _damaged(path, f"'{column}' of row {number} is 0")


def case_of(benchmark: Benchmark, row: Row) -> tuple[object, ...]:
    return tuple(tuple(row[key]) if key == "cells" else row[key] for key in benchmark.case)


def grouped(rows: Sequence[Row], *columns: str) -> dict[tuple[Any, ...], list[Row]]:
    """Rows that agree in these columns, in the order in which they come first."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return groups


def telling_columns(benchmark: Benchmark, rows: Sequence[Row]) -> list[str]:
    """Case columns that differ among `rows`; the first one if none does."""
    found = [key for key in benchmark.case if len({repr(row[key]) for row in rows}) > 1]
    return found or [benchmark.case[0]]


def case_text(value: object) -> str:
    """'32 x 32 x 64', 'roe3', 'on'."""
    if isinstance(value, list):
        return " x ".join(map(str, value))
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _damaged(path: Path, problem: str) -> TayraError:
    return TayraError(f"{path} is damaged or foreign ({problem}): run the benchmark again")
