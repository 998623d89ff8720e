"""config.yaml as a flat table."""

from pathlib import Path

import pytest

from tayra import TayraError
from tayra.settings import read_settings


def test_nested_keys_are_joined(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text('a:\n  b:\n    c: 1\n    d: [1, 2]\n  e: "x: y"\nf: g\n')
    assert read_settings(path) == {"a.b.c": "1", "a.b.d": "[1, 2]", "a.e": '"x: y"', "f": "g"}


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes("a:\n  b: x\u2028y\u0085\rz\n".encode())
    assert read_settings(path) == {"a.b": "x\u2028y\u0085\rz"}


@pytest.mark.parametrize("line", ["  b: 1", "a: 1\n b: 1", "a: 1\n    b: 1", "a: 1\nb", "a: 1\n\n", "- a"])
def test_what_tayra_does_not_write_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(line)
    with pytest.raises(TayraError, match=r"config\.yaml:[123]: this is not as Tayra writes it"):
        read_settings(path)
