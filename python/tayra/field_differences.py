"""How far the fields of two runs are apart, at the latest time of which both have a snapshot."""

from dataclasses import dataclass

import numpy as np

from tayra.errors import TayraError
from tayra.series import Series
from tayra.snapshot import Snapshot

SAME_TIME = 1e-9  # relative


@dataclass(frozen=True)
class FieldDifference:
    """Of all cells: the mean and the root mean square of what is between them, the most, and the root mean
    square of the first run's own field about its mean."""

    field: str
    mean: float
    rms: float
    most: float
    spread: float


def latest_pair(first: Series, other: Series) -> tuple[Snapshot, Snapshot]:
    """TayraError where there is none."""
    times = {snapshot.number: snapshot.time for snapshot in other}
    for snapshot in reversed(first):
        time = snapshot.time
        for twin in reversed(other):
            if abs(times[twin.number] - time) <= SAME_TIME * max(1.0, abs(time)):
                require_same_grid(snapshot, twin)
                return snapshot, twin
    raise TayraError("no snapshots of the same time")


def require_same_grid(one: Snapshot, other: Snapshot) -> None:
    a, b = one.grid, other.grid
    if a.cells != b.cells:
        raise TayraError(f"other grids: {a} and {b}")
    if not (np.array_equal(a.lower, b.lower) and np.array_equal(a.spacing, b.spacing)):
        raise TayraError("grids of other size or place")


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
