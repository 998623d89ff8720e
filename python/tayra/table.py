"""The CSV logs of a run: timings.csv and diagnostics.csv."""

import io
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError

Table = Mapping[str, NDArray[np.float64]]


def read_table(path: Path, needed: tuple[str, ...] = (), growing: bool = False) -> Table:
    """Columns by name. Takes a million rows in seconds. `needed` columns must be there.

    A log that is still `growing` may end within a row, which is left out then.
    """
    try:
        with path.open(encoding="utf-8") as file:
            names = file.readline().strip().split(",")
            has_rows = file.read(1) != ""
        missing = [name for name in needed if name not in names]
        if missing:
            raise TayraError(f"{path} is no such log of Tayra (column '{missing[0]}' is missing)")
        rows = _rows(path, len(names), growing) if has_rows else np.empty((0, len(names)))
    except OSError as error:
        raise TayraError(f"cannot read {path} ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise TayraError(f"{path} is no text file") from error
    return dict(zip(names, np.ascontiguousarray(rows.T), strict=True))


def _rows(path: Path, columns: int, growing: bool) -> NDArray[np.float64]:
    source: Path | io.StringIO = path
    if not _ends_with_newline(path):
        if not growing:
            raise TayraError(f"{path} is cut short (its last row has no end): restore it or run anew")
        text = path.read_text(encoding="utf-8")
        source = io.StringIO(text[: text.rfind("\n") + 1])
        if text.count("\n") < 2:
            return np.empty((0, columns))
    try:
        rows: NDArray[np.float64] = np.loadtxt(source, delimiter=",", skiprows=1, ndmin=2, comments=None)
    except ValueError as error:
        # NumPy ends some messages in advice to those who call it.
        raise TayraError(f"{path} is damaged ({str(error).partition(';')[0]})") from error
    if rows.shape[1] != columns:
        raise TayraError(f"{path} is damaged ({columns} columns in its header, {rows.shape[1]} in its rows)")
    return rows


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
