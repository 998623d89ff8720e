"""The snapshots of a run's whole box, or of one part of it, in their order."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from tayra.errors import TayraError
from tayra.snapshot import Snapshot, imported_xarray

if TYPE_CHECKING:
    import xarray


def spans(numbers: Sequence[int]) -> str:
    """Of rising numbers: '0 to 4, 6, 9 to 12'."""
    without_gaps = groupby(enumerate(numbers), lambda item: item[1] - item[0])
    ends = [(group[0][1], group[-1][1]) for group in (list(items) for _, items in without_gaps)]
    return ", ".join(f"{first} to {last}" if last > first else str(first) for first, last in ends)


class Series(list[Snapshot]):
    """Every snapshot in a folder that was written whole when this list was made, oldest first."""

    def __init__(self, folder: Path, check: bool) -> None:
        found = [path for path in folder.glob("*.vtkhdf") if re.fullmatch(r"\d{6,}", path.stem)]
        super().__init__(Snapshot(path, check) for path in sorted(found, key=lambda path: int(path.stem)))
        self.folder = folder

    def snapshot(self, number: int | None = None, *, time: float | None = None) -> Snapshot:
        """The last one; that of a number (of -1, -2 … counted from the end); or that nearest to a time."""
        if not self:
            raise TayraError(f"{self.folder} holds no snapshots yet")
        if number is not None and time is not None:
            raise TayraError(f"both number {number} and time {time:g} are asked for: name one")
        if time is not None:
            return self._nearest(time)
        if number is None or -len(self) <= number < 0:
            return self[-1 if number is None else number]
        for snapshot in self:
            if snapshot.number == number:
                return snapshot
        have = spans([snapshot.number for snapshot in self])
        raise TayraError(f"{self.folder} holds no snapshot {number}: it has {have}")

    @property
    def times(self) -> list[float]:
        return [snapshot.time for snapshot in self]

    def to_xarray(self, *fields: str) -> xarray.Dataset:
        """These fields, or all that every snapshot holds, along time. Reads all: best of small parts."""
        if not self:
            raise TayraError(f"{self.folder} holds no snapshots yet")
        names = fields or [name for name in self[0].fields if all(name in one.fields for one in self)]
        every = [one.to_xarray(*names) for one in self]
        joined: xarray.Dataset = imported_xarray().concat(every, "time", coords="different", compat="equals")
        return joined

    def _nearest(self, time: float) -> Snapshot:
        """No farther than half the longest time between two: else none was written there."""
        times = self.times
        index = min(range(len(self)), key=lambda i: abs(times[i] - time))
        apart = max((later - earlier for earlier, later in pairwise(times)), default=math.inf)
        if not abs(times[index] - time) <= 0.500001 * apart:
            raise TayraError(
                f"{self.folder} holds no snapshot near time {time:g}: "
                f"it has some from {times[0]:.6g} to {times[-1]:.6g}"
            )
        return self[index]

    def __repr__(self) -> str:
        have = f": {spans([snapshot.number for snapshot in self])}" if self else ""
        return f"<{len(self)} snapshot{'' if len(self) == 1 else 's'} in {self.folder}{have}>"


class Parts(dict[str, Series]):
    """The parts of a run's box that have snapshots of their own, by name."""

    def __init__(self, folder: Path, check: bool) -> None:
        names = sorted(path.name for path in folder.glob("*") if path.is_dir())
        super().__init__((name, Series(folder / name, check)) for name in names)
        self.folder = folder

    def __missing__(self, name: str) -> Series:
        have = f"it has {', '.join(self)}" if self else "it has none"
        raise TayraError(f"{self.folder.parent} holds no part '{name}': {have}")
