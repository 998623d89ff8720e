"""The program under test, and a folder with a config."""

import os
from pathlib import Path

import pytest

CONFIG = """
problem: {name: rt_multi, atwood: 0.5, amplitude: 0.02, modes: [1, 2], seed: 3}
grid: {cells: [8, 8, 16], upper: [1, 1, 2]}
run: {steps: 40, device: cpu}
output: {checkpoints: {every_steps: 20}}
"""


@pytest.fixture(scope="session")
def tayra() -> str:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY does not say where the program is")
    return binary


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a config that takes a moment."""
    (tmp_path / "config.yaml").write_text(CONFIG)
    return tmp_path
