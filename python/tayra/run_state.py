"""How a run stands, as far as its directory tells: under way, ended or killed, and what it waits for."""

import fcntl
import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tayra.errors import TayraError
from tayra.run_directory import Run

REQUESTS = {  # files by which a run is asked for something (docs/files.md)
    "STOP": "asked to stop: writes a checkpoint and ends",
    "CHECKPOINT": "asked for a checkpoint",
    "SNAPSHOT": "asked for snapshots",
}
QUIET = 60.0  # seconds without a row, after which a run elsewhere may be gone


@dataclass(frozen=True)
class State:
    name: str  # a status of run.json, or what follows from it: killed, silent, missing
    is_under_way: bool
    text: str


UNDER_WAY = State("running", True, "computing")


def state_of(directory: Path, record: dict[str, Any], quiet_for: float) -> State:
    """`quiet_for`: seconds since its last row."""
    status = str(record.get("status"))
    message = str(record.get("message") or "")
    if status != "running":
        return State(status, False, message)
    locked = is_locked(directory)
    if locked:
        return UNDER_WAY
    host = str(_dict(record.get("machine")).get("host"))
    if locked is False and host == socket.gethostname():
        return _ended_meanwhile(directory) or State(
            "killed",
            False,
            "killed, or its machine was lost, or its disk was full: run.json says that it runs, but no "
            "process holds its directory. tayra run --resume goes on from the last checkpoint",
        )
    # Locks need not travel from one machine to another.
    if quiet_for < QUIET:
        return UNDER_WAY
    return State(
        "silent", True, f"no news for long: whether it still computes can only be seen on its machine, {host}"
    )


def is_locked(directory: Path) -> bool | None:
    """By the run that is under way there. None where the file system has no locks. Nobody waits for who asks
    in this way: the lock is shared, for an instant."""
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return False


def doings_of(directory: Path) -> list[str]:
    """What it was asked for and files that it writes."""
    found = [text for name, text in REQUESTS.items() if (directory / name).is_file()]
    folders = [directory / "checkpoints", directory / "snapshots", *sorted(directory.glob("parts/*"))]
    for folder in folders:
        with suppress(OSError):
            being_written = sorted(path.stem for path in folder.glob("*.tmp") if path.stem[:6].isdecimal())
            found += [f"writing {folder.relative_to(directory) / name}" for name in being_written]
    return found


def quiet_seconds(*logs: Path) -> float:
    """Since the last of them grew."""
    changed = [0.0]
    for log in logs:
        with suppress(OSError):
            changed.append(log.stat().st_mtime)
    return max(0.0, time.time() - max(changed))


def _ended_meanwhile(directory: Path) -> State | None:
    """It may have ended after its record was read and before its lock was asked for."""
    with suppress(TayraError):
        record = Run(directory).record
        if record.get("status") != "running":
            return State(str(record.get("status")), False, str(record.get("message") or ""))
    return None


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
