"""How far the fields of two runs are apart, at the latest time of which both have a snapshot."""

import math
from dataclasses import dataclass

import numpy as np

from tayra.errors import TayraError
from tayra.series import Series
from tayra.snapshot import Snapshot

SAME_TIME = 1e-9  # relative
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
        raise IncomparableError(f"{size / 2**30:.1f} GiB of each")
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
    most = min(MOST_TIMES, most_bytes // pairs[-1][0].path.stat().st_size)
    if not most:
        raise IncomparableError(f"{pairs[-1][0].path.stat().st_size / 2**30:.1f} GiB of each")
    shown = np.unique(np.linspace(len(pairs) - 1, 0, int(min(most, len(pairs)))).astype(int))
    return [FieldsApart(one.time, field_differences(one, two)) for one, two in (pairs[i] for i in shown)]


def _rounded(time: float) -> float:
    """The same for times that are the same but for rounding."""
    return float(f"{time:.9e}")


def latest_pair(first: Series, other: Series) -> tuple[Snapshot, Snapshot]:
    """IncomparableError where there is none."""
    mine, theirs = list(first), list(other)
    while mine and theirs:
        one, two = mine[-1], theirs[-1]
        if abs(one.time - two.time) <= SAME_TIME * max(1.0, abs(one.time)):
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
    sums = np.zeros(4)
    most = 0.0
    for height in one.grid.centres("z"):
        mine = one.slice(name, "z", float(height)).values
        apart = np.abs(other.slice(name, "z", float(height)).values - mine)
        sums += apart.sum(), (apart**2).sum(), mine.sum(), (mine**2).sum()
        most = max(most, float(apart.max()))
    mean, square, own, own_square = sums / cells
    return FieldDifference(
        name, float(mean), float(square**0.5), most, float(max(0.0, own_square - own**2) ** 0.5)
    )
