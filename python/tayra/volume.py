"""A field in the whole box or in a part of it, as `tayra render` draws it: thinned where it is large."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError
from tayra.snapshot import AXES, Snapshot, axis_index

MOST_CELLS = 48_000_000  # a second for a surface among them, and 1 GB of memory


@dataclass(frozen=True)
class Volume:
    """`values` is [z][y][x]: means over `stride` cells along each axis."""

    values: NDArray[np.float32]
    lower: NDArray[np.float64]  # centre of the first cell
    spacing: NDArray[np.float64]
    stride: int

    @property
    def bounds(self) -> NDArray[np.float64]:
        """[axis] gives the centres of the first and the last cell."""
        cells = np.array(self.values.shape[::-1])
        return np.stack([self.lower, self.lower + self.spacing * (cells - 1)], axis=1)

    @property
    def extremes(self) -> tuple[float, float]:
        numbers = self.values[np.isfinite(self.values)]
        if not numbers.size:
            raise TayraError("the field holds no finite number: choose another snapshot or field")
        return float(numbers.min()), float(numbers.max())

    def beyond(self, axis: str, position: float | None, upwards: bool) -> "Volume":
        """What lies on one side of a plane, by default of the middle one."""
        a = axis_index(axis)
        low, high = self.bounds[a]
        where = (low + high) / 2 if position is None else position
        half = self.spacing[a] / 2
        if not low - half <= where <= high + half:
            raise TayraError(f"{axis} = {where:g} lies outside the box: from {low:.6g} to {high:.6g}")
        last = self.values.shape[2 - a] - 1
        cell = round((min(max(where, low), high) - low) / self.spacing[a])
        cell = min(cell, last - 1) if upwards else max(cell, 1)  # a cube has a thickness
        kept = slice(cell, None) if upwards else slice(None, cell + 1)
        at = [slice(None)] * 3
        at[2 - a] = kept
        lower = self.lower.copy()
        lower[a] += self.spacing[a] * (cell if upwards else 0)
        return Volume(self.values[tuple(at)], lower, self.spacing, self.stride)


def stride_for(cells: tuple[int, int, int], most_cells: int = MOST_CELLS) -> int:
    """The least with which so many are left."""
    stride = 1
    while np.prod([count // stride for count in cells]) > most_cells:
        stride += 1
    return stride


def read_volume(snapshot: Snapshot, field: str, most_cells: int = MOST_CELLS) -> Volume:
    """Plane by plane: the box may be larger than the memory. A few last cells that fill no `stride` are left
    out."""
    grid = snapshot.grid
    thin = [axis for axis, count in zip(AXES, grid.cells, strict=True) if count < 2]
    if thin:
        raise TayraError(f"{snapshot.path} has one cell along {thin[0]}: draw it with tayra plot")
    stride = stride_for(grid.cells, most_cells)
    columns, rows, depth = (max(2, count // stride) for count in grid.cells)
    each = [min(stride, count // 2) for count in grid.cells]  # 1 along an axis of two or three cells
    values = np.empty((depth, rows, columns), np.float32)
    heights = grid.centres("z")
    for plane in range(depth):
        some = [
            _thinned(
                snapshot.slice(field, "z", float(heights[plane * each[2] + k])).values, rows, columns, each
            )
            for k in range(each[2])
        ]
        values[plane] = np.mean(some, axis=0)
    strides = np.array(each)
    return Volume(values, grid.lower + grid.spacing * strides / 2, grid.spacing * strides, stride)


def _thinned(plane: NDArray[np.float64], rows: int, columns: int, each: list[int]) -> NDArray[np.float64]:
    whole = plane[: rows * each[1], : columns * each[0]]
    return np.asarray(whole.reshape(rows, each[1], columns, each[0]).mean(axis=(1, 3)))
