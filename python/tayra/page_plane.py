"""A slice of a snapshot as the page gets it: a line of JSON, then numbers in single precision."""

import json
from typing import Any

import numpy as np

from tayra.errors import TayraError
from tayra.printable import printable
from tayra.run_charts import plain
from tayra.snapshot import AXES, Snapshot, axis_of_line, usual_axis

MOST_CELLS = 720  # along a side; of more every second is shown, or every third and so on


def plane_for_page(
    snapshot: Snapshot, field: int | None = None, axis: int | None = None, most: int = MOST_CELLS
) -> bytes:
    """Fields and axes come as numbers: a page names nothing that is looked up."""
    names = field_names(snapshot)
    if field is None:
        field = names.index("density") if "density" in names else 0
    if not 0 <= field < len(names):
        raise TayraError(f"{snapshot.path.name} holds no field of number {field}")
    cells = snapshot.grid.cells
    line = axis_of_line(cells) if axis is None else None
    across = AXES[axis] if axis is not None else "x" if line == "y" else "y" if line else usual_axis(cells)
    plane = snapshot.slice(names[field], across)
    values = plane.values
    if line:
        rows = values if line == plane.horizontal else values.T
        values = rows[len(rows) // 2, np.newaxis]
    stride = max(1, -(-max(values.shape) // most))
    values = values[::stride, ::stride]
    finite = values[np.isfinite(values)]
    header: dict[str, Any] = {
        "fields": [printable(name) for name in names],
        "field": field,
        "axis": AXES.index(across),
        "line": line,
        "units": printable(plane.units),
        "position": plane.position,
        "time": snapshot.time,
        "step": snapshot.step,
        "live": not snapshot.path.stem.isdecimal(),
        "mean": snapshot.path.stem.startswith("mean_"),
        "horizontal": plane.horizontal,
        "vertical": plane.vertical,
        "extent": list(plane.extent),
        "rows": values.shape[0],
        "columns": values.shape[1],
        "stride": stride,
        "low": float(finite.min()) if finite.size else None,
        "high": float(finite.max()) if finite.size else None,
    }
    if line:
        at = AXES.index(line)
        header["extent"] = [float(snapshot.grid.lower[at]), float(snapshot.grid.upper[at]), 0, 1]
        header["horizontal"] = line
    return json.dumps(plain(header)).encode() + b"\n" + np.ascontiguousarray(values, "<f4").tobytes()


def field_names(snapshot: Snapshot) -> list[str]:
    """Scalars; of vectors the magnitude and the components."""
    names = []
    for name, components in snapshot.fields.items():
        names += [name, *(f"{name}_{axis}" for axis in AXES)] if components > 1 else [name]
    return names
