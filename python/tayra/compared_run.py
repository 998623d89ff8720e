"""One run as a comparison needs it: read whole and checked."""

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tayra.errors import TayraError
from tayra.report import fact
from tayra.run_directory import TIMINGS, Run
from tayra.settings import read_settings
from tayra.step_statistics import StepStatistics, statistics_of
from tayra.table import Table

MOST = 10**18  # of anything that is counted or measured here: more is damage


@dataclass(frozen=True)
class ComparedRun:
    label: str
    path: Path
    status: str
    command: str
    facts: dict[str, str]
    timings: Table  # of the part of the run that `facts` and `command` tell of
    statistics: StepStatistics
    fingerprint: str  # of the final bits; empty where it is not known
    from_step: int  # that the run was resumed at; 0 from the beginning

    @property
    def machine(self) -> str:
        """Host, devices and halo backend in a few words."""
        host, devices, halo = (self.facts.get(f"machine.{key}", "?") for key in ("host", "devices", "halo"))
        return f"{devices} on {host}, halo {halo}"


def load_run(path: Path, name: str) -> ComparedRun:
    """Everything a comparison needs, checked."""
    run = Run(path)
    record = _checked(run)
    from_step = (record.get("resumed_from") or {}).get("step", 0)
    timings = _of_last_part(path / "timings.csv", run.timings(), record, from_step)
    program, *words = record["command"]
    return ComparedRun(
        label=name,
        path=path,
        status=record["status"],
        command=shlex.join([Path(program).name, *words]),
        facts=facts_of(read_settings(run.directory / "config.yaml"), record),
        timings=timings,
        statistics=statistics_of(timings, math.prod(record["grid"]["cells"])),
        fingerprint=str(record["totals"].get("fingerprint") or ""),
        from_step=from_step,
    )


def facts_of(settings: Mapping[str, str], record: dict[str, Any]) -> dict[str, str]:
    """Of config, program and machine, as far as they are known. Directories differ between any two runs."""
    found = {key: value for key, value in settings.items() if key != "output.directory"}
    for part in ("tayra", "machine"):
        values = record.get(part)
        if isinstance(values, dict):
            found |= {f"{part}.{key}": fact(value) for key, value in values.items()}
    return found


def _checked(run: Run) -> dict[str, Any]:
    """run.json, its parts that are used being what they should be."""
    record = run.record
    parts = {"tayra": dict, "machine": dict, "grid": dict, "totals": dict, "command": list, "status": str}
    wrong = [key for key, kind in parts.items() if not isinstance(record.get(key), kind)]
    cells = None if wrong else record["grid"].get("cells")
    if not isinstance(cells, list) or len(cells) != 3 or not all(_is_count(n) and n > 0 for n in cells):
        wrong.append("grid.cells")
    words = record.get("command")
    if not wrong and not (words and all(isinstance(word, str) for word in words)):
        wrong.append("command")
    resumed = record.get("resumed_from")
    if resumed is not None and not (isinstance(resumed, dict) and _is_count(resumed.get("step"))):
        wrong.append("resumed_from")
    if not wrong and not _is_count(record["totals"].get("steps", 0)):
        wrong.append("totals.steps")
    if wrong:
        raise TayraError(
            f"{run.directory / 'run.json'} is damaged or foreign ('{wrong[0]}' is missing or wrong): "
            "leave this run out or run it anew"
        )
    return record


def _is_count(value: object) -> bool:
    """Of cells or steps, small enough to compute with."""
    return type(value) is int and 0 <= value < MOST


def _of_last_part(path: Path, timings: Table, record: dict[str, Any], from_step: int) -> Table:
    """Checked; without the steps of earlier attempts, whose machine run.json no longer names."""
    remedy = "leave this run out"
    if record["status"] == "running":
        remedy = f"wait for the first one or {remedy}"
    if timings["step"].size == 0:
        raise TayraError(f"{path} holds no steps: {remedy}")
    _check_timings(path, timings, record)
    last_part = Table((name, values[timings["step"] > from_step]) for name, values in timings.items())
    if last_part["step"].size == 0:
        raise TayraError(
            f"{path} holds no steps since the run went on from step {from_step} (which machine took those "
            f"before is not on record): {remedy}"
        )
    if last_part["wall_ms"].sum() == 0:
        raise TayraError(f"{path} is damaged (its steps took no time): restore it or run anew")
    return last_part


def _check_timings(path: Path, timings: Table, record: dict[str, Any]) -> None:
    for column in TIMINGS:
        bad = np.flatnonzero(~((timings[column] >= 0) & (timings[column] < MOST)))
        if bad.size:
            raise TayraError(
                f"{path}:{bad[0] + 2}: {column} is {timings[column][bad[0]]:g} (the file is damaged): "
                "restore it or run anew"
            )
    last, steps = timings["step"][-1], record["totals"].get("steps", 0)
    if record["status"] == "finished" and last < steps:
        raise TayraError(
            f"{path} is cut short (it ends with step {last:.0f}, the run with {steps}): "
            "restore it or run anew"
        )
