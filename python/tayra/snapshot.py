"""One snapshot: what it holds and slices of it, read without loading the whole box."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Slice:
    """A plane of a scalar field; `values` is [vertical][horizontal]."""

    field: str
    units: str
    values: NDArray[np.float64]
    axis: str
    position: float
    horizontal: str
    vertical: str
    extent: tuple[float, float, float, float]  # left, right, bottom, top


@dataclass(frozen=True)
class Header:
    """What a snapshot says of itself; triples are in the order x, y, z."""

    time: float
    step: int
    lower: NDArray[np.float64]
    spacing: NDArray[np.float64]
    cells: tuple[int, int, int]
    fields: dict[str, int]  # components by name

    @property
    def upper(self) -> NDArray[np.float64]:
        return np.asarray(self.lower + self.spacing * np.array(self.cells))

    def centres(self, axis: str) -> NDArray[np.float64]:
        """Of the cells along an axis."""
        a = axis_index(axis)
        return np.asarray(self.lower[a] + (np.arange(self.cells[a]) + 0.5) * self.spacing[a])


def axis_index(axis: str) -> int:
    if axis not in AXES:
        raise TayraError(f"there is no axis '{axis}': name {', '.join(AXES[:-1])} or {AXES[-1]}")
    return AXES.index(axis)


class Snapshot:
    """A file snapshots/NNNNNN.vtkhdf, or one of another name."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    @property
    def number(self) -> int:
        if not self.path.stem.isdecimal():
            raise TayraError(f"{self.path} has no number in its name, as snapshots/000003.vtkhdf has")
        return int(self.path.stem)

    @cached_property
    def header(self) -> Header:
        with self._open() as file:
            try:
                fields = {name: item for name, item in file.items() if isinstance(item, h5py.Dataset)}
                depth, rows, columns = next(iter(fields.values())).shape[:3]
                self._require_parts(fields.values())
                return Header(
                    time=float(file.attrs["time"]),
                    step=int(file.attrs["step"]),
                    lower=np.asarray(file.attrs["lower"], float),
                    spacing=np.asarray(file.attrs["spacing"], float),
                    cells=(columns, rows, depth),
                    fields={name: 1 if item.ndim == 3 else item.shape[3] for name, item in fields.items()},
                )
            except (KeyError, ValueError, StopIteration, TypeError, OSError, RuntimeError) as error:
                raise TayraError(
                    f"{self.path} is no snapshot of Tayra ({error or 'it holds no field'})"
                ) from error

    def holds(self, name: str) -> bool:
        """A field or component that `field` and `slice` know by this name."""
        return self._place(name) is not None

    def field(self, name: str) -> NDArray[np.float64]:
        """The whole box as [z][y][x]; of a vector as [z][y][x][component], or `velocity_z` and the like."""
        dataset, component = self._find(name)
        values, _ = self._read(dataset, ())
        return values if component is None else values[..., component]

    def slice(self, name: str, axis: str = "y", position: float | None = None) -> Slice:
        """The plane of cells that `position` lies in; the middle one by default.

        A vector field gives its magnitude; `velocity_z` and the like give a component.
        """
        dataset, component = self._find(name)
        index, centre = self._cell(axis, position)
        at = tuple(index if axis == a else slice(None) for a in ("z", "y", "x"))
        values, units = self._read(dataset, at)
        if self.header.fields[dataset] > 1:
            values = np.linalg.norm(values, axis=-1) if component is None else values[..., component]
        horizontal, vertical = (a for a in AXES if a != axis)
        return Slice(
            name, units, values, axis, centre, horizontal, vertical, self._extent(horizontal, vertical)
        )

    def _read(self, dataset: str, at: tuple[Any, ...]) -> tuple[NDArray[np.float64], str]:
        """The numbers there, and their units."""
        with self._open() as file:
            try:
                data = file[dataset]
                return np.asarray(data[at], float), str(data.attrs.get("units", ""))
            except (OSError, KeyError) as error:
                raise TayraError(f"{self.path} is damaged: {dataset} cannot be read ({error})") from error

    def _open(self) -> h5py.File:
        try:
            return h5py.File(self.path, "r")
        except OSError as error:
            raise TayraError(
                f"{self.path} cannot be read: missing, cut short or no HDF5 file ({error})"
            ) from error

    def _require_parts(self, datasets: Iterable[h5py.Dataset]) -> None:
        """Parts that ranks wrote; where one is missing HDF5 would read zeros."""
        sources = [source for data in datasets if data.is_virtual for source in data.virtual_sources()]
        for part in sorted({self.path.parent / source.file_name for source in sources}):
            try:
                h5py.File(part, "r").close()
            except OSError as error:
                raise TayraError(
                    f"{self.path} is incomplete: its part {part} is missing or cut short ({error})"
                ) from error

    def _place(self, name: str) -> tuple[str, int | None] | None:
        """Dataset and component."""
        fields = self.header.fields
        if name in fields:
            return name, None
        base, _, letter = name.rpartition("_")
        if fields.get(base, 1) > 1 and letter in AXES:
            return base, AXES.index(letter)
        return None

    def _find(self, name: str) -> tuple[str, int | None]:
        place = self._place(name)
        if place:
            return place
        fields = self.header.fields
        have = [f if n == 1 else f"{f}, {f}_x, {f}_y, {f}_z" for f, n in fields.items()]
        raise TayraError(f"{self.path} holds no field '{name}': it has {', '.join(have)}")

    def _cell(self, axis: str, position: float | None) -> tuple[int, float]:
        a = axis_index(axis)
        header = self.header
        lower, upper, spacing = header.lower[a], header.upper[a], header.spacing[a]
        where = 0.5 * (lower + upper) if position is None else position
        rounding = 1e-9 * spacing + 4 * np.spacing(max(abs(lower), abs(upper)))  # of the upper face
        if not lower - rounding <= where <= upper + rounding:
            raise TayraError(f"{axis} = {where:.12g} lies outside the box: from {lower:.12g} to {upper:.12g}")
        index = max(0, min(int((where - lower) / spacing), header.cells[a] - 1))
        return index, float(lower + (index + 0.5) * spacing)

    def _extent(self, horizontal: str, vertical: str) -> tuple[float, float, float, float]:
        h, v = AXES.index(horizontal), AXES.index(vertical)
        lower, upper = self.header.lower, self.header.upper
        return float(lower[h]), float(upper[h]), float(lower[v]), float(upper[v])
