"""A look at a run in words and numbers, as plain data: for the page, a report and a terminal."""

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np

from tayra.printable import printable
from tayra.report import fact
from tayra.run_charts import charts_of_flow, charts_of_steps, drift_of, evenly, listed, plain
from tayra.run_state import doings_of
from tayra.step_statistics import mean_parts
from tayra.watched_run import Look, WatchedRun, number, usual_view, whole

# GB/s that a copy was measured to read and write there (docs/performance.md).
COPY_SPEED = {"NVIDIA H100 80GB HBM3": 3014, "NVIDIA H200": 4267}
BYTES_OF_CELL_STEP = {"double": 320, "single": 160}  # the least that a step reads and writes of a cell
LEAST_TAIL, TAIL_OF_SLAB = 1 << 16, 1 << 7  # bytes of slab_timings.csv that are read
NEARLY_EMPTY = 0.05  # of the least density at the start
SHRUNK = 0.1  # of the median time step


def summary_of(run: WatchedRun, look: Look) -> dict[str, Any]:
    """In a few words and numbers; enough of each run when many are shown."""
    with np.errstate(all="ignore"):  # of a damaged one numbers may be anything
        return cast(dict[str, Any], plain(_summary(run, look)))


def _summary(run: WatchedRun, look: Look) -> dict[str, Any]:
    share, left = _progress(look)
    speed, bound = _speed(look), _bound(look)
    box = look.of_record("grid", "cells") or look.settings.get("grid.cells") or []
    scheme = look.of_record("numerics", "scheme") or look.settings.get("numerics.scheme")
    precision = look.of_record("numerics", "precision") or look.settings.get("numerics.precision")
    problem = look.of_record("problem") or look.settings.get("problem.name")
    return {
        "name": run.name,
        "directory": printable(run.directory),
        "problem": _text(problem),
        "cells": [n for n in box if isinstance(n, int)] if isinstance(box, list) else [],
        "scheme": _text(scheme),
        "precision": _text(precision),
        "machine": _machine(look),
        "state": look.state.name,
        "is_under_way": look.state.is_under_way,
        "told": printable(look.state.text),
        "waits_for": _waits_for(run.directory, look) if look.state.is_under_way else [],
        "step": look.step,
        "time": look.time,
        "end_step": whole(look.settings.get("run.steps")),
        "end_time": number(look.settings.get("run.time")),
        "share": share,
        "seconds_left": left,
        "seconds_so_far": _seconds_so_far(look),
        "speed": speed,
        "bound": bound and bound[0],
        "bound_of": bound and bound[1],
        "warnings": [*map(printable, _warnings(run, look))],
        "missing": look.missing,
    }


def detail_of(run: WatchedRun, look: Look) -> dict[str, Any]:
    """Everything else."""
    with np.errstate(all="ignore"):
        return cast(dict[str, Any], plain(_detail(run, look)))


def _detail(run: WatchedRun, look: Look) -> dict[str, Any]:
    rows, views = look.timings.rows, run.views()
    return {
        "phases": [
            {"of": label, "parts": mean_parts(table)}
            for label, table in ([("last steps", look.recent), ("whole run", look.timings)] if rows else [])
        ],
        "slabs": _slabs(run.directory / "slab_timings.csv", look.of_record("machine", "slab_planes")),
        "tiles": _tiles(look),
        "charts": charts_of_flow(look.diagnostics) + charts_of_steps(look.timings, look.cells),
        "pictures": [
            {"name": printable(view.name), "numbers": view.numbers, "live": view.is_live} for view in views
        ],
        "usual": usual_view(views, look.state.is_under_way),
        "facts": _facts(look),
    }


def columns_of(look: Look) -> list[str]:
    return [printable(name) for name in look.diagnostics if name not in ("step", "time")]


def usual_column(columns: Sequence[str]) -> str:
    """The column to begin with."""
    return next(
        (name for name in ("mixing_width", "kinetic_energy_z") if name in columns), "".join(columns[:1])
    )


def curve_of(look: Look, column: str) -> dict[str, Any]:
    """One column of diagnostics.csv over time."""
    table = look.diagnostics
    if column not in table or not table.rows:
        return {"x": [], "y": []}
    shown = evenly(table.rows)
    return {"x": listed(table["time"][shown]), "y": listed(table[column][shown])}


