"""Runs side by side: what differs in config and machine, and what their steps took."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tayra.compared_run import ComparedRun, load_run
from tayra.comparison import Comparison, differences, differences_section, label, same_final_bits
from tayra.errors import TayraError
from tayra.field_differences import (
    FieldsApart,
    IncomparableError,
    fields_apart,
    fields_apart_over_time,
)
from tayra.report import Section, digits
from tayra.run_directory import Run
from tayra.step_statistics import QUANTITIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Runs that differ in these do different work.
SAME_WORK = ("problem.name", "grid.", "numerics.scheme", "numerics.precision")
NAMES = {
    "wall": "the step",
    "compute": "computation",
    "comm": "communication",
    "exposed": "exposed communication",
    "io": "output",
}


class RunComparison(Comparison):
    def __init__(self, paths: Sequence[Path], anyway: bool = False, most_bytes: float = 0) -> None:
        """Fields are compared of snapshots that hold no more than `most_bytes`."""
        self.most_bytes = most_bytes
        self.runs = [load_run(path, label(index)) for index, path in enumerate(paths)]
        self.differences = differences([run.facts for run in self.runs])
        if not anyway:
            self._require_same_work()

    def _require_same_work(self) -> None:
        for key, values in self.differences.items():
            if not key.startswith(SAME_WORK):
                continue
            other = next(i for i, value in enumerate(values) if value != values[0])
            raise TayraError(
                f"{self.runs[0].path} and {self.runs[other].path} did different work "
                f"({key} is {values[0]} and {values[other]}): --anyway compares them all the same"
            )

    @cached_property
    def speed_ups(self) -> list[float]:
        """In cell-steps per second of the steps alone, against the first run."""
        speeds = [run.statistics.cell_steps_per_second for run in self.runs]
        return [speed / speeds[0] for speed in speeds]

    @cached_property
    def apart(self) -> list[tuple[ComparedRun, FieldsApart | str]]:
        """Of each other run its fields against those of the first, or why they are not compared."""
        series = [Run(run.path).snapshots for run in self.runs]
        found: list[tuple[ComparedRun, FieldsApart | str]] = []
        for run, snapshots in zip(self.runs[1:], series[1:], strict=True):
            if not (self.most_bytes and series[0] and snapshots):
                continue
            try:
                found.append((run, fields_apart(series[0], snapshots, self.most_bytes)))
            except IncomparableError as error:
                found.append((run, str(error)))
        return found

    @property
    def same_final_bits(self) -> bool | None:
        return same_final_bits(run.fingerprint for run in self.runs)

    def sections(self) -> list[Section]:
        return [
            self._runs(),
            differences_section([run.label for run in self.runs], self.differences),
            self._spreads(),
            self._totals(),
            self._slowest(),
            *self._fields(),
        ]

    def rows(self) -> list[dict[str, Any]]:
        return [self._row(run, speed_up) for run, speed_up in zip(self.runs, self.speed_ups, strict=True)]

    def document(self) -> dict[str, Any]:
        slowest = [
            {"label": run.label, "steps": [s._asdict() for s in run.statistics.slowest]} for run in self.runs
        ]
        labels = [run.label for run in self.runs]
        differing = {key: dict(zip(labels, values, strict=True)) for key, values in self.differences.items()}
        return {
            "compared": "runs",
            "same_final_bits": self.same_final_bits,
            "differences": differing,
            "runs": self.rows(),
            "slowest": slowest,
            "fields": {run.label: asdict(found) for run, found in self.apart if not isinstance(found, str)},
        }

    def draw(self) -> "Figure":
        # Only here, so that tables need no matplotlib and come at once.
        from tayra.run_figure import draw_runs

        return draw_runs(self.runs, self._apart_over_time())

    def _apart_over_time(self) -> dict[str, list[FieldsApart]]:
        """By label, of the other runs whose fields can be held against those of the first."""
        first = Run(self.runs[0].path).snapshots
        found = {}
        for run in self.runs[1:] if self.most_bytes and first else []:
            with suppress(IncomparableError):  # the table says why
                found[run.label] = fields_apart_over_time(first, Run(run.path).snapshots, self.most_bytes)
        return found

    def _row(self, run: ComparedRun, speed_up: float) -> dict[str, Any]:
        statistics = run.statistics
        spreads = {
            f"{name}_{field}": value
            for name, spread in statistics.spreads.items()
            for field, value in spread._asdict().items()
        }
        return {
            "label": run.label,
            "path": str(run.path),
            "status": run.status,
            "command": run.command,
            "host": run.facts.get("machine.host", ""),
            "devices": run.facts.get("machine.devices", ""),
            "halo": run.facts.get("machine.halo", ""),
            "cells": statistics.cells,
            "from_step": run.from_step,
            "steps": statistics.steps,
            "time": statistics.time,
            "cell_steps_per_second": statistics.cell_steps_per_second,
            "cell_steps_per_second_with_output": statistics.cell_steps_per_second_with_output,
            "speed_up": speed_up,
            **spreads,
        }

    def _runs(self) -> Section:
        rows = [
            [run.label, str(run.path), run.machine, run.status, str(run.statistics.steps)]
            for run in self.runs
        ]
        work = self.runs[0].facts
        title = "Runs" if self._differs_in_work() else f"Runs of {_work_in_words(work)}"
        return Section(title, ["", "run", "machine", "status", "steps"], rows, labels=4, note=self._note())

    def _note(self) -> str:
        going = ", ".join(run.label for run in self.runs if run.status == "running")
        resumed = ", ".join(f"{run.label} at step {run.from_step}" for run in self.runs if run.from_step)
        notes = [f"{going}: still going on (or killed); only the steps so far count"] if going else []
        if resumed:
            notes.append(f"resumed: {resumed}; only steps since then count: machine and command are theirs")
        notes.append(self._final_bits_in_words())
        return "\n".join(notes)

    def _final_bits_in_words(self) -> str:
        if self.same_final_bits is None:
            silent = ", ".join(run.label for run in self.runs if not run.fingerprint)
            return f"final bits: not known (no fingerprint in run.json of {silent})"
        return "same final bits" if self.same_final_bits else "final bits differ"

    def _differs_in_work(self) -> bool:
        return any(key.startswith(SAME_WORK) for key in self.differences)

    def _spreads(self) -> Section:
        rows = []
        for name in QUANTITIES:
            first = self.runs[0].statistics.spreads[name].median_ms
            for run in self.runs:
                spread = run.statistics.spreads[name]
                share = spread.total_s / run.statistics.spreads["wall"].total_s
                rows.append(
                    [
                        NAMES[name] if run is self.runs[0] else "",
                        run.label,
                        *(digits(ms) for ms in spread[:3]),
                        digits(spread.total_s),
                        f"{100 * share:.1f} %",
                        f"{first / spread.median_ms:.3g}" if first and spread.median_ms else "-",
                    ]
                )
        columns = ["", "", "median ms", "5 %", "95 %", "total s", "of steps", "speed-up"]
        return Section("What a step took", columns, rows, labels=2, note="speed-up: of the median")

    def _totals(self) -> Section:
        rows = []
        first = self.runs[0].statistics.cell_steps_per_second_with_output
        for run, speed_up in zip(self.runs, self.speed_ups, strict=True):
            statistics = run.statistics
            with_output = statistics.cell_steps_per_second_with_output
            rows.append(
                [
                    run.label,
                    f"{statistics.cell_steps_per_second:.3e}",
                    f"{speed_up:.3g}",
                    f"{with_output:.3e}",
                    f"{with_output / first:.3g}",
                ]
            )
        columns = ["", "cell-steps/s", "speed-up", "with output", "speed-up"]
        return Section(f"Speed of all steps, against {self.runs[0].label}", columns, rows)

    def _fields(self) -> list[Section]:
        """None where no run has snapshots, or none are to be read."""
        first = self.runs[0].label
        rows, notes = [], []
        for run, found in self.apart:
            if isinstance(found, str):
                notes.append(f"{run.label}: not compared ({found})")
                continue
            notes.append(f"{run.label}: at time {found.time:.6g}")
            for apart in found.fields:
                numbers = (apart.mean, apart.rms, apart.most, apart.spread)
                name = run.label if apart is found.fields[0] else ""
                rows.append([name, apart.field, *map(digits, numbers)])
        if not self.apart:
            return []
        note = "\n".join(
            [
                *notes,
                f"mean, rms and most of the difference's size, over all cells; spread: rms of {first}'s own",
            ]
        )
        columns = ["", "", "mean", "rms", "most", "spread"]
        return [Section(f"Fields, less those of {first}", columns, rows, labels=2, note=note)]

    def _slowest(self) -> Section:
        rows = []
        for run in self.runs:
            median = run.statistics.spreads["wall"].median_ms
            for slow in run.statistics.slowest:
                times = f"{slow.wall_ms / median:.3g}" if median else "-"
                name = run.label if slow is run.statistics.slowest[0] else ""
                rows.append([name, str(slow.step), digits(slow.wall_ms), times])
        return Section("Slowest steps", ["", "step", "ms", "times the median"], rows)


def _work_in_words(facts: dict[str, str]) -> str:
    cells = facts.get("grid.cells", "?").strip("[]").replace(", ", " x ")
    return ", ".join(
        (
            facts.get("problem.name", "?"),
            f"{cells} cells",
            facts.get("numerics.scheme", "?"),
            facts.get("numerics.precision", "?"),
        )
    )
