"""All benchmarks on the CPU, on sizes that take no time: what they leave is read, drawn and compared."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import scaling_rows
from matplotlib import image

from tayra.bench_file import BENCHMARKS, read_bench_file
from tayra.compare import main as compare
from tayra.plot import main as plot

ROOT = Path(__file__).parents[2]


def measure(directory: Path) -> None:
    if "TAYRA_BINARY" not in os.environ:
        pytest.skip("TAYRA_BINARY is not set")
    environment = os.environ | {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "1"}
    script = ROOT / "scripts" / "bench_gpus.sh"
    done = subprocess.run(
        [script, directory, "--dry-run"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("bench") / "results"
    measure(directory)
    return directory


def files(results: Path) -> list[Path]:
    return sorted(results.glob("*.json"))


def test_every_benchmark_leaves_a_file_by_the_convention(results: Path) -> None:
    found = [read_bench_file(path) for path in files(results)]
    assert {file.benchmark for file in found} == set(BENCHMARKS)
    for file in found:
        assert file.command[:2] == ["tayra", "bench"]
        assert file.machine
        assert file.devices


def test_a_set_that_was_cut_short_goes_on_and_keeps_its_rows(results: Path) -> None:
    path = results / "halo.json"
    whole = json.loads(path.read_text())
    path.write_text(json.dumps(whole | {"rows": whole["rows"][:2]}))
    other = (results / "transfer.json").read_text()
    measure(results)
    again = json.loads(path.read_text())
    assert again["rows"][:2] == whole["rows"][:2]
    assert len(again["rows"]) == len(whole["rows"])
    assert json.loads((results / "transfer.json").read_text())["rows"] == json.loads(other)["rows"]


def test_every_file_is_drawn_and_tabulated(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in files(results):
        assert plot([str(path)]) == 0
        written = [Path(line) for line in capsys.readouterr().out.split()]
        pictures = [name for name in written if name.suffix == ".png"]
        assert pictures, path
        assert all(image.imread(picture).std() > 0.01 for picture in pictures)
        assert "|" in (results / f"{path.stem}_tables.md").read_text()


def test_every_file_can_be_compared_with_itself(results: Path, tmp_path: Path) -> None:
    for path in files(results):
        assert compare([str(path), str(path), "--plot", str(tmp_path / "a.png")]) == 0


def make_page(results: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts" / "benchmark_page.py", results, folder]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_page_can_be_made_of_the_kept_results(tmp_path: Path) -> None:
    kept = ROOT / "benchmarks" / "results"
    done = make_page(kept, tmp_path)
    assert done.stdout == f"page: {tmp_path / 'benchmarks.md'}\n", done.stderr
    text = (tmp_path / "benchmarks.md").read_text()
    for path in files(kept):
        assert text.count(f"## {path.stem}\n") == 1
        assert f"commit {read_bench_file(path).commit}, `tayra bench" in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) >= len(files(kept))
    assert all((tmp_path / link).is_file() for link in links)


def test_a_folder_without_bench_files_makes_no_page(tmp_path: Path) -> None:
    done = make_page(tmp_path / "nowhere", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "nowhere holds no bench files" in done.stderr
    assert not (tmp_path / "benchmarks.md").exists()


def test_a_damaged_file_is_told_in_one_line_and_an_earlier_page_stays(tmp_path: Path) -> None:
    (tmp_path / "benchmarks.md").write_text("earlier")
    (tmp_path / "halo.json").write_text("{}")
    done = make_page(tmp_path, tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "halo.json is no bench file" in done.stderr
    assert (tmp_path / "benchmarks.md").read_text() == "earlier"


def test_each_section_of_the_page_has_its_tables_and_pictures_of_its_own(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    row = {"what": "copy", "variant": "pinned", "us_per_call_least": 1, "us_per_call_most": 9}
    for name, times in (("one", (2.5, 3)), ("two", (4.5, 5))):
        rows = [row | {"bytes": size, "us_per_call": t} for size, t in zip((8, 64), times, strict=True)]
        (results / f"{name}.json").write_text(json.dumps(scaling_rows.document(rows, "overheads")))
    for _ in range(2):  # the second page takes the place of the first
        assert make_page(results, tmp_path).returncode == 0
    sections = (tmp_path / "benchmarks.md").read_text().split("## ")[1:]
    assert [section.splitlines()[0] for section in sections] == ["one", "two"]
    pictures = [re.findall(r"!\[(\w+)\]\(([^)]+)\)", section) for section in sections]
    assert [names for ((names, _),) in pictures] == ["one_rate", "two_rate"]
    one, two = (image.imread(tmp_path / link) for ((_, link),) in pictures)
    assert one.shape != two.shape or (one != two).any()
    for section, times in zip(sections, (("2.5", "3"), ("4.5", "5")), strict=True):
        assert all(
            f"| {size} | {time} | 1 - 9 |" in section for size, time in zip((8, 64), times, strict=True)
        )