def _progress(look: Look) -> tuple[float | None, float | None]:
    """The share that is done, and seconds that the rest takes at the pace of now."""
    done: list[float] = []
    left: list[float] = []
    pace = look.recent if look.timings.rows else None
    seconds_a_step = 1e-3 * float((pace["wall_ms"] + pace["io_ms"]).mean()) if pace else 0.0
    end_time, end_step = (number(look.settings.get(f"run.{key}")) for key in ("time", "steps"))
    if end_time and look.time is not None:
        done.append(look.time / end_time)
        if pace and float(pace["dt"].mean()) > 0:
            left.append((end_time - look.time) / float(pace["dt"].mean()) * seconds_a_step)
    if end_step and look.step is not None:
        done.append(look.step / end_step)
        if pace:
            left.append((end_step - look.step) * seconds_a_step)
    share = min(1.0, max(0.0, *done, 0.0)) if done else None
    if look.state.name == "finished":
        return 1.0, None
    return share, max(0.0, min(left)) if left and look.state.is_under_way else None


def _speed(look: Look) -> float | None:
    """Of now while it computes, else of all its steps."""
    if not look.timings.rows or look.cells is None:
        return None
    steps = look.recent if look.state.is_under_way else look.timings
    milliseconds = float(steps["wall_ms"].sum())
    return 1e3 * look.cells * steps.rows / milliseconds if milliseconds > 0 else None


def _bound(look: Look) -> tuple[float, str] | None:
    """Cell-steps a second that the memory's bandwidth allows on all its devices, and what they are."""
    devices = look.of_record("machine", "devices")
    size = BYTES_OF_CELL_STEP.get(str(look.of_record("numerics", "precision")))
    if not isinstance(devices, list) or size is None:
        return None
    speeds = [COPY_SPEED.get(str(device)) for device in devices]
    known = [speed for speed in speeds if speed]
    if not known or len(known) < len(speeds):
        return None
    return 1e9 * sum(known) / size, printable(fact(devices))


def _machine(look: Look) -> str:
    devices, host = look.of_record("machine", "devices"), look.of_record("machine", "host")
    if not devices:
        return ""
    return printable(f"{fact(devices)} on {host}")


def _waits_for(directory: Path, look: Look) -> list[str]:
    doings = [printable(text) for text in doings_of(directory)]
    if not look.timings.rows:
        doings.append("the first step")
    return doings + _next_snapshot(look)


def _next_snapshot(look: Look) -> list[str]:
    every = number(look.settings.get("output.snapshots.every_time"))
    if not every or every <= 0 or look.time is None or not look.timings.rows:
        return []
    at = every * (math.floor(look.time / every * (1 + 1e-12)) + 1)
    end = number(look.settings.get("run.time"))
    if end is not None and at >= end:
        return []
    recent = look.recent
    pace = float((recent["wall_ms"] + recent["io_ms"]).sum()) * 1e-3 / max(float(recent["dt"].sum()), 1e-300)
    return [f"next snapshot at time {at:.6g}, in {duration(pace * (at - look.time))}"]


def _warnings(run: WatchedRun, look: Look) -> list[str]:
    told = []
    rows = look.of_record("missing_rows")
    told += [str(text) for text in rows] if isinstance(rows, list) else []
    if look.state.name in ("running", "finished") and look.of_record("message"):
        told.append(str(look.of_record("message")))
    density = look.diagnostics.get("min_density")
    if density is not None and density.size and density[-1] < NEARLY_EMPTY * density[0]:
        told.append(
            f"some cells are nearly empty (density {density[-1]:.3g}, at the start {density[0]:.3g}): steps "
            "may become short; a checkpoint can go on with muscl (docs/files.md)"
        )
    dt = look.timings.get("dt")
    if dt is not None and dt.size > 100 and look.state.is_under_way:
        now, usual = float(np.median(dt[-20:])), float(np.median(dt))
        if now < SHRUNK * usual:
            told.append(f"steps have become short: {now:.3g}, usual were {usual:.3g}")
    damaged = sorted(path.name for path in (run.directory / "checkpoints").glob("damaged*"))
    told += [f"damaged checkpoints were found and kept in checkpoints/{name}" for name in damaged]
    minutes, left = number(look.settings.get("run.wall_minutes")), _progress(look)[1]
    so_far = _seconds_so_far(look)
    if minutes and left and so_far is not None and so_far + left > 60 * minutes:
        told.append(f"will stop before its end: run.wall_minutes is {minutes:g} (tayra run --resume goes on)")
    return told


