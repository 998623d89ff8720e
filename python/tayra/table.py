"""The CSV logs of a run: timings.csv and diagnostics.csv."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError

Table = Mapping[str, NDArray[np.float64]]


def read_table(path: Path, needed: tuple[str, ...] = ()) -> Table:
    """Columns by name. Takes a million rows in seconds. `needed` columns must be there."""
    try:
        with path.open(encoding="utf-8") as file:
            names = file.readline().strip().split(",")
            missing = [name for name in needed if name not in names]
            if missing:
                raise TayraError(f"{path} is no such log of Tayra (column '{missing[0]}' is missing)")
            rows = _rows(path, file.read(1) != "", len(names))
    except OSError as error:
        raise TayraError(f"cannot read {path} ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise TayraError(f"{path} is no text file") from error
    return dict(zip(names, rows.T, strict=True))


def _rows(path: Path, has_rows: bool, columns: int) -> NDArray[np.float64]:
    if not has_rows:
        return np.empty((0, columns))
    try:
        rows: NDArray[np.float64] = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2, comments=None)
    except ValueError as error:
        raise TayraError(f"{path} is damaged ({error})") from error
    if rows.shape[1] != columns:
        raise TayraError(f"{path} is damaged ({columns} columns in its header, {rows.shape[1]} in its rows)")
    return rows
