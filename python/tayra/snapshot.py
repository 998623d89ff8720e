"""One snapshot: what it holds and slices of it, read without loading the whole box.

Files may come from strangers: what would read other files, or memory without end, is refused.
"""

import math
import re
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError

if TYPE_CHECKING:
    import xarray

    from tayra.figures import Picture

AXES = ("x", "y", "z")
PART = re.compile(r"ranks/[^/%]+")  # beside the file that shows it
MOST_COMPRESSION = 1100  # by deflate
CHECKED_AT_ONCE = 64 << 20  # bytes
FEWEST_CELLS = 4  # along an axis on which nothing can be seen


@dataclass(frozen=True)
class Slice:
    """A plane of a scalar field; `values` is [vertical][horizontal]."""

    field: str
    units: str
    values: NDArray[np.float64] = dataclass_field(repr=False)
    axis: str
    position: float
    horizontal: str
    vertical: str
    extent: tuple[float, float, float, float]  # left, right, bottom, top


@dataclass(frozen=True)
class Grid:
    """The cells that a snapshot holds; triples are in the order x, y, z."""

    cells: tuple[int, int, int]
    lower: NDArray[np.float64]
    spacing: NDArray[np.float64]

    @property
    def upper(self) -> NDArray[np.float64]:
        with np.errstate(over="ignore"):
            return np.asarray(self.lower + self.spacing * np.array(self.cells))

    @property
    def box(self) -> NDArray[np.float64]:
        """[axis] gives its lower and upper end."""
        return np.stack([self.lower, self.upper], axis=1)

    def centres(self, axis: str) -> NDArray[np.float64]:
        """Of the cells along an axis."""
        a = axis_index(axis)
        return np.asarray(self.lower[a] + (np.arange(self.cells[a]) + 0.5) * self.spacing[a])

    def __str__(self) -> str:
        return " x ".join(map(str, self.cells)) + " cells"


def usual_axis(cells: tuple[int, int, int]) -> str:
    """Across a box that is thin along one axis; else y, which stands upright."""
    axis, fewest = min(zip(AXES, cells, strict=True), key=lambda one: one[1])
    others = [count for name, count in zip(AXES, cells, strict=True) if name != axis]
    return axis if 4 * fewest <= min(others) else "y"


def axis_of_line(cells: tuple[int, int, int]) -> str | None:
    """The only one along which a flow can vary: it is then drawn as a line."""
    long = [axis for axis, count in zip(AXES, cells, strict=True) if count > FEWEST_CELLS]
    return long[0] if len(long) == 1 else None


@dataclass(frozen=True)
class Header:
    """What a snapshot says of itself."""

    time: float
    step: int
    grid: Grid
    fields: dict[str, int]  # components by name


def axis_index(axis: str) -> int:
    if axis not in AXES:
        raise TayraError(f"there is no axis '{axis}': name {', '.join(AXES[:-1])} or {AXES[-1]}")
    return AXES.index(axis)


def imported_xarray() -> Any:  # noqa: ANN401
    try:
        return import_module("xarray")
    except ImportError as error:
        raise TayraError("xarray is not installed: pip install xarray") from error


NO_FIELDS = ("VTKHDF", "checksums")
# What h5py and NumPy raise for files that are not as they should be.
DAMAGES = (OSError, KeyError, ValueError, TypeError, IndexError, AttributeError, RuntimeError, OverflowError)


def _reason(error: Exception) -> object:
    """KeyError quotes its text."""
    return error.args[0] if isinstance(error, KeyError) and error.args else error


def _has(group: h5py.Group, name: str) -> bool:
    """Without a look at what a link leads to."""
    return bool(group.id.links.exists(name.encode()))


def _own(group: h5py.Group, name: str) -> h5py.Group | h5py.Dataset:
    """What lies in the file itself: other links may lead to any file that HDF5 can open."""
    if not _has(group, name):
        raise ValueError(f"{name} is missing")
    if group.id.links.get_info(name.encode()).type != h5py.h5l.TYPE_HARD:
        raise ValueError(f"{name} is a link that may lead out of the file, as Tayra writes none")
    return group[name]


