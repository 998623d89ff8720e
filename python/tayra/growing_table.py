"""A log that grows: each look at it reads what is new, and takes of a damaged one what is whole."""

import io
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError
from tayra.table import Table

AT_ONCE = 64 << 20  # bytes
MOST_DAMAGED = 1000  # rows


class GrowingTable:
    """Of timings.csv or diagnostics.csv, whose rows a resumed run may cut off again and write anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._forget()

    def _forget(self) -> None:
        self.table = Table()
        self.damaged = 0  # rows that were left out
        self._file: tuple[int, int] | None = None  # its device and number
        self._read = 0  # bytes, all of them whole rows
        self._last = b""  # the row they end with

    def look(self) -> Table:
        """All rows so far."""
        try:
            if self.path.exists() and not self.path.is_file():
                raise TayraError(f"{self.path.name} is no ordinary file")
            with self.path.open("rb") as file:
                self._look(file)
        except OSError as error:
            self._forget()
            raise TayraError(f"{self.path.name} is missing or can't be read ({error.strerror})") from error
        return self.table

    def _look(self, file: io.BufferedReader) -> None:
        status = os.fstat(file.fileno())
        file.seek(max(0, self._read - len(self._last)))
        if self._file != (status.st_dev, status.st_ino) or file.read(len(self._last)) != self._last:
            self._forget()
            self._file = status.st_dev, status.st_ino
            file.seek(0)
        while whole := _whole_rows(file.read(AT_ONCE)):
            self._take(whole)
            file.seek(self._read)

    def _take(self, whole: bytes) -> None:
        rows = whole
        if not self.table:
            header, _, rows = whole.partition(b"\n")
            names = header.decode("ascii", "replace").strip().split(",")
            if names[0] != "step" or len(set(names)) < len(names):
                raise TayraError(f"{self.path.name} is no log of Tayra (its first line names no columns)")
            self.table = Table((name, np.empty(0)) for name in names)
        found = self._numbers(rows)
        self.table = Table(
            (name, np.concatenate([old, new]))
            for (name, old), new in zip(self.table.items(), found.T, strict=True)
        )
        self._read += len(whole)
        self._last = whole[whole.rfind(b"\n", 0, -1) + 1 :]

    def _numbers(self, rows: bytes) -> NDArray[np.float64]:
        """Halved as long as they can't be read, so that of a long log only the damaged rows are lost."""
        columns = len(self.table)
        found = _parsed(rows, columns) if rows else np.empty((0, columns))
        if found is not None:
            return found
        lines = rows.splitlines(keepends=True)
        if len(lines) > 1:
            halves = lines[: len(lines) // 2], lines[len(lines) // 2 :]
            return np.concatenate([self._numbers(b"".join(half)) for half in halves])
        self.damaged += 1
        if self.damaged > MOST_DAMAGED:
            raise TayraError(f"{self.path.name} is damaged: more than {MOST_DAMAGED} of its rows are none")
        return np.empty((0, columns))


def _whole_rows(read: bytes) -> bytes:
    return read[: read.rfind(b"\n") + 1]


def _parsed(rows: bytes, columns: int) -> NDArray[np.float64] | None:
    """None where not every line is a row of so many numbers."""
    if not rows.strip():
        return None
    try:
        found = np.loadtxt(io.BytesIO(rows), delimiter=",", ndmin=2, comments=None)
    except ValueError:
        return None
    return found if found.shape == (rows.count(b"\n"), columns) else None
