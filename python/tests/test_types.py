"""The package keeps its types' promises, to whoever uses it as well."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

USE = """
import tayra
from numpy.typing import NDArray
import numpy as np

run: tayra.Run = tayra.open("results")
width: NDArray[np.float64] = run.diagnostics()["mixing_width"]
density: NDArray[np.float64] = run.snapshots[-1]["density"]
times: list[float] = run.parts["middle"].times
"""


def test_mypy_finds_nothing(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(USE)
    config = next(path for path in (ROOT / "pyproject.toml", ROOT / "python/pyproject.toml") if path.exists())
    words = [sys.executable, "-m", "mypy", "--config-file", config, "tayra", tmp_path / "use.py"]
    found = subprocess.run(words, cwd=ROOT / "python", capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
