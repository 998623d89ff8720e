"""A run's directory: its record, logs and snapshots."""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from tayra.errors import TayraError
from tayra.json_file import read_object
from tayra.settings import read_settings
from tayra.snapshot import Snapshot
from tayra.table import Table, read_table

TIMINGS = ("step", "time", "dt", "wall_ms", "compute_ms", "comm_ms", "exposed_ms", "io_ms", "bytes_sent")


def spans(numbers: Sequence[int]) -> str:
    """Of rising numbers: '0 to 4, 6, 9 to 12'."""
    without_gaps = groupby(enumerate(numbers), lambda item: item[1] - item[0])
    ends = [(group[0][1], group[-1][1]) for group in (list(items) for _, items in without_gaps)]
    return ", ".join(f"{first} to {last}" if last > first else str(first) for first, last in ends)


class Run:
    """What `tayra run` left in a directory. `check=False`: snapshots are read without their checksums."""

    def __init__(self, directory: Path | str, check: bool = True) -> None:
        self.directory = directory = Path(directory)
        self.check = check
        if not directory.is_dir():
            raise TayraError(f"{directory} is no directory: name the output.directory of a run")
        if not (directory / "run.json").is_file():
            raise TayraError(f"{directory} holds no run of Tayra (run.json is missing)")

    @cached_property
    def record(self) -> dict[str, Any]:
        path = self.directory / "run.json"
        record = read_object(path)
        if "tayra" not in record:
            raise TayraError(f"{path} is no record of a run of Tayra")
        return record

    @cached_property
    def settings(self) -> dict[str, str]:
        """The config as run, every key with its value: 'grid.cells' gives '[32, 32, 64]'."""
        return read_settings(self.directory / "config.yaml")

    @property
    def name(self) -> str:
        return self.directory.resolve().name

    def parts(self) -> list[str]:
        """Names of the parts of the box that have snapshots of their own."""
        return sorted(path.name for path in (self.directory / "parts").glob("*") if path.is_dir())

    def folder(self, part: str | None = None) -> Path:
        """Where the snapshots of the whole box lie, or of one of its parts."""
        if part is None:
            return self.directory / "snapshots"
        if part not in self.parts():
            have = f"it has {', '.join(self.parts())}" if self.parts() else "it has none"
            raise TayraError(f"{self.directory} holds no part '{part}': {have}")
        return self.directory / "parts" / part

    def snapshots(self, part: str | None = None) -> list[Snapshot]:
        """Every snapshot of the box, or of a part, that was written whole, oldest first."""
        found = [p for p in self.folder(part).glob("*.vtkhdf") if re.fullmatch(r"\d{6,}", p.stem)]
        return [Snapshot(path, self.check) for path in sorted(found, key=lambda path: int(path.stem))]

    def snapshot(self, number: int | None = None, part: str | None = None) -> Snapshot:
        """Snapshot `number` of the box, or of a part; the last one by default."""
        every = self.snapshots(part)
        holder = self.folder(part) if part else self.directory
        if not every:
            raise TayraError(f"{holder} holds no snapshots yet")
        if number is None:
            return every[-1]
        for snapshot in every:
            if snapshot.number == number:
                return snapshot
        have = spans([snapshot.number for snapshot in every])
        raise TayraError(f"{holder} holds no snapshot {number}: it has {have}")

    def timings(self) -> Table:
        """One row a step; of a run that did not finish, the rows written so far."""
        return read_table(self.directory / "timings.csv", TIMINGS, self._is_growing())

    def diagnostics(self) -> Table:
        return read_table(
            self.directory / "diagnostics.csv",
            ("step", "time", "mass", "energy", "potential_energy"),
            self._is_growing(),
        )

    def _is_growing(self) -> bool:
        return self.record.get("status") != "finished"
