"""A part of the box with one file for all times: a point, a line, a slice or a mean along an axis."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
from numpy.typing import NDArray

from tayra.errors import TayraError
from tayra.snapshot import AXES, DAMAGES, NOTES, _own_dataset, _reason, _whole_rows, imported_xarray

if TYPE_CHECKING:
    import xarray

Numbers = NDArray[Any]


class PartSeries(dict[str, Numbers]):
    """Fields by name, each as [time][z][y][x], vectors with their components behind that; axes along which
    there is one cell, or a mean, are left out. What was written when it was read."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.name = path.stem
        self.units: dict[str, str] = {}
        self.meanings: dict[str, str] = {}
        self.places: dict[str, NDArray[np.float64]] = {}
        """Centres of the cells along x, y and z; along the axis of a mean its middle."""
        try:
            with h5py.File(path, "r") as file:
                self._read(file)
        except DAMAGES as error:
            raise TayraError(f"{path} is damaged or no part of Tayra's ({_reason(error)})") from error

    def _read(self, file: h5py.File) -> None:
        self.step, self.time = _whole_rows(file)
        rows = len(self.time)
        along = str(file.attrs["axis"]).split()
        self.places = {axis: _own_dataset(file, axis)[:] for axis in along}
        sizes = tuple(len(self.places[axis]) for axis in along)
        self.axes = tuple(axis for axis in along if len(self.places[axis]) > 1)
        """Those that are left, in the order of the numbers."""
        for name in file:
            data = _own_dataset(file, name)
            self.units[name], self.meanings[name] = str(data.attrs["units"]), str(data.attrs["meaning"])
            if name in (*NOTES, *self.places):
                continue
            if data.shape[1:4] != sizes or len(data) < rows:
                raise ValueError(f"{name} has no number for each cell")
            kept = [size for size in sizes if size > 1]
            self[name] = data[:rows].reshape(rows, *kept, *data.shape[4:])

    def to_xarray(self) -> xarray.Dataset:
        """With times, places and units. Needs xarray."""
        alone = {axis: (place[0]) for axis, place in self.places.items() if axis not in self.axes}
        made: xarray.Dataset = imported_xarray().Dataset(
            {
                name: (
                    ("time", *self.axes, *(["component"] if values.ndim > 1 + len(self.axes) else [])),
                    values,
                    {"units": self.units[name], "meaning": self.meanings[name]},
                )
                for name, values in self.items()
            },
            {
                "time": ("time", self.time, {"units": self.units["time"]}),
                "step": ("time", self.step),
                **{axis: (axis, self.places[axis], {"units": self.units[axis]}) for axis in self.axes},
                **alone,
                **({"component": list(AXES)} if self._has_vectors else {}),
            },
        )
        return made

    @property
    def _has_vectors(self) -> bool:
        return any(values.ndim > 1 + len(self.axes) for values in self.values())

    def scalar(self, name: str) -> Numbers:
        """A field, the magnitude of a vector, or a component such as velocity_z."""
        base, _, letter = name.rpartition("_")
        if name not in self and base in self and letter in AXES:
            return np.asarray(self[base][..., AXES.index(letter)])
        values = self[name]
        return np.linalg.norm(values, axis=-1) if values.ndim > 1 + len(self.axes) else values

    def __missing__(self, name: str) -> Numbers:
        raise TayraError(f"{self.path} holds no field '{name}': it has {', '.join(self)}")

    def __repr__(self) -> str:
        where = " x ".join(f"{len(self.places[axis])} places along {axis}" for axis in self.axes) or "a point"
        return f"<{len(self.time)} times, {where}: {', '.join(self)}>"


def part_series(directory: Path, name: str) -> PartSeries:
    """Of a run's directory."""
    path = directory / "parts" / f"{name}.h5"
    if not path.is_file():
        have = sorted(one.stem for one in (directory / "parts").glob("*.h5"))
        raise TayraError(
            f"{directory} holds no part '{name}' in one file (output.parts.{name}.one_file): "
            f"it has {', '.join(have) or 'none'}"
        )
    return PartSeries(path)
