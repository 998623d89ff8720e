"""How far the fields of two runs are apart, at the latest time of which both have a snapshot."""

import math
from dataclasses import dataclass

import numpy as np

from tayra.errors import TayraError
from tayra.series import Series
from tayra.snapshot import Snapshot

MOST_TIMES = 25  # of a curve


class IncomparableError(TayraError):
    """Nothing is wrong with the snapshots, but they can't be compared."""


@dataclass(frozen=True)
class FieldDifference:
    """Of all cells: the mean and the root mean square of what is between them, the most, and the root mean
    square of the first run's own field about its mean."""

    field: str
    mean: float
    rms: float
    most: float
    spread: float


@dataclass(frozen=True)
class FieldsApart:
    """What is between two runs."""

    time: float
    fields: list[FieldDifference]


def fields_apart(first: Series, other: Series, most_bytes: float = math.inf) -> FieldsApart:
    """IncomparableError where there is nothing to compare, or more than `most_bytes` of numbers."""
    one, two = latest_pair(first, other)
    size = one.path.stat().st_size
    if size > most_bytes:
        raise too_large(size)
    return FieldsApart(one.time, field_differences(one, two))


def fields_apart_over_time(first: Series, other: Series, most_bytes: float = math.inf) -> list[FieldsApart]:
    """At the times of which both have a snapshot: all, or so many evenly chosen ones that no more is read."""
    pairs = []
    theirs = {_rounded(two.time): two for two in other}
    for one in first:
        two = theirs.get(_rounded(one.time))
        if two is not None:
            require_same_grid(one, two)
            pairs.append((one, two))
    if not pairs:
        raise IncomparableError("no snapshots of the same time")
    size = pairs[-1][0].path.stat().st_size
    most = min(MOST_TIMES, most_bytes // size)
    if not most:
        raise too_large(size)
    shown = np.unique(np.linspace(len(pairs) - 1, 0, int(min(most, len(pairs)))).astype(int))
    return [FieldsApart(one.time, field_differences(one, two)) for one, two in (pairs[i] for i in shown)]


def too_large(size: int) -> IncomparableError:
    return IncomparableError(f"{size / 2**30:.1f} GiB of each: tayra compare --check reads them")


def _rounded(time: float) -> float:
    """The same for times that are the same but for rounding."""
    return float(f"{time:.9e}")


def latest_pair(first: Series, other: Series) -> tuple[Snapshot, Snapshot]:
    """IncomparableError where there is none."""
    mine, theirs = list(first), list(other)
    while mine and theirs:
        one, two = mine[-1], theirs[-1]
        if _rounded(one.time) == _rounded(two.time):
            require_same_grid(one, two)
            return one, two
        (mine if one.time > two.time else theirs).pop()
    raise IncomparableError("no snapshots of the same time")


def require_same_grid(one: Snapshot, other: Snapshot) -> None:
    a, b = one.grid, other.grid
    if a.cells != b.cells:
        raise IncomparableError(f"other grids: {a} and {b}")
    if not (np.array_equal(a.lower, b.lower) and np.array_equal(a.spacing, b.spacing)):
        raise IncomparableError("grids of other size or place")


def field_differences(one: Snapshot, other: Snapshot) -> list[FieldDifference]:
    """Of each field that both hold. Reads plane by plane: the box may be larger than the memory."""
    names = [
        component
        for name, components in one.fields.items()
        if other.fields.get(name) == components
        for component in ([name] if components == 1 else [f"{name}_{axis}" for axis in "xyz"])
    ]
    return [_difference(one, other, name) for name in names]


def _difference(one: Snapshot, other: Snapshot, name: str) -> FieldDifference:
    cells = float(np.prod(one.grid.cells))
    some = one.slice(name, "z").values.flat[0]  # without it squares of nearly equal numbers keep no digits
    sums = np.zeros(4)
    most = np.float64(0)
    for height in one.grid.centres("z"):
        mine = one.slice(name, "z", float(height)).values
        apart = np.abs(other.slice(name, "z", float(height)).values - mine)
        sums += apart.sum(), (apart**2).sum(), (mine - some).sum(), ((mine - some) ** 2).sum()
        most = np.maximum(most, apart.max())  # as the sums: none of a cell that holds no number
    mean, square, own, own_square = sums / cells
    spread = np.maximum(0, own_square - own**2) ** 0.5
    return FieldDifference(name, float(mean), float(square**0.5), float(most), float(spread))
