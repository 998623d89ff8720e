"""The examples of docs/python.md, run one after the other on a small run; needs TAYRA_BINARY."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import run_tayra

ROOT = Path(__file__).parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), flags=re.DOTALL)


def imported(example: str) -> list[str]:
    return re.findall(r"^import (\w+)", example, flags=re.MULTILINE)


def test_every_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = (ROOT / "configs/quickstart.yaml").read_text()
    small = re.sub(r"cells: \[.*?\]", "cells: [8, 8, 16]", config)
    assert small != config
    Path("configs").mkdir()
    Path("configs/quickstart.yaml").write_text(small)
    run_tayra("run", "configs/quickstart.yaml", "--output", "results/quickstart")
    names: dict[str, object] = {}
    for number, example in enumerate(EXAMPLES, 1):
        if all(map(find_spec, imported(example))):
            exec(compile(example, f"example {number} of python.md", "exec"), names)
    assert Path("early.png").exists()
    assert {"xarray", "pyvista", "yt"} <= {name for example in EXAMPLES for name in imported(example)}
