"""Bench files of one sweep, a part of its rows in each, as one: a job array leaves such files."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from tayra.bench_file import BenchFile, Row, case_of, case_text
from tayra.errors import TayraError
from tayra.report import fact


def join(files: Sequence[BenchFile]) -> BenchFile:
    """Rows of all; devices are named once each, and the rest is the first file's. One file stays as it is."""
    first, *others = files
    if not others:
        return first
    for other in others:
        _require_same_kind(first, other)
    return replace(
        first,
        more_paths=tuple(other.path for other in others),
        devices=sorted(set(first.devices)),
        machine=", ".join(dict.fromkeys(file.machine for file in files if file.machine)),
        conditions=_common_conditions(first),
        rows=_all_rows(files),
    )


def joined_stem(paths: Sequence[Path]) -> Path:
    """Beside the first file: the words that all names begin with, as 'strong' of strong_1 and strong_2."""
    columns = zip(*(path.stem.split("_") for path in paths), strict=False)
    common = [column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns)]
    return paths[0].with_name("_".join(common) or "joined")


def _require_same_kind(first: BenchFile, other: BenchFile) -> None:
    # Hosts may differ: each job of a sweep gets nodes of its own.
    before, now = _kind(first), _kind(other)
    for key in before | now:
        if before.get(key) != now.get(key):
            raise TayraError(
                f"{other.path} does not belong to {first.path} ('{key}' is {now.get(key, 'nothing')}, "
                f"there {before.get(key, 'nothing')}): draw files of one sweep together"
            )


def _kind(file: BenchFile) -> dict[str, str]:
    header = {
        "benchmark": file.benchmark,
        "tayra": file.tayra,
        "commit": file.commit,
        "devices": fact(sorted(set(file.devices))),
    }
    return header | {key: fact(value) for key, value in _common_conditions(file).items()}


def _common_conditions(file: BenchFile) -> dict[str, object]:
    """Without the number of ranks where lines go along `slabs`, which counts those of all ranks."""
    free = ("ranks",) if file.columns.along == "slabs" else ()
    return {key: value for key, value in file.conditions.items() if key not in free}


def _all_rows(files: Sequence[BenchFile]) -> list[Row]:
    measured_in: dict[tuple[object, ...], Path] = {}
    for file in files:
        for row in file.rows:
            earlier = measured_in.setdefault(case_of(file.columns, row), file.path)
            if earlier is not file.path:
                case = ", ".join(f"{key} {case_text(row[key])}" for key in file.columns.case)
                raise TayraError(f"{earlier} and {file.path} both measured {case}: leave one of them out")
    return [row for file in files for row in file.rows]
