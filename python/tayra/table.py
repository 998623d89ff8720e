"""The CSV logs of a run: timings.csv and diagnostics.csv."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError
from tayra.files import read_ordinary

if TYPE_CHECKING:
    import pandas


class Table(dict[str, NDArray[np.float64]]):
    """Columns of equal length by name."""

    @property
    def rows(self) -> int:
        return next((column.size for column in self.values()), 0)

    def to_pandas(self) -> pandas.DataFrame:
        try:
            import pandas
        except ImportError as error:
            raise TayraError("pandas is not installed: pip install pandas") from error
        return pandas.DataFrame(self)

    def __repr__(self) -> str:
        return f"<Table of {self.rows} row{'' if self.rows == 1 else 's'}: {', '.join(self)}>"


def read_table(path: Path, needed: tuple[str, ...] = (), growing: bool = False) -> Table:
    """Columns by name. Takes a million rows in seconds. `needed` columns must be there.

    A log that is still `growing` may end within a row, which is left out then.
    """
    try:
        written = read_ordinary(path)
        names = written.decode("utf-8").partition("\n")[0].strip().split(",")
        missing = [name for name in needed if name not in names]
        if missing:
            raise TayraError(f"{path} is no such log of Tayra (column '{missing[0]}' is missing)")
        rows = _rows(path, written, len(names), growing)
    except OSError as error:
        raise TayraError(f"cannot read {path} ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise TayraError(f"{path} is no text file") from error
    return Table(zip(names, np.ascontiguousarray(rows.T), strict=True))


def _rows(path: Path, written: bytes, columns: int, growing: bool) -> NDArray[np.float64]:
    if not (growing or written.endswith(b"\n")):
        raise TayraError(f"{path} is cut short (its last row has no end): restore it or run anew")
    whole = written[: written.rfind(b"\n") + 1]
    if whole.count(b"\n") < 2:
        return np.empty((0, columns))
    try:
        rows: NDArray[np.float64] = np.loadtxt(
            io.BytesIO(whole), delimiter=",", skiprows=1, ndmin=2, comments=None
        )
    except ValueError as error:
        # NumPy ends some messages in advice to those who call it.
        raise TayraError(f"{path} is damaged ({str(error).partition(';')[0]})") from error
    if rows.shape[1] != columns:
        raise TayraError(f"{path} is damaged ({columns} columns in its header, {rows.shape[1]} in its rows)")
    return rows
