"""Curves of a run, as data: the page that watches runs draws them, and so does a report."""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tayra.printable import printable
from tayra.table import Table

POINTS = 400  # of a curve: more can't be told apart
KINETIC = ("kinetic_energy_x", "kinetic_energy_y", "kinetic_energy_z")
# Columns that the charts have, or that nobody wants to see; each other one gets a chart of its own.
KNOWN = {
    *("step", "time", "mass", "momentum_x", "momentum_y", "momentum_z", "energy", "potential_energy"),
    *("bubble_height", "spike_height", "mixing_width", "integral_bubble_height", "integral_spike_height"),
    *(*KINETIC, "theta", "max_mach", "max_w", "min_density", "min_pressure", "enstrophy", "limited_faces"),
}
MOST_OTHERS = 24

Numbers = NDArray[np.float64]


def energy_budget(table: Table) -> dict[str, Numbers]:
    """What has become of the energy since the first row."""
    gained = table["energy"] - table["energy"][0]
    released = table["potential_energy"][0] - table["potential_energy"]
    budget = {"potential energy released": released, "internal + kinetic energy gained": gained}
    if table.keys() >= set(KINETIC):  # logs of before have none
        budget["kinetic energy gained"] = np.asarray(
            sum(table[column] - table[column][0] for column in KINETIC)
        )
    return budget | {"difference": gained - released}


def drift_of(table: Table, *columns: str) -> float | None:
    """By how much the sum of these changed since the first row, against its size then."""
    if not table.rows or not table.keys() >= set(columns):
        return None
    total = np.asarray(sum(table[column] for column in columns))
    size = max(abs(float(table[column][0])) for column in columns)
    change = abs(float(total[-1] - total[0]))
    return change / size if size > 0 else None


def charts_of_flow(table: Table) -> list[dict[str, Any]]:
    """Over time, of diagnostics.csv. What it lacks is left out."""
    if not table.rows or "time" not in table:
        return []
    shown = evenly(table.rows)
    thin = Table((name, values[shown]) for name, values in table.items())

    def columns(*names: str) -> dict[str, Numbers]:
        return {printable(name).replace("_", " "): thin[name] for name in names if name in thin}

    kinetic, limited = columns(*KINETIC), columns("limited_faces")
    others = [name for name in thin if name not in KNOWN]
    charts = [
        _chart("Growth of the layer", "length", columns("bubble_height", "spike_height", "mixing_width")),
        _chart("Integral heights", "length", columns("integral_bubble_height", "integral_spike_height")),
        _chart("Energy since the first row", "energy", _whole(lambda: energy_budget(table), shown)),
        _chart("Kinetic energy by direction", "energy", kinetic),
        _chart("How mixed the layer is", "theta", columns("theta")),
        _chart("Fastest flow", "", columns("max_mach", "max_w")),
        _chart("Lowest values", "", columns("min_density", "min_pressure")),
        _chart("Enstrophy", "", columns("enstrophy")),
        _chart("Faces that the limiter limited", "faces", {k: v for k, v in limited.items() if v.any()}),
        *(_chart(printable(name).replace("_", " "), "", columns(name)) for name in others[:MOST_OTHERS]),
    ]
    return [chart | {"x_label": "time", "x": listed(thin["time"])} for chart in charts if chart["lines"]]


def charts_of_steps(table: Table, cells: float | None) -> list[dict[str, Any]]:
    """Over steps, of timings.csv: medians of groups of steps."""
    needed = {"step", "dt", "wall_ms", "compute_ms", "exposed_ms"}
    if not table.rows or not table.keys() >= needed:
        return []

    def medians(column: str) -> Numbers:
        values = table[column]
        whole = values.size // size * size
        groups = np.median(values[:whole].reshape(-1, size), axis=1)
        return np.append(groups, np.median(values[whole:])) if whole < values.size else groups

    size = -(-table.rows // POINTS)  # of a group
    wall = medians("wall_ms")
    charts = [
        _chart(
            "Time of a step",
            "ms",
            {"step": wall, "computation": medians("compute_ms"), "exposed": medians("exposed_ms")},
        ),
        _chart("Length of a step in time", "dt", {"dt": medians("dt")}),
    ]
    if cells:
        with np.errstate(divide="ignore"):
            charts.insert(0, _chart("Speed", "cell-steps/s", {"speed": 1e3 * cells / wall}))
    return [chart | {"x_label": "step", "x": listed(medians("step"))} for chart in charts]


def evenly(rows: int, points: int = POINTS) -> NDArray[np.int_]:
    """Of so many rows the numbers of at most so many, the first and the last among them."""
    return np.unique(np.linspace(0, rows - 1, min(rows, points)).astype(int))


def listed(values: Iterable[float]) -> list[float | None]:
    """As JSON holds them: six digits, and nothing for what is no number."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values]


def plain(value: Any) -> Any:  # noqa: ANN401
    """As JSON can hold it: None for numbers that are none."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value if not isinstance(value, float) or math.isfinite(value) else None


def _whole(found: Callable[[], dict[str, Numbers]], shown: NDArray[np.int_]) -> dict[str, Numbers]:
    try:
        return {label: values[shown] for label, values in found().items()}
    except KeyError:  # a log that lacks the columns
        return {}


def _chart(title: str, unit: str, lines: dict[str, Numbers]) -> dict[str, Any]:
    """Lines in which there is nothing are left out."""
    shown = {label: listed(values) for label, values in lines.items()}
    return {
        "title": title,
        "unit": unit,
        "lines": [
            {"label": label, "y": values}
            for label, values in shown.items()
            if any(y is not None for y in values)
        ],
    }
