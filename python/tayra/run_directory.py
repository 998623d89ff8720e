"""A run's directory: its record, logs and snapshots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tayra.errors import TayraError
from tayra.files import read_object
from tayra.series import Parts, Series
from tayra.settings import Setting, read_settings, typed
from tayra.snapshot import Snapshot
from tayra.table import Table, read_table

if TYPE_CHECKING:
    from tayra.figures import Picture
    from tayra.part_file import PartSeries
    from tayra.statistics import Statistics

TIMINGS = ("step", "time", "dt", "wall_ms", "compute_ms", "comm_ms", "exposed_ms", "io_ms", "bytes_sent")


class Run:
    """What `tayra run` left in a directory, or has left so far: files are read when they are asked for.

    `check=False`: snapshots are read without their checksums.
    """

    def __init__(self, directory: Path | str, check: bool = True) -> None:
        self.directory = directory = Path(directory)
        self.check = check
        if not directory.is_dir():
            raise TayraError(f"{directory} is no directory: name the output.directory of a run")
        if not (directory / "run.json").is_file():
            raise TayraError(f"{directory} holds no run of Tayra (run.json is missing)")

    @property
    def record(self) -> dict[str, Any]:
        """run.json: who ran what where, how it ended."""
        path = self.directory / "run.json"
        record = read_object(path)
        if "tayra" not in record:
            raise TayraError(f"{path} is no record of a run of Tayra")
        return record

    @property
    def settings(self) -> dict[str, Setting]:
        """The config as run, every key with its value: 'grid.cells' gives [32, 32, 64]."""
        return typed(read_settings(self.directory / "config.yaml"))

    @property
    def name(self) -> str:
        return self.directory.resolve().name

    @property
    def snapshots(self) -> Series:
        """Of the whole box."""
        return Series(self.directory / "snapshots", self.check)

    @property
    def parts(self) -> Parts:
        """Snapshots of parts of the box, by the names that the config gives these."""
        return Parts(self.directory / "parts", self.check)

    def snapshot(self, number: int | None = None, *, time: float | None = None) -> Snapshot:
        """Of the whole box the last one; that of a number (of -1, -2 … counted from the end); or that nearest
        to a time."""
        return self.snapshots.snapshot(number, time=time)

    def timings(self) -> Table:
        """One row a step; of a run that did not finish, the rows written so far."""
        return read_table(self.directory / "timings.csv", TIMINGS, self._is_growing())

    def diagnostics(self) -> Table:
        """Integrals, extremes and the size of the mixing layer over time."""
        return read_table(
            self.directory / "diagnostics.csv",
            ("step", "time", "mass", "energy", "potential_energy"),
            self._is_growing(),
        )

    def statistics(self) -> Statistics:
        """Profiles over time, where the config asks for them (output.statistics); written so far."""
        from tayra.statistics import Statistics

        return Statistics(self.directory / "statistics.h5")

    def series(self, name: str) -> PartSeries:
        """A part of the box with one file for all times (output.parts.NAME.one_file); written so far."""
        from tayra.part_file import part_series

        return part_series(self.directory, name)

    def plot(
        self,
        field: str = "density",
        axis: str | None = None,
        position: float | None = None,
        *,
        number: int | None = None,
        time: float | None = None,
        smooth: bool = False,
    ) -> Picture:
        """A slice of a snapshot of the whole box, by default in the middle of the last one."""
        return self.snapshot(number, time=time).plot(field, axis, position, smooth=smooth)

    def plot_curves(self) -> Picture:
        """Growth of the mixing layer, where there is one, and the energies, over time."""
        from tayra.flow_figures import draw_curves  # only here: what needs no matplotlib comes at once

        return draw_curves(self)

    def __repr__(self) -> str:
        return f"<Run {self.directory}: {self._in_words()}>"

    def _in_words(self) -> str:
        try:
            settings, record = self.settings, self.record
        except TayraError:
            return "its run.json or config.yaml can't be read"
        cells = settings.get("grid.cells")
        box = " x ".join(map(str, cells if isinstance(cells, list) else [cells]))
        flow = f"{settings.get('problem.name')}, {box} cells, {settings.get('numerics.scheme')}"
        words = f"{flow}; {record.get('status')}"
        try:
            return f"{words} at time {record['totals']['time']:.6g}, step {record['totals']['steps']}"
        except (KeyError, TypeError, ValueError):  # it has not ended yet
            return words

    def _is_growing(self) -> bool:
        return self.record.get("status") != "finished"
