"""Each example of configs/ runs, here at a small size, and docs/gallery.md shows it. Needs TAYRA_BINARY."""

import re
from pathlib import Path

import pytest
from conftest import run_tayra

from tayra import Run

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "configs").glob("*.yaml"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_every_example_runs(example: Path, tmp_path: Path) -> None:
    cells = re.search(r"cells: \[(\d+), (\d+), (\d+)\]", example.read_text())
    assert cells, "no grid.cells in one line"
    small = [1 if cells[i] == "1" else max(4, int(cells[i]) // 4) for i in (1, 2, 3)]
    settings = [f"grid.cells={small}", "run.steps=3", "run.time=null"]
    options = [word for setting in settings for word in ("--set", setting)]
    run_tayra("run", example, "--output", tmp_path / "run", "--device", "cpu", *options)
    assert Run(tmp_path / "run").record["totals"]["steps"] == 3


def test_the_gallery_shows_every_flow_of_the_examples() -> None:
    page = (ROOT / "docs/gallery.md").read_text()
    shown = set(re.findall(r"configs/(\w+)\.yaml", page))
    assert shown == {example.stem for example in EXAMPLES} - {"hydrostatic"}, "it has nothing to show"
    for picture in re.findall(r'src="(images/[^"]+)"', page):
        assert (ROOT / "docs" / picture).is_file(), picture
