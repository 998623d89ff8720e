"""TEST DATA, not measured: rows of `bench scaling` from a formula, so that every answer is known."""

from typing import Any

MACHINE = "made up for tests"
NANOSECONDS_A_CELL = 0.25
# Time of a message and rate [bytes/ns] of the two made-up backends.
BACKENDS = {"host": (20_000.0, 10.0), "fast": (60_000.0, 400.0)}


def row(cells: tuple[int, int, int], slabs: int, halo: str) -> dict[str, Any]:
    """Computation divides by slabs; a message costs a start and its bytes; half of it is hidden."""
    start, rate = BACKENDS[halo]
    columns, lines, planes = cells
    face = 2 * 5 * columns * lines * 4
    compute = 1e-6 * NANOSECONDS_A_CELL * columns * lines * planes / slabs
    comm = 1e-6 * (start + face / rate) if slabs > 1 else 0.0
    step = compute + comm / 2
    return {
        "scheme": "roe3",
        "precision": "single",
        "cells": list(cells),
        "slabs": slabs,
        "cut_y": 1,
        "halo": halo,
        "ms_per_step": step,
        "ms_per_step_least": 0.95 * step,
        "ms_per_step_most": 1.1 * step,
        "compute_ms": compute,
        "comm_ms": comm,
        "exposed_ms": comm / 2,
        "bytes_sent": 3 * 2 * (slabs - 1) * face,
    }


def strong_rows() -> list[dict[str, Any]]:
    several = [row((n, n, n), slabs, h) for n in (32, 128, 256, 512) for slabs in (2, 4, 8) for h in BACKENDS]
    return [row((n, n, n), 1, "host") for n in (32, 128, 256, 512)] + several


def weak_rows() -> list[dict[str, Any]]:
    several = [row((n, n, n * slabs), slabs, h) for n in (64, 192) for slabs in (2, 4, 8) for h in BACKENDS]
    return [row((n, n, n), 1, "host") for n in (64, 192)] + several


def document(rows: list[dict[str, Any]], benchmark: str = "scaling") -> dict[str, Any]:
    return {
        "benchmark": benchmark,
        "tayra": "0.0.0",
        "commit": "0000000",
        "machine": MACHINE,
        "devices": ["no device", "no device"],
        "command": ["tayra", "bench", benchmark, "--json", "made_up.json"],
        "repeats": 5,
        "rows": rows,
    }
