"""config.yaml of a run as a flat table: 'grid.cells' gives '[32, 32, 64]'."""

from pathlib import Path

from tayra.errors import TayraError
from tayra.ordinary_file import read_ordinary

INDENT = 2


def read_settings(path: Path) -> dict[str, str]:
    """Reads the one shape in which Tayra writes config.yaml: a key a line, nested by two spaces."""
    try:
        text = read_ordinary(path).decode("utf-8", errors="surrogateescape")
    except OSError as error:
        raise TayraError(f"{path} cannot be read ({error})") from error
    settings: dict[str, str] = {}
    parents: list[str] = []
    # As bytes, and not by splitlines(): a directory's name may hold other letters that end a line elsewhere.
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        key, colon, value = line.strip().partition(":")
        depth, rest = divmod(len(line) - len(line.lstrip(" ")), INDENT)
        if not key or not colon or rest or depth > len(parents):
            raise TayraError(f"{path}:{number}: this is not as Tayra writes it: restore the file or run anew")
        parents[depth:] = [key]
        if value:
            settings[".".join(parents)] = value.strip()
    return settings
