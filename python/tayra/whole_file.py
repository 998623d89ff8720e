"""Files that are written whole or not at all."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tayra.errors import OutputError, TayraError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # nothing is wrong with the name
LONGEST_STEM = 60  # characters, of up to four bytes each: file systems allow names of 255 bytes


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
