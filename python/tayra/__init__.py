"""Runs of Tayra: started, read and drawn. docs/python.md shows how."""

from importlib import metadata
from pathlib import Path

from tayra.errors import RunError, TayraError
from tayra.launch import run
from tayra.run_directory import Run
from tayra.series import Series
from tayra.snapshot import Grid, Slice, Snapshot
from tayra.table import Table, read_table
from tayra.watching import Watch, watch

__all__ = [
    "Grid",
    "Run",
    "RunError",
    "Series",
    "Slice",
    "Snapshot",
    "Table",
    "TayraError",
    "Watch",
    "open",
    "read_table",
    "run",
    "watch",
]

try:
    __version__ = metadata.version("tayra")
except metadata.PackageNotFoundError:  # a copy that was not installed by pip
    __version__ = "unknown"


def open(directory: Path | str, check: bool = True) -> Run:
    """The run that `tayra run` left in a directory. `check=False` reads snapshots without checksums."""
    return Run(directory, check)
