"""A run's directory: its record, logs and snapshots."""

import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any

from tayra.errors import TayraError
from tayra.snapshot import Snapshot
from tayra.table import Table, read_table


class Run:
    """What `tayra run` left in a directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        if not directory.is_dir():
            raise TayraError(f"{directory} is no directory: name the output.directory of a run")
        if not (directory / "run.json").is_file():
            raise TayraError(f"{directory} holds no run of Tayra (run.json is missing)")

    @cached_property
    def record(self) -> dict[str, Any]:
        path = self.directory / "run.json"
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise TayraError(f"{path} cannot be read ({error})") from error
        if not isinstance(record, dict) or "tayra" not in record:
            raise TayraError(f"{path} is no record of a run of Tayra")
        return record

    @property
    def name(self) -> str:
        return self.directory.resolve().name

    def snapshots(self) -> list[Snapshot]:
        """Every snapshot that was written whole, oldest first."""
        found = [
            p for p in (self.directory / "snapshots").glob("*.vtkhdf") if re.fullmatch(r"\d{6,}", p.stem)
        ]
        return [Snapshot(path) for path in sorted(found, key=lambda path: int(path.stem))]

    def snapshot(self, number: int | None = None) -> Snapshot:
        """Snapshot `number`; the last one by default."""
        every = self.snapshots()
        if not every:
            raise TayraError(f"{self.directory} holds no snapshots yet")
        if number is None:
            return every[-1]
        for snapshot in every:
            if snapshot.number == number:
                return snapshot
        raise TayraError(
            f"{self.directory} holds no snapshot {number}: it has {every[0].number} to {every[-1].number}"
        )

    def timings(self) -> Table:
        return read_table(self.directory / "timings.csv", ("step", "time", "dt", "wall_ms"))

    def diagnostics(self) -> Table:
        return read_table(
            self.directory / "diagnostics.csv", ("step", "time", "mass", "energy", "potential_energy")
        )