def _seconds_so_far(look: Look) -> float | None:
    """Of this part of the run."""
    begun = _instant(look.of_record("started"))
    ended = _instant(look.of_record("ended"))
    if begun is None:
        return None
    if ended is None and not look.state.is_under_way:
        return None
    return max(0.0, (time.time() if ended is None else ended) - begun)


def _tiles(look: Look) -> list[dict[str, Any]]:
    """Single numbers, each with what it is of."""
    table = look.diagnostics
    tiles = []
    if look.timings.rows:
        recent = look.recent
        tiles.append(("Time step", float(recent["dt"][-1]), "", 3))
        tiles.append(("A step takes", float(np.median(recent["wall_ms"])), "ms, the median", 3))
    for title, columns in (
        ("Mass changed by", ("mass",)),
        ("Energy changed by", ("energy", "potential_energy")),
    ):
        drift = drift_of(table, *columns)
        if drift is not None:
            tiles.append((title, drift, "of the whole", 2))
    for title, column in (("Mixing width", "mixing_width"), ("Largest Mach number", "max_mach")):
        if column in table and table.rows:
            tiles.append((title, float(table[column][-1]), "", 4))
    return [
        {"title": title, "value": value, "unit": unit, "digits": digits}
        for title, value, unit, digits in tiles
    ]


def _slabs(path: Path, planes: object) -> list[dict[str, float]]:
    """Mean times of the last steps by slab. The file has a row for each of both: only its end is read, from
    the end of a row on."""
    tail = max(LEAST_TAIL, TAIL_OF_SLAB * (len(planes) if isinstance(planes, list) else 0))
    with suppress(OSError, ValueError):
        if not path.is_file():
            return []
        with path.open("rb") as file:
            names = file.readline(200).decode("ascii", "replace").strip().split(",")
            file.seek(max(file.tell() - 1, path.stat().st_size - tail))
            lines = file.read(tail).split(b"\n")[1:-1]
        rows = np.array([line.split(b",") for line in lines], dtype=float)
        columns = dict(zip(names, rows.T, strict=True))
        slabs, place, counts = np.unique(columns["slab"], return_inverse=True, return_counts=True)
        means = {key: np.bincount(place, columns[f"{key}_ms"]) / counts for key in ("compute", "exposed")}
        return [
            {"slab": int(slab)} | {key: float(of_slabs[i]) for key, of_slabs in means.items()}
            for i, slab in enumerate(slabs)
        ]
    return []


def _facts(look: Look) -> list[dict[str, Any]]:
    """Tables of what is on record."""
    general = {key: look.of_record(key) for key in ("status", "message", "started", "ended", "config")}
    command = look.of_record("command")
    if isinstance(command, list):
        general["command"] = " ".join(map(str, command))
    version = look.of_record("tayra")
    if isinstance(version, dict):
        general["tayra"] = " ".join(str(value) for value in version.values())
    totals = look.of_record("totals")
    trials = look.of_record("machine", "halo_trials")
    tables = [
        ("Run", general),
        ("Machine", look.of_record("machine")),
        ("Halo backends that auto tried", _trials(trials)),
        ("Totals", totals),
        ("Config", {key: _listed(value) for key, value in look.settings.items()}),
    ]
    return [
        {
            "title": title,
            "rows": [
                [printable(key), printable(_short(value))]
                for key, value in table.items()
                if value not in ("", [], None)
            ],
        }
        for title, table in tables
        if isinstance(table, dict) and table
    ]


def _listed(value: object) -> object:
    """`fact` would count equal numbers of a list: 2 x 56, 112."""
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else value


def _trials(trials: object) -> dict[str, str]:
    return {
        str(
            trial.get("halo")
        ): f"{fact(trial.get('step_ms'))} ms a step, {fact(trial.get('exposed_ms'))} exposed"
        for trial in (trials if isinstance(trials, list) else [])
        if isinstance(trial, dict)
    }


def _short(value: object) -> str:
    return fact(value)[:2000] if value is not None else "–"


def _text(value: object) -> str:
    return printable(value) if isinstance(value, str) else ""


def _instant(text: object) -> float | None:
    try:
        return datetime.strptime(str(text), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def duration(seconds: float) -> str:
    """'2 h 5 min', as the program says it."""
    if not math.isfinite(seconds):
        return "unknown time"
    if seconds < 1:
        return "less than 1 s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"
