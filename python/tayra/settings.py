"""config.yaml of a run as a flat table: 'grid.cells' gives [32, 32, 64]."""

import re
from collections.abc import Mapping
from pathlib import Path

from tayra.errors import TayraError
from tayra.files import read_ordinary

INDENT = 2
Scalar = bool | int | float | str
Setting = Scalar | list[Scalar]
NAMES_OF_FILES = ("output.directory",)  # which may be called 2024 or true


def read_settings(path: Path) -> dict[str, str]:
    """Reads the one shape in which Tayra writes config.yaml: a key a line, nested by two spaces. The values
    stay text, with every bit."""
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


def typed(settings: Mapping[str, str]) -> dict[str, Setting]:
    """With numbers, truth values and lists for their texts. A number without a point is whole."""
    return {key: _unquoted(text) if key in NAMES_OF_FILES else _value(text) for key, text in settings.items()}


def _value(text: str) -> Setting:
    if text.startswith("[") and text.endswith("]"):
        return [_scalar(item) for item in text[1:-1].split(", ") if item]
    return _scalar(text)


def _scalar(text: str) -> Scalar:
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return _unquoted(text)


def _unquoted(text: str) -> str:
    """YAML's double quotes, with what yaml-cpp writes as codes."""
    if not re.fullmatch(r'".*"', text):
        return text
    codes = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}

    def letter(found: re.Match[str]) -> str:
        code = found[1]
        return chr(int(code[1:], 16)) if len(code) > 1 else codes.get(code, code)

    return re.sub(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)", letter, text[1:-1])
