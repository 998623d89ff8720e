"""The wheel under test: scripts/wheel.sh --test names it."""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--wheel", type=lambda text: Path(text).resolve(), required=True)
