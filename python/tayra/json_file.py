"""JSON objects from files, with errors for a person."""

import json
from pathlib import Path
from typing import Any

from tayra.errors import TayraError
from tayra.ordinary_file import read_ordinary


def read_object(path: Path) -> dict[str, Any]:
    """The object that the whole file is. Files without end in nested lists count as damaged too."""
    try:
        # Early files kept commands as typed: names of files in them may be any bytes.
        value = json.loads(read_ordinary(path).decode("utf-8", errors="surrogateescape"))
    except (OSError, ValueError, RecursionError) as error:
        raise TayraError(f"{path} cannot be read as JSON ({error}): leave it out or write it anew") from error
    if not isinstance(value, dict):
        raise TayraError(f"{path} holds no JSON object: it comes from no command of Tayra")
    return value
