"""Runs of Tayra, read and drawn."""

from tayra.errors import TayraError
from tayra.run import Run
from tayra.snapshot import Slice, Snapshot
from tayra.table import Table, read_table

__all__ = ["Run", "Slice", "Snapshot", "Table", "TayraError", "read_table"]
