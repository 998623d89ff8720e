"""A run's directory, looked at again and again: what is there, and what is missing."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tayra.errors import TayraError
from tayra.growing_table import GrowingTable
from tayra.printable import printable
from tayra.run_directory import TIMINGS, Run
from tayra.run_state import State, quiet_seconds, state_of
from tayra.series import Parts, Series
from tayra.settings import Setting, read_settings, typed
from tayra.snapshot import AXES, Snapshot
from tayra.table import Table

RECENT_SECONDS, RECENT_STEPS = 10.0, 1000  # what counts as now

LIVE = {"slice": "slice across", "mean": "mean along"}  # by the beginning of a file's name

T = TypeVar("T")


@dataclass
class Look:
    """One look at a directory."""

    record: dict[str, Any]
    settings: dict[str, Setting]
    timings: Table
    diagnostics: Table
    state: State
    missing: list[str] = field(default_factory=list)

    def of_record(self, *path: str) -> Any:  # noqa: ANN401
        value: Any = self.record
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    @property
    def cells(self) -> float | None:
        counts = self.of_record("grid", "cells") or self.settings.get("grid.cells")
        if isinstance(counts, list) and counts and all(isinstance(n, int) and n > 0 for n in counts):
            return float(math.prod(counts))
        return None

    @property
    def step(self) -> int | None:
        return (
            int(self.timings["step"][-1])
            if self.timings.rows and math.isfinite(self.timings["step"][-1])
            else whole(self.of_record("totals", "steps"))
        )

    @property
    def time(self) -> float | None:
        if self.timings.rows:
            return number(float(self.timings["time"][-1]))
        return number(self.of_record("totals", "time"))

    @property
    def recent(self) -> Table:
        """The steps of the last seconds."""
        seconds = 1e-3 * np.cumsum(
            (self.timings["wall_ms"] + self.timings["io_ms"])[: -RECENT_STEPS - 1 : -1]
        )
        count = max(10, int(np.searchsorted(seconds, RECENT_SECONDS)))
        return Table((name, values[-count:]) for name, values in self.timings.items())


@dataclass(frozen=True)
class View:
    """Snapshots of one kind, or the picture of the newest state that a run replaces again and again."""

    name: str
    snapshots: list[Snapshot]  # oldest first, at least one
    numbers: list[int]  # of a picture its step
    is_live: bool = False

    def snapshot(self, number: int | None) -> Snapshot:
        """Of pictures the one that is there: the one that was asked for may be gone by now."""
        if number is None or self.is_live:
            return self.snapshots[-1]
        if number not in self.numbers:
            raise TayraError(f"{self.name} holds no snapshot {number}")
        return self.snapshots[self.numbers.index(number)]


class WatchedRun:
    """Looked at by one thread at a time."""

    def __init__(self, directory: Path, name: str = "") -> None:
        self.directory = directory
        self.name = printable(name or directory.resolve().name)
        self._timings = GrowingTable(directory / "timings.csv")
        self._diagnostics = GrowingTable(directory / "diagnostics.csv")
        self._lock = threading.Lock()

    def look(self) -> Look:
        with self._lock:
            return self._look()

    def _look(self) -> Look:
        missing: list[str] = []

        def found(read: Callable[[], T], instead: T) -> T:
            try:
                return read()
            except TayraError as error:
                missing.append(printable(str(error).replace(f"{self.directory}/", "")))
                return instead

        def table(log: GrowingTable, needed: tuple[str, ...]) -> Table:
            rows = log.look()
            if log.damaged:
                missing.append(
                    f"{log.path.name}: left out {log.damaged} damaged row{'s' * (log.damaged > 1)}"
                )
            lacking = [name for name in needed if name not in rows]
            if lacking and rows:
                raise TayraError(f"{log.path.name} lacks the column {lacking[0]}")
            return rows

        if not self.directory.is_dir():
            missing.append(f"{self.directory} is gone")
        record: dict[str, Any] = found(lambda: _record(self.directory), {})
        settings: dict[str, Setting] = found(lambda: _settings(self.directory), {})
        timings = found(lambda: table(self._timings, TIMINGS), Table())
        diagnostics = found(lambda: table(self._diagnostics, ("step", "time")), Table())
        quiet = quiet_seconds(self._timings.path, self._diagnostics.path, self.directory / "run.json")
        state = state_of(self.directory, record, quiet) if record else _without_record(self.directory)
        return Look(record, settings, timings, diagnostics, state, missing)

    def series(self) -> list[tuple[str, Series]]:
        """Of the whole box and of its parts. Not checked: that would read all of their planes."""
        whole = Series(self.directory / "snapshots", check=False)
        return [("whole box", whole), *Parts(self.directory / "parts", check=False).items()]

    def views(self) -> list[View]:
        """What can be shown of the flow: snapshots of the whole box, of parts, then live pictures."""
        found = [
            View(name, series, [snapshot.number for snapshot in series])
            for name, series in self.series()
            if series
        ]
        for (kind, words), axis in product(LIVE.items(), AXES):
            picture = Snapshot(self.directory / "live" / f"{kind}_{axis}.vtkhdf", check=False)
            with suppress(TayraError):  # a machine that lost its power may have left half of it
                if picture.path.exists():
                    found.append(View(f"{words} {axis}, live", [picture], [picture.step], is_live=True))
        return found


def usual_view(views: Sequence[View], is_under_way: bool) -> int:
    """The one to begin with: a live picture while the run computes, or if nothing newer was left."""
    live = [place for place, view in enumerate(views) if view.is_live]
    if live and (is_under_way or live[0] == 0):
        return live[0]
    with suppress(TayraError):
        if live and views[live[0]].snapshots[-1].step <= views[0].snapshots[-1].step:
            return 0
    return live[0] if live else 0


def watched_runs(directories: Sequence[Path]) -> list[WatchedRun]:
    """Each with as much of its path for a name as tells it from the others."""
    paths = [directory.resolve() for directory in directories]
    names = [path.name for path in paths]
    for parts in range(2, max(len(path.parts) for path in paths) + 1):
        twice = {name for name in names if names.count(name) > 1}
        names = [
            "/".join(path.parts[-parts:]) if name in twice else name
            for name, path in zip(names, paths, strict=True)
        ]
    return [WatchedRun(directory, name) for directory, name in zip(directories, names, strict=True)]


def _record(directory: Path) -> dict[str, Any]:
    if not (directory / "run.json").is_file():
        raise TayraError("run.json is missing: who ran what, where and how it ended is not known")
    return Run(directory).record


def _settings(directory: Path) -> dict[str, Setting]:
    if not (directory / "config.yaml").is_file():
        raise TayraError("config.yaml is missing: when the run should end is not known")
    return typed(read_settings(directory / "config.yaml"))


def _without_record(directory: Path) -> State:
    if (directory / "timings.csv").exists() or (directory / "snapshots").exists():
        return State("unknown", False, "without run.json nobody knows how it ended")
    return State("missing", False, "no run has begun here")


def number(value: object) -> float | None:
    """None for what is none, or none that can be computed with."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    with suppress(OverflowError):
        found = float(value)
        return found if math.isfinite(found) else None
    return None


def whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
