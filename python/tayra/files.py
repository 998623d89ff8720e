"""Files that are read whole, and such that are written whole or not at all; with errors for a person."""

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tayra.errors import OutputError, TayraError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # nothing is wrong with the name
LONGEST_STEM = 60  # characters, of up to four bytes each: file systems allow names of 255 bytes


def read_ordinary(path: Path) -> bytes:
    """OSError where that is no file, or more than memory holds. Never of pipes or devices, which would be
    waited for without end."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no ordinary file", os.fspath(path))
    try:
        return path.read_bytes()
    except MemoryError as error:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM), os.fspath(path)) from error


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object that the whole file is. Files without end in nested lists count as damaged too."""
    try:
        # Early files kept commands as typed: names of files in them may be any bytes.
        value = json.loads(read_ordinary(path).decode("utf-8", errors="surrogateescape"))
    except (OSError, ValueError, RecursionError) as error:
        raise TayraError(f"{path} cannot be read as JSON ({error}): leave it out or write it anew") from error
    if not isinstance(value, dict):
        raise TayraError(f"{path} holds no JSON object: it comes from no command of Tayra")
    return value


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """The name under which to write what gets the name `path` once all of it is there. Makes the folder."""
    target = Path(os.path.realpath(path))  # a link stays one
    is_device = target.exists() and not target.is_file()
    beside = target if is_device else target.with_name(f"{target.name[:LONGEST_STEM]}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield beside
        if not is_device:
            beside.replace(target)
    except OSError as error:
        kind = OutputError if error.errno in NO_ROOM else TayraError
        raise kind(f"cannot write {path} ({error.strerror or error})") from error
    finally:
        if not is_device:
            with suppress(OSError):  # nothing is there, as a rule
                beside.unlink()
