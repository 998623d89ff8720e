"""Files read whole; never pipes or devices, which would be waited for without end."""

import errno
import os
from pathlib import Path


def read_ordinary(path: Path) -> bytes:
    """OSError where that is no file, or more than memory holds."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no ordinary file", os.fspath(path))
    try:
        return path.read_bytes()
    except MemoryError as error:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM), os.fspath(path)) from error
