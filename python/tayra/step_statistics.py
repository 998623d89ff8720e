"""What the steps of a run took: the typical one, the tails, the slowest, the sum."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tayra.table import Table

# Columns of timings.csv without their ending _ms.
QUANTITIES = ("wall", "compute", "comm", "exposed", "io")
SLOWEST = 3
PARTS = ("computation", "exposed communication", "everything else", "output")


class Spread(NamedTuple):
    """Of one quantity over all steps."""

    median_ms: float
    p5_ms: float
    p95_ms: float
    total_s: float


class SlowStep(NamedTuple):
    step: int
    wall_ms: float


@dataclass(frozen=True)
class StepStatistics:
    steps: int
    time: float  # of the flow, after the last step
    spreads: dict[str, Spread]
    slowest: list[SlowStep]
    cells: int

    @property
    def cell_steps_per_second(self) -> float:
        """Over the steps alone."""
        return self.cells * self.steps / self.spreads["wall"].total_s

    @property
    def cell_steps_per_second_with_output(self) -> float:
        """Over the steps and the time that output took from them."""
        return self.cells * self.steps / (self.spreads["wall"].total_s + self.spreads["io"].total_s)


def statistics_of(timings: Table, cells: int) -> StepStatistics:
    """Of a log with at least one row."""
    wall = timings["wall_ms"]
    count = min(SLOWEST, wall.size)
    slowest = np.argpartition(-wall, count - 1)[:count]  # a whole sort takes longer than all the rest here
    slowest = slowest[np.argsort(-wall[slowest])]
    return StepStatistics(
        steps=wall.size,
        time=float(timings["time"][-1]),
        spreads={name: _spread(timings[f"{name}_ms"]) for name in QUANTITIES},
        slowest=[SlowStep(int(timings["step"][i]), float(wall[i])) for i in slowest],
        cells=cells,
    )


def mean_parts(timings: Table) -> dict[str, float]:
    """What a step's time consists of, in milliseconds. Means, since medians of parts do not add up to that of
    the whole. Each is that of the slab where it is longest. The slab that computes longest is not the one
    that waits longest: what it can have waited is what its computation leaves of the step."""
    wall, compute, exposed, output = (
        float(timings[f"{name}_ms"].mean()) for name in ("wall", "compute", "exposed", "io")
    )
    left = max(0.0, wall - compute)
    exposed = min(exposed, left)
    return dict(zip(PARTS, (compute, exposed, left - exposed, output), strict=True))


def _spread(milliseconds: NDArray[np.float64]) -> Spread:
    low, middle, high = np.percentile(milliseconds, (5, 50, 95))
    return Spread(float(middle), float(low), float(high), 1e-3 * float(milliseconds.sum()))