def _own_dataset(group: h5py.Group, name: str) -> h5py.Dataset:
    """With its numbers in the file, or in parts beside it."""
    data = _own(group, name)
    if not isinstance(data, h5py.Dataset) or data.dtype.kind not in "fiu":
        raise ValueError(f"{name} holds no numbers")
    if data.external:
        raise ValueError(f"{name} has its numbers in a file outside, as Tayra writes none")
    for source in data.virtual_sources() if data.is_virtual else ():
        if not PART.fullmatch(source.file_name) or re.search("[/%]", source.dset_name):
            raise ValueError(f"{name} shows numbers of {source.file_name}, which is no part of it in ranks/")
    if not data.is_virtual and data.nbytes > MOST_COMPRESSION * data.id.get_storage_size():
        raise ValueError(f"{name} claims more numbers than the file holds")
    return data


NOTES = ("step", "time", "rows")  # of a log in HDF5, beside its places and quantities


def _whole_rows(group: h5py.Group) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Steps and times of the rows that a log in HDF5 holds."""
    rows = int(_own_dataset(group, "rows")[0])
    step, time = (_own_dataset(group, name)[:rows] for name in ("step", "time"))
    if len(time) != rows or len(step) != rows:
        raise ValueError("it counts more rows than it holds")
    # A machine that lost its power may have left no rows where the number says that they are.
    rows = int(np.argmin([*np.isfinite(time), False]))
    return step[:rows], time[:rows]


def _components(name: str, data: h5py.Dataset, fields: dict[str, h5py.Dataset]) -> int:
    shape = next(iter(fields.values())).shape[:3]
    if data.ndim not in (3, 4) or data.shape[:3] != shape or not data.size:
        raise ValueError(f"{name} is no field of {' x '.join(map(str, reversed(shape)))} cells")
    return int(data.shape[3]) if data.ndim == 4 else 1


def _triple(file: h5py.File, name: str, positive: bool = False) -> NDArray[np.float64]:
    values = np.asarray(file.attrs[name], float)
    if values.shape != (3,) or not np.isfinite(values).all() or (positive and not (values > 0).all()):
        raise ValueError(f"{name} is not three numbers of a box")
    return values


class Snapshot:
    """A file snapshots/NNNNNN.vtkhdf, or one of another name.

    What is read is checked against the file's checksums: of a field, or a slice across x or y, all planes,
    once. `check=False` reads without.
    """

    def __init__(self, path: Path | str, check: bool = True) -> None:
        self.path = Path(path)
        self.is_checked = check
        self._intact: set[tuple[str, int]] = set()  # planes of datasets

    @property
    def number(self) -> int:
        if not self.path.stem.isdecimal():
            raise TayraError(f"{self.path} has no number in its name, as snapshots/000003.vtkhdf has")
        return int(self.path.stem)

    @property
    def time(self) -> float:
        return self._header.time

    @property
    def step(self) -> int:
        return self._header.step

    @property
    def grid(self) -> Grid:
        return self._header.grid

    @property
    def fields(self) -> dict[str, int]:
        """How many components each has, by name."""
        return self._header.fields

    @cached_property
    def _header(self) -> Header:
        with self._open() as file:
            fields = {name: _own_dataset(file, name) for name in file if name not in NO_FIELDS}
            if not fields:
                raise TayraError(f"{self.path} is no snapshot of Tayra (it holds no field)")
            self._require_parts(fields)
            depth, rows, columns = next(iter(fields.values())).shape[:3]
            grid = Grid(
                cells=(columns, rows, depth),
                lower=_triple(file, "lower"),
                spacing=_triple(file, "spacing", positive=True),
            )
            if not (np.isfinite(grid.upper) & (grid.upper > grid.lower)).all():
                raise ValueError("its box has no size")
            return Header(
                time=float(file.attrs["time"]),
                step=int(file.attrs["step"]),
                grid=grid,
                fields={name: _components(name, item, fields) for name, item in fields.items()},
            )

    def __repr__(self) -> str:
        try:
            held = f"time {self.time:.6g}, step {self.step}, {self.grid}; {', '.join(self.fields)}"
        except TayraError:
            held = "it can't be read"
        return f"<Snapshot {self.path}: {held}>"

    def holds(self, name: str) -> bool:
        """A field or component that `field` and `slice` know by this name."""
        return self._place(name) is not None

    def field(self, name: str) -> NDArray[np.float64]:
        """The whole box as [z][y][x]; of a vector as [z][y][x][component], or `velocity_z` and the like."""
        dataset, component = self._find(name)
        values, _ = self._read(dataset, ())
        return values if component is None else values[..., component]

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.field(name)

    def to_xarray(self, *fields: str) -> "xarray.Dataset":
        """These fields, or all, with the centres of their cells, their units and the time. Needs xarray."""
        arrays = {name: self._array(name) for name in fields or self.fields}
        made: xarray.Dataset = imported_xarray().Dataset(arrays)
        return made

    def plot(
        self,
        field: str = "density",
        axis: str | None = None,
        position: float | None = None,
        *,
        smooth: bool = False,
    ) -> "Picture":
        """The plane of cells at a position along an axis, as `slice` gives it; a 1-D flow as a line."""
        from tayra.flow_figures import view_of  # only here: what needs no matplotlib comes at once

        return view_of(self.grid.cells, field, axis, position, smooth).draw(self)

    def slice(self, name: str, axis: str = "y", position: float | None = None) -> Slice:
        """The plane of cells that `position` lies in; the middle one by default.

        A vector field gives its magnitude; `velocity_z` and the like give a component.
        """
        dataset, component = self._find(name)
        index, centre = self._cell(axis, position)
        at = tuple(index if axis == a else slice(None) for a in ("z", "y", "x"))
        values, attributes = self._read(dataset, at)
        if self.fields[dataset] > 1:
            values = np.linalg.norm(values, axis=-1) if component is None else values[..., component]
        horizontal, vertical = (a for a in AXES if a != axis)
        return Slice(
            field=name,
            units=attributes.get("units", ""),
            values=values,
            axis=axis,
            position=centre,
            horizontal=horizontal,
            vertical=vertical,
            extent=self._extent(horizontal, vertical),
        )

    def _array(self, name: str) -> "xarray.DataArray":
        dataset, component = self._find(name)
        values, attributes = self._read(dataset, ())
        if component is not None:
            values = values[..., component]
        dims = AXES[::-1] if values.ndim == 3 else (*AXES[::-1], "component")
        coordinates: dict[str, Any] = {
            axis: (axis, self.grid.centres(axis), {"units": "length"}) for axis in AXES
        }
        coordinates |= {"time": ((), self.time, {"units": "time"}), "step": self.step}
        if values.ndim == 4:
            coordinates["component"] = list(AXES)
        made: xarray.DataArray = imported_xarray().DataArray(values, coordinates, dims, attrs=attributes)
        return made

    def check(self, most_bytes: float = math.inf) -> bool:
        """Reads all fields, or of each the lowest planes, and raises TayraError if one has changed. False: an
        older Tayra left no checksums."""
        with self._open() as file:
            fields, depth = self.fields, self.grid.cells[2]
            of_all = sum(_own_dataset(file, name).nbytes for name in fields)
            planes = range(math.ceil(depth * min(1, most_bytes / of_all)))
            checked = [self._check(file, name, planes) for name in fields]
        return all(checked)

    def _read(self, dataset: str, at: tuple[Any, ...]) -> tuple[NDArray[np.float64], dict[str, str]]:
        """The numbers there, and what the file says of them."""
        with self._open() as file:
            if self.is_checked:
                planes = range(self.grid.cells[2])[at[0]] if at else range(self.grid.cells[2])
                self._check(file, dataset, [planes] if isinstance(planes, int) else planes)
            data = _own_dataset(file, dataset)
            said = {key: str(data.attrs[key]) for key in ("units", "meaning") if key in data.attrs}
            return np.asarray(data[at], float), said

    def _check(self, file: h5py.File, name: str, planes: Sequence[int]) -> bool:
        """Of planes one after the other that are not known to be intact; False without checksums."""
        if not _has(file, "checksums"):
            return False
        wanted = [z for z in planes if (name, z) not in self._intact]
        data, sums = _own_dataset(file, name), _own_dataset(_own(file, "checksums"), name)[:]
        if sums.shape != data.shape[:1]:
            raise ValueError(f"{name} has {sums.size} checksums for {data.shape[0]} planes")
        at_once = max(1, CHECKED_AT_ONCE * data.shape[0] // max(1, data.nbytes))
        with ThreadPoolExecutor() as threads:  # zlib lets other threads run
            for first in range(0, len(wanted), at_once):
                some = wanted[first : first + at_once]
                read = data[some[0] : some[-1] + 1]
                for z, found in zip(
                    some, threads.map(zlib.crc32, [read[z - some[0]] for z in some]), strict=True
                ):
                    if found != sums[z]:
                        raise ValueError(f"plane {z} of {name} has another checksum than was written")
        self._intact.update((name, z) for z in wanted)
        return True

    @contextmanager
    def _open(self) -> Iterator[h5py.File]:
        """Whatever goes wrong with the file has one reason for a person."""
        if self.path.exists() and not self.path.is_file():
            raise TayraError(f"{self.path} is no file: name a snapshot, such as RUN/snapshots/000003.vtkhdf")
        try:
            file = h5py.File(self.path, "r")
        except OSError as error:
            raise TayraError(
                f"{self.path} cannot be read: missing, cut short or no HDF5 file ({error})"
            ) from error
        with file:
            try:
                yield file
            except MemoryError as error:
                raise TayraError(f"{self.path} needs more memory than there is: read slices of it") from error
            except DAMAGES as error:
                raise TayraError(
                    f"{self.path} is damaged or no snapshot of Tayra ({_reason(error)})"
                ) from error

    def _require_parts(self, fields: dict[str, h5py.Dataset]) -> None:
        """Parts that ranks wrote; where one is missing HDF5 would read zeros."""
        sources = [source for data in fields.values() if data.is_virtual for source in data.virtual_sources()]
        for name, dataset in sorted({(source.file_name, source.dset_name) for source in sources}):
            part = self.path.parent / name
            try:
                if not part.is_file():
                    raise OSError("no such file")
                with h5py.File(part, "r") as file:
                    if _own_dataset(file, dataset).is_virtual:
                        raise ValueError("it has parts itself")
            except DAMAGES as error:
                raise TayraError(
                    f"{self.path} is incomplete: its part {part} is missing, cut short or damaged "
                    f"({_reason(error)})"
                ) from error

    def _place(self, name: str) -> tuple[str, int | None] | None:
        """Dataset and component."""
        fields = self.fields
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
        fields = self.fields
        have = [f if n == 1 else f"{f}, {f}_x, {f}_y, {f}_z" for f, n in fields.items()]
        raise TayraError(f"{self.path} holds no field '{name}': it has {', '.join(have)}")

    def _cell(self, axis: str, position: float | None) -> tuple[int, float]:
        a = axis_index(axis)
        grid = self.grid
        lower, upper, spacing = grid.lower[a], grid.upper[a], grid.spacing[a]
        where = 0.5 * lower + 0.5 * upper if position is None else position
        rounding = 1e-9 * spacing + 4 * np.spacing(max(abs(lower), abs(upper)))  # of the upper face
        if not lower - rounding <= where <= upper + rounding:
            raise TayraError(f"{axis} = {where:.12g} lies outside the box: from {lower:.12g} to {upper:.12g}")
        index = max(0, min(int((where - lower) / spacing), grid.cells[a] - 1))
        return index, float(lower + (index + 0.5) * spacing)

    def _extent(self, horizontal: str, vertical: str) -> tuple[float, float, float, float]:
        h, v = AXES.index(horizontal), AXES.index(vertical)
        lower, upper = self.grid.lower, self.grid.upper
        return float(lower[h]), float(upper[h]), float(lower[v]), float(upper[v])
