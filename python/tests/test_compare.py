"""The command `tayra compare` on logs of the real program; needs TAYRA_BINARY, as scripts/test.sh sets it."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import h5py
import numpy as np
import pytest
import scaling_rows
from conftest import made_up_run, run_tayra
from matplotlib import image
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from tayra.bench_comparison import BenchComparison
from tayra.bench_figure import draw_cases
from tayra.bench_file import BenchFile
from tayra.compare import main
from tayra.comparison import differences, label
from tayra.errors import TayraError
from tayra.panels import byte_text
from tayra.report import TERMINAL_WIDTH, as_markdown, as_text
from tayra.run_comparison import RunComparison

CONFIG = """
problem: {name: rt_single, atwood: 0.5, amplitude: 0.05}
grid: {cells: [8, 6, 16], lower: [0, 0, -1], upper: [1, 1, 1]}
run: {steps: 40, device: cpu}
output: {diagnostics: {every_steps: 10}}
"""


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs whole, cut (into two slabs), other (in scheme); bench files step.json, fewer.json."""
    directory = tmp_path_factory.mktemp("real")
    config = directory / "config.yaml"
    config.write_text(CONFIG)
    run_tayra("run", config, "--output", directory / "whole")
    run_tayra("run", config, "--output", directory / "cut", "--slabs", 2)
    run_tayra("run", config, "--output", directory / "other", "--set", "numerics.scheme=upwind3")
    bench = ("bench", "step", "--device", "cpu", "--cells", 8, "--steps", 1, "--repeats", 3)
    files = ("--json", directory / "step.json", "--csv", directory / "step.csv")
    run_tayra(*bench, "--scheme", "roe3,upwind3", *files)
    run_tayra(*bench, "--scheme", "roe3", "--precision", "double", "--json", directory / "fewer.json")
    return directory


@pytest.fixture
def runs(real: Path, tmp_path: Path) -> Path:
    """A copy of `real` to damage."""
    return Path(shutil.copytree(real, tmp_path / "runs"))


def compare(directory: Path, *words: str) -> int:
    """Words that name something in `directory` stand for its path."""
    return main([str(directory / word) if (directory / word).exists() else word for word in words])


def test_differences_in_config_and_machine_are_listed(real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(real, "whole", "cut") == 0
    text = capsys.readouterr().out
    assert text.startswith("Runs of rt_single, 8 x 6 x 16 cells, muscl, double\n")
    assert re.search(r"run\.slabs +1 +2\n", text)
    assert re.search(r"machine\.devices +CPU +2 x CPU\n", text)
    assert "problem.atwood" not in text
    assert "output.directory" not in text


def test_a_fact_that_only_some_runs_have_differs() -> None:
    some, more = {"run.slabs": "1"}, {"run.slabs": "1", "run.threads": "2"}
    assert differences([more, some, more]) == {"run.threads": ["2", "-", "2"]}
    assert differences([some, more]) == {"run.threads": ["-", "2"]}


def test_other_output_is_a_difference_too(real: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(real / "whole", tmp_path / "other"))
    replace_in(other / "config.yaml", "every_steps: 10", "every_steps: 20")
    assert RunComparison([real / "whole", other]).differences == {
        "output.diagnostics.every_steps": ["10", "20"]
    }


def test_runs_have_letters_and_from_the_27th_on_a_number_too() -> None:
    assert [label(index) for index in (0, 25, 26, 51, 52)] == ["A", "Z", "A2", "Z2", "A3"]


def test_statistics_are_those_of_the_log(real: Path, tmp_path: Path) -> None:
    assert compare(real, "whole", "cut", "--json", str(tmp_path / "out" / "c.json")) == 0
    document = json.loads((tmp_path / "out" / "c.json").read_text())
    for row, name in zip(document["runs"], ("whole", "cut"), strict=True):
        log = np.genfromtxt(real / name / "timings.csv", delimiter=",", names=True)
        for quantity in ("wall", "compute", "comm", "exposed", "io"):
            values = log[f"{quantity}_ms"]
            assert row[f"{quantity}_median_ms"] == pytest.approx(np.median(values))
            assert row[f"{quantity}_p5_ms"] == pytest.approx(np.percentile(values, 5))
            assert row[f"{quantity}_p95_ms"] == pytest.approx(np.percentile(values, 95))
            assert row[f"{quantity}_total_s"] == pytest.approx(values.sum() / 1000)
        wall, output = log["wall_ms"].sum() / 1000, log["io_ms"].sum() / 1000
        assert row["cell_steps_per_second"] == pytest.approx(8 * 6 * 16 * 40 / wall)
        assert row["cell_steps_per_second_with_output"] == pytest.approx(8 * 6 * 16 * 40 / (wall + output))
        slowest = document["slowest"][document["runs"].index(row)]["steps"]
        assert [s["wall_ms"] for s in slowest] == sorted(log["wall_ms"], reverse=True)[:3]
        assert slowest[0]["step"] == log["step"][np.argmax(log["wall_ms"])]
    first, second = document["runs"]
    assert first["speed_up"] == 1
    assert second["speed_up"] == pytest.approx(first["wall_total_s"] / second["wall_total_s"])


def test_a_run_of_half_the_time_is_twice_as_fast_in_every_table(tmp_path: Path) -> None:
    slow, fast = (made_up_run(tmp_path / str(ms), [ms] * 10, comm_ms=ms / 4) for ms in (4, 2))
    _, _, spreads, totals, _ = RunComparison([slow, fast]).sections()
    by_quantity = dict(zip(("wall", "compute", "comm", "exposed", "io"), spreads.rows[1::2], strict=True))
    assert {name: row[-1] for name, row in by_quantity.items()} == {
        "wall": "2",
        "compute": "2",
        "comm": "2",
        "exposed": "2",
        "io": "-",
    }
    assert totals.rows[1][2] == "2"


def test_tables_of_runs_show_numbers_under_their_names(tmp_path: Path) -> None:
    """Steps of 1 to 101 ms, 1 ms of output before each tenth; the other run takes twice as long."""
    runs = [made_up_run(tmp_path / str(f), [f * ms for ms in range(1, 102)], comm_ms=1) for f in (1, 2)]
    comparison = RunComparison(runs)
    _, _, spreads, totals, slowest = comparison.sections()
    assert spreads.columns[2:7] == ["median ms", "5 %", "95 %", "total s", "of steps"]
    assert spreads.rows[0][2:7] == ["51", "6", "96", "5.151", "100.0 %"]
    assert spreads.rows[1][2:7] == ["102", "12", "192", "10.3", "100.0 %"]
    assert [row[5:7] for row in spreads.rows[8:10]] == [["0.01", "0.2 %"], ["0.01", "0.1 %"]]
    assert totals.columns == ["", "cell-steps/s", "speed-up", "with output", "speed-up"]
    cells = 8**3 * 101
    assert totals.rows == [
        ["A", f"{cells / 5.151:.3e}", "1", f"{cells / 5.161:.3e}", "1"],
        ["B", f"{cells / 10.302:.3e}", "0.5", f"{cells / 10.312:.3e}", "0.5"],
    ]
    assert slowest.rows[:2] == [["A", "101", "101", "1.98"], ["", "100", "100", "1.96"]]
    assert [row[0] for row in spreads.rows[::2]] == [
        "the step",
        "computation",
        "communication",
        "exposed communication",
        "output",
    ]
    row = comparison.rows()[0]
    assert row["time"] == pytest.approx(10.1)
    assert (row["host"], row["devices"], row["halo"]) == ("nowhere", "2 x GPU", "host")


def test_output_counts_in_the_speed_with_output_alone(tmp_path: Path) -> None:
    """Steps of 4 ms and of 2 ms, with 10 ms of output in 100 steps of either."""
    slow, fast = (made_up_run(tmp_path / str(ms), [ms] * 100) for ms in (4, 2))
    totals = RunComparison([slow, fast]).sections()[3]
    assert [row[2::2] for row in totals.rows] == [["1", "1"], ["2", f"{410 / 210:.3g}"]]


def test_the_run_that_did_other_work_is_named(tmp_path: Path) -> None:
    runs = [made_up_run(tmp_path / name, [1] * 4) for name in "abc"]
    replace_in(runs[2] / "config.yaml", "[8, 8, 8]", "[8, 8, 9]")
    with pytest.raises(
        TayraError, match=r"/a and .*/c did different work \(grid\.cells is \[8, 8, 8\] and \["
    ):
        RunComparison(runs)


@pytest.mark.parametrize(
    ("fingerprints", "line", "same"),
    [
        (["5", "5"], "same final bits", True),
        (["5", "5", "6"], "final bits differ", False),
        (["5", "6", ""], "final bits differ", False),
        (["5", "", None], "final bits: not known (no fingerprint in run.json of B, C)", None),
    ],
)
def test_one_line_says_whether_runs_have_the_same_final_bits(
    tmp_path: Path, fingerprints: list, line: str, same: bool | None
) -> None:
    for name, value in zip("abc", fingerprints, strict=False):
        totals = {} if value is None else {"fingerprint": value}
        made_up_run(tmp_path / name, [1] * 4, status="stopped", totals=totals)
    comparison = RunComparison([tmp_path / name for name in "abc"[: len(fingerprints)]])
    assert f"  {line}\n\nWhat differs" in as_text(comparison.sections())
    assert f"\n\n{line}\n\n" in as_markdown(comparison.sections())
    assert comparison.document()["same_final_bits"] is same


def test_a_run_in_two_slabs_has_the_bits_of_one(real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(real, "whole", "cut") == 0
    assert "\n  same final bits\n" in capsys.readouterr().out
    assert compare(real, "whole", "other", "--anyway") == 0
    assert "\n  final bits differ\n" in capsys.readouterr().out


def test_csv_has_a_row_a_run(real: Path, tmp_path: Path) -> None:
    assert compare(real, "whole", "cut", "whole", "--csv", str(tmp_path / "c.csv")) == 0
    with (tmp_path / "c.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["label"] for row in rows] == ["A", "B", "C"]
    assert rows[0]["speed_up"] == rows[2]["speed_up"] == "1.0"
    assert rows[1]["devices"] == "2 x CPU"


def test_markdown_tables_have_as_many_cells_in_each_row(real: Path, tmp_path: Path) -> None:
    assert compare(real, "whole", "cut", "--markdown", str(tmp_path / "c.md")) == 0
    tables = re.findall(r"(?:^\|.*\n)+", (tmp_path / "c.md").read_text(), flags=re.MULTILINE)
    assert len(tables) == 6
    assert all(len({line.count("|") for line in table.splitlines()}) == 1 for table in tables)


def test_tables_of_runs_with_other_work_are_replaced_as_well(real: Path, tmp_path: Path) -> None:
    words = ["whole", "other", "--anyway", "--markdown", str(tmp_path / "c.md")]
    assert compare(real, *words) == 0
    assert (tmp_path / "c.md").read_text().startswith("**Runs**")
    assert compare(real, *words) == 0


def test_tables_fit_a_terminal_however_many_runs(real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(real, *["whole", "cut"] * 14) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= TERMINAL_WIDTH
    assert any(re.match(r"  B2 ", line) for line in lines)


def test_long_names_of_directories_and_devices_fit_too(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = runs / ("long_name_" * 12)
    (runs / "cut").rename(long)
    machine = json.loads((long / "run.json").read_text())["machine"]
    edit_record(
        long / "run.json", machine=machine | {"devices": ["device " * 9] * 8, "host": "node.name." * 5}
    )
    assert compare(runs, "whole", long.name) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= TERMINAL_WIDTH


@pytest.mark.parametrize("name", ["c.png", "c.svg"])
def test_the_same_runs_give_the_same_picture(real: Path, tmp_path: Path, name: str) -> None:
    for folder in ("once", "again"):
        assert compare(real, "whole", "cut", "--plot", str(tmp_path / folder / name)) == 0
    once = tmp_path / "once" / name
    assert once.read_bytes() == (tmp_path / "again" / name).read_bytes()
    if once.suffix == ".png":
        assert image.imread(once).std() > 0.01
    else:
        assert ElementTree.parse(once).getroot().tag.endswith("svg")


def test_other_work_is_compared_only_on_demand(real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(real, "whole", "other") == 2
    error = capsys.readouterr().err
    assert "numerics.scheme is muscl and upwind3" in error
    assert "--anyway" in error
    assert compare(real, "whole", "other", "--anyway") == 0


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("problem.name", "rt_single", "blast"),
        ("grid.cells", "[8, 6, 16]", "[8, 6, 32]"),
        ("numerics.precision", "precision: double\n  positivity", "precision: single\n  positivity"),
    ],
)
def test_other_problems_grids_and_precisions_are_other_work(
    runs: Path, capsys: pytest.CaptureFixture[str], key: str, old: str, new: str
) -> None:
    config = runs / "cut" / "config.yaml"
    assert old in config.read_text()
    config.write_text(config.read_text().replace(old, new))
    assert compare(runs, "whole", "cut") == 2
    assert key in capsys.readouterr().err


def test_a_run_still_going_on_is_compared_and_marked(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit_record(runs / "cut" / "run.json", status="running", ended=None)
    cut_file(runs / "cut" / "timings.csv", rows=20, letters=9)
    assert compare(runs, "whole", "cut") == 0
    text = capsys.readouterr().out
    assert re.search(r"B .* running +20\n", text)
    assert "B: still going on" in text


def test_bench_files_are_compared_case_by_case(
    real: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(real, "step.json", "fewer.json", "--json", str(tmp_path / "c.json")) == 0
    rows = json.loads((tmp_path / "c.json").read_text())["rows"]
    assert [(row["label"], row["scheme"], row["precision"]) for row in rows] == [
        ("A", "roe3", "double"),
        ("B", "roe3", "double"),
    ]
    assert rows[1]["speed_up"] == pytest.approx(rows[0]["ms_per_step"] / rows[1]["ms_per_step"])
    assert "cases in all of them: 1" in capsys.readouterr().out


def test_files_of_different_benchmarks_or_cases_are_refused(
    real: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scaling = tmp_path / "scaling.json"
    scaling.write_text(json.dumps(scaling_rows.document(scaling_rows.strong_rows())))
    assert compare(real, "step.json", str(scaling)) == 2
    assert "compare files of one benchmark" in capsys.readouterr().err
    other = tmp_path / "other.json"
    other.write_text((real / "step.json").read_text().replace('"slabs": 1', '"slabs": 2'))
    assert compare(real, "step.json", str(other)) == 2
    assert "share no case (scheme, precision, positivity, cells, slabs)" in capsys.readouterr().err


def test_bench_files_are_drawn(real: Path, tmp_path: Path) -> None:
    assert compare(real, "step.json", "step.json", "--plot", str(tmp_path / "c.png")) == 0
    assert image.imread(tmp_path / "c.png").std() > 0.01


@pytest.fixture
def three(tmp_path: Path) -> BenchComparison:
    """Made up: the second is twice, the third four times as fast as the first, with 128 bytes ten times."""
    paths = []
    for name, times in (("a", (8, 40)), ("b", (4, 20)), ("c", (2, 4))):
        rows = [
            {"what": "copy_to_gpu", "variant": "pinned", "bytes": size, "us_per_call": time}
            | {"us_per_call_least": time / 2, "us_per_call_most": 3 * time}
            for size, time in zip((64, 128), times, strict=True)
        ]
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(scaling_rows.document(rows, "overheads") | {"commit": name * 7}))
    return BenchComparison(paths)


def test_each_bench_file_is_held_against_the_first(three: BenchComparison) -> None:
    _, differing, times = three.sections()
    assert differing.rows == [["commit", "aaaaaaa", "bbbbbbb", "ccccccc"]]
    assert times.columns == ["bytes", "A", "B", "C", "speed-up B", "speed-up C"]
    assert times.rows == [["64", "8", "4", "2", "2", "4"], ["128", "40", "20", "4", "2", "10"]]
    assert times.note == "everywhere: what copy_to_gpu, variant pinned"


def test_cases_that_one_of_several_bench_files_lacks_are_left_out(three: BenchComparison) -> None:
    last = three.files[2].path
    document = json.loads(last.read_text())
    last.write_text(json.dumps(document | {"rows": document["rows"][1:]}))
    comparison = BenchComparison([file.path for file in three.files])
    assert [[row["bytes"] for row in case] for case in comparison.cases] == [[128, 128, 128]]


def test_the_picture_of_bench_files_shows_the_times_of_each_beside_its_case(three: BenchComparison) -> None:
    figure = three.draw()
    (axes,) = figure.axes
    assert axes.get_xlabel() == "time of a call [µs]: median, least and most"
    cases = {int(place): text.get_text() for place, text in zip(*_ticks(axes), strict=True)}
    shown = {}
    for container in axes.containers:
        middle, _, (bars,) = container
        for x, y, bar in zip(*middle.get_data(), bars.get_segments(), strict=True):
            shown[container.get_label(), cases[round(y)]] = [bar[0][0], x, bar[1][0]]
    assert shown == {
        (label, f"bytes {size}"): [time / 2, time, 3 * time]
        for label, times in (("A", (8, 40)), ("B", (4, 20)), ("C", (2, 4)))
        for size, time in zip((64, 128), times, strict=True)
    }


def _ticks(axes: Axes) -> tuple[Sequence[float], Sequence[Text]]:
    return axes.get_yticks(), axes.get_yticklabels()


def test_bars_of_speed_ups_reach_as_far_as_the_extremes_of_both_allow() -> None:
    time = "us_per_transfer"
    rows = [
        [
            {"way": "host", "bytes": 8 << i, "blocks": 1, "pairs": 1, "directions": "one"}
            | {time: median, f"{time}_least": least, f"{time}_most": most}
            for i in range(90)
        ]
        for median, least, most in ((4, 2, 6), (2, 1, 4))
    ]
    files = [BenchFile(Path("a"), "transfer", "0", "0", "nowhere", [], [], {}, of_file) for of_file in rows]
    figure = draw_cases(files, "AB", list(zip(*rows, strict=True)))
    middle, _, (bars,) = figure.axes[0].containers[0]
    assert middle.get_ydata()[0] == 2
    assert bars.get_segments()[0][:, 1].tolist() == [0.5, 6]


def test_lines_of_many_cases_go_along_rising_sizes_which_ticks_name() -> None:
    time, sizes = "us_per_transfer", [8 << i for i in range(30)]
    rows = [
        [
            {"way": way, "bytes": size, "blocks": 1, "pairs": 1, "directions": "one"}
            | dict.fromkeys((time, f"{time}_least", f"{time}_most"), size if first else 1)
            for size in reversed(sizes)
            for way in ("host", "uva", "p2p")
        ]
        for first in (True, False)
    ]
    files = [BenchFile(Path("a"), "transfer", "0", "0", "nowhere", [], [], {}, of_file) for of_file in rows]
    figure = draw_cases(files, "AB", list(zip(*rows, strict=True)))
    (axes,) = figure.axes
    for container in axes.containers:
        assert list(container[0].get_ydata()) == sizes
    low, high = axes.get_ylim()
    assert low < min(sizes) < max(sizes) < high
    names = [byte_text(sizes[int(place)]) for place in axes.get_xticks()]
    assert [text.get_text() for text in axes.get_xticklabels()] == names
    assert len(names) > 2


def test_more_cases_than_a_page_has_rows_are_drawn_as_lines_in_panels(real: Path, tmp_path: Path) -> None:
    """The measured step stands in for every time: the rows are made up, only their number counts."""
    document = json.loads((real / "fewer.json").read_text())
    row = document["rows"][0]
    times = {f"us_per_transfer{end}": row[f"ms_per_step{end}"] for end in ("", "_least", "_most")}
    cases = product((1, 5), ("one", "both"), ("host", "uva", "p2p"), (1, 2), [2**n for n in range(10, 20)])
    names = ("blocks", "directions", "way", "pairs", "bytes")
    document["rows"] = [dict(zip(names, case, strict=True), gb_per_second=1, **times) for case in cases]
    document["benchmark"] = "transfer"
    (tmp_path / "many.json").write_text(json.dumps(document))
    assert compare(tmp_path, "many.json", "many.json", "--plot", str(tmp_path / "c.svg")) == 0
    drawn = (tmp_path / "c.svg").read_text()
    for text in ("blocks 5, pairs 2, both ways", "p2p", "16 KiB", "speed-up of B against A"):
        assert f"<!-- {text} -->" in drawn


def edit_record(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def cut_file(path: Path, rows: int, letters: int = 0) -> None:
    """Keeps the header, `rows` rows and so many letters of the next."""
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: rows + 1]) + lines[rows + 1][:letters])


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def holding(content: str | bytes) -> Callable[[Path], object]:
    data = content.encode() if isinstance(content, str) else content
    return lambda path: path.write_bytes(data)


DAMAGE: list[tuple[str, Callable[[Path], object], str]] = [
    ("timings.csv", Path.unlink, "No such file"),
    ("timings.csv", holding(""), "column 'step' is missing"),
    ("timings.csv", holding("a,b\n1,2\n"), "column 'step' is missing"),
    ("timings.csv", holding(bytes(range(256))), "is no text file"),
    ("timings.csv", lambda log: cut_file(log, rows=0), "holds no steps: leave this run out"),
    ("timings.csv", lambda log: cut_file(log, rows=30), "ends with step 30, the run with 40"),
    ("timings.csv", lambda log: cut_file(log, rows=39), "ends with step 39, the run with 40"),
    ("timings.csv", lambda log: cut_file(log, rows=30, letters=5), "its last row has no end"),
    ("timings.csv", lambda log: replace_in(log, "\n7,", "\noops,"), "is damaged"),
    ("timings.csv", lambda log: replace_in(log, "\n7,", "\nnan,"), "timings.csv:8: step is nan"),
    ("timings.csv", lambda log: replace_in(log, "\n7,", "\n-7,"), "timings.csv:8: step is -7"),
    ("timings.csv", lambda log: replace_in(log, "\n7,", "\ninf,"), "timings.csv:8: step is inf"),
    ("run.json", Path.unlink, "run.json is missing"),
    ("run.json", holding('{"tayra": '), "cannot be read as JSON"),
    ("run.json", holding("[" * 99999), "cannot be read as JSON"),
    ("run.json", holding("[]"), "holds no JSON object"),
    ("run.json", holding('{"a": 1}'), "is no record of a run"),
    ("run.json", lambda record: edit_record(record, machine=3), "'machine' is missing or wrong"),
    ("run.json", lambda record: edit_record(record, grid={"cells": [1, 2]}), "'grid.cells' is missing"),
    ("run.json", lambda record: edit_record(record, command=[]), "'command' is missing or wrong"),
    ("config.yaml", Path.unlink, "config.yaml cannot be read"),
    ("config.yaml", holding(b"\xff"), "config.yaml:1: "),
    ("config.yaml", holding("- a\n- b\n"), "config.yaml:1: "),
]


@pytest.mark.parametrize(("file", "damage", "message"), DAMAGE, ids=[message for _, _, message in DAMAGE])
def test_damage_gives_one_line_that_names_the_file(
    runs: Path,
    capsys: pytest.CaptureFixture[str],
    file: str,
    damage: Callable[[Path], object],
    message: str,
) -> None:
    damage(runs / "cut" / file)
    assert compare(runs, "whole", "cut") == 2
    error = capsys.readouterr().err
    assert error.startswith("tayra compare: ")
    assert str(runs / "cut") in error
    assert file in error
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["whole", "nowhere"], "nowhere does not exist"),
        (["whole", "step.json"], "is a file among runs"),
        (["step.json", "config.yaml"], "config.yaml cannot be read as JSON"),
        (
            ["step.json", "step.csv"],
            "step.csv is a table: name a run's directory, or a file of `tayra bench ... --json`",
        ),
        (["step.json", "whole/run.json"], "run.json is no bench file"),
        (["whole", "cut", "--csv", "/proc/none/c.csv"], "cannot write /proc/none/c.csv"),
        (["whole", "cut", "--plot", "/proc/none/c.png"], "cannot write /proc/none/c.png"),
    ],
)
def test_mistakes_give_one_line_and_exit_code_2(
    real: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert compare(real, *words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_no_output_replaces_another_or_what_is_compared(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (runs / "fewer.json").read_text()
    assert compare(runs, "step.json", "fewer.json", "--json", "fewer.json") == 2
    assert f"{runs / 'fewer.json'} is named twice" in capsys.readouterr().err
    assert (runs / "fewer.json").read_text() == before
    record = runs / "whole" / "run.json"
    before = record.read_text()
    assert compare(runs, "whole", "cut", "--json", str(record)) == 2
    assert f"{record} is a file of what is compared" in capsys.readouterr().err
    assert record.read_text() == before
    before = (runs / "fewer.json").read_text()
    assert compare(runs, "--json", "fewer.json", "step.json", "step.json") == 2
    assert f"{runs / 'fewer.json'} is there and holds other results" in capsys.readouterr().err
    assert compare(runs, "--markdown", "fewer.json", "step.json", "step.json") == 2
    capsys.readouterr()
    assert (runs / "fewer.json").read_text() == before
    (runs / "mine.yaml").write_text("a config\n")
    assert compare(runs, "whole", "cut", "--json", str(runs / "mine.yaml")) == 2
    capsys.readouterr()
    assert (runs / "mine.yaml").read_text() == "a config\n"
    logs = shutil.copytree(runs / "whole", runs / "third") / "timings.csv"
    for mine in (logs, runs / "step.csv", runs / "notes.md"):
        before = mine.read_text() if mine.exists() else "what I found\n"
        mine.write_text(before)
        for option in ("--csv", "--markdown", "--json"):
            assert compare(runs, "whole", "cut", option, str(mine)) == 2
            assert f"{mine} is there and holds other results" in capsys.readouterr().err
        assert mine.read_text() == before
    (runs / "loop").symlink_to("loop")
    assert compare(runs, "loop", "cut") == 2
    assert "loop does not exist" in capsys.readouterr().err
    again = [str(runs / f"again.{kind}") for kind in ("json", "csv", "md")]
    outputs = ("--json", again[0], "--csv", again[1], "--markdown", again[2])
    for compared in (("step.json", "fewer.json"), ("whole", "cut"), ("whole", "cut")):
        assert compare(runs, *compared, *outputs) == 0
    capsys.readouterr()
    both = str(runs / "c.txt")
    assert compare(runs, "whole", "cut", "--csv", both, "--markdown", both) == 2
    assert not Path(both).exists()


@pytest.mark.parametrize("words", [["one"], ["one", "two", "--plot", "picture.pdf"]])
def test_bad_options_give_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("tayra compare: ")
    assert error.endswith("; see tayra compare --help\n")
    assert error.count("\n") == 1


def test_tayra_finds_the_command(real: Path) -> None:
    scripts = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{scripts}:{os.environ['PATH']}"}
    command = [os.environ["TAYRA_BINARY"], "compare", real / "whole", real / "cut"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert result.returncode == 0, result.stderr
    assert "What differs" in result.stdout


def test_what_bench_files_say_of_machine_devices_and_conditions_is_held_side_by_side(
    three: BenchComparison,
) -> None:
    for file, name in zip(three.files, "abc", strict=True):
        changes = {
            "machine": f"host {name}",
            "devices": [f"GPU {name}"] * 2,
            "tayra": f"1.{name}",
            "repeats": name,
        }
        file.path.write_text(json.dumps(json.loads(file.path.read_text()) | changes))
    comparison = BenchComparison([file.path for file in three.files])
    assert comparison.differences == {
        "tayra": ["1.a", "1.b", "1.c"],
        "commit": ["aaaaaaa", "bbbbbbb", "ccccccc"],
        "machine": ["host a", "host b", "host c"],
        "devices": ["2 x GPU a", "2 x GPU b", "2 x GPU c"],
        "repeats": ["a", "b", "c"],
    }


def test_bench_files_are_named_with_their_machines_and_how_many_cases_each_has(
    three: BenchComparison,
) -> None:
    last = three.files[2].path
    document = json.loads(last.read_text())
    last.write_text(json.dumps(document | {"rows": document["rows"][1:], "machine": "elsewhere"}))
    comparison = BenchComparison([file.path for file in three.files])
    files, *_ = comparison.sections()
    devices = "2 x no device on"
    assert files.columns == ["", "file", "machine", "cases"]
    assert files.rows == [
        ["A", str(three.files[0].path), f"{devices} {scaling_rows.MACHINE}", "2"],
        ["B", str(three.files[1].path), f"{devices} {scaling_rows.MACHINE}", "2"],
        ["C", str(last), f"{devices} elsewhere", "1"],
    ]
    assert files.note == "cases in all of them: 1"
    assert [(row["label"], row["path"]) for row in comparison.rows()] == [
        (label, str(file.path)) for label, file in zip("ABC", three.files, strict=True)
    ]


def test_the_picture_of_bench_files_has_room_for_every_case_and_names_files_and_commands(
    three: BenchComparison,
) -> None:
    for file in three.files:
        command = ["/opt/tayra", "bench", "overheads", "--json", file.path.name]
        file.path.write_text(json.dumps(json.loads(file.path.read_text()) | {"command": command}))
    figure = BenchComparison([file.path for file in three.files]).draw()
    low, high = sorted(figure.axes[0].get_ylim())
    places = [y for container in figure.axes[0].containers for y in container[0].get_ydata()]
    assert low < min(places) < max(places) < high
    caption = " ".join(figure.get_supxlabel().split())
    for letter, file in zip("ABC", three.files, strict=True):
        assert f"{letter}: {file.path}, " in caption
        assert f"; tayra bench overheads --json {file.path.name}" in caption


def sweep(speed: int, sizes: Sequence[int], blocks: Sequence[int] = (1,), name: str = "a") -> BenchFile:
    """Made up: a transfer by either way takes a millisecond over `speed`."""
    time = "us_per_transfer"
    cases = product(("host", "uva"), sizes, blocks, ("one", "both"))
    rows = [
        dict(zip(("way", "bytes", "blocks", "directions"), case, strict=True), pairs=1)
        | dict.fromkeys((time, f"{time}_least", f"{time}_most"), 1000 / speed)
        for case in cases
    ]
    return BenchFile(Path(name), "transfer", "0", "0", "nowhere", [], ["tayra", name], {}, rows)


def drawn_together(files: Sequence[BenchFile]) -> Figure:
    return draw_cases(files, "ABC"[: len(files)], list(zip(*(file.rows for file in files), strict=True)))


def test_many_cases_of_three_files_have_panels_for_each_that_is_held_against_the_first() -> None:
    files = [sweep(speed, [8 << i for i in range(25)], name=f"file{speed}") for speed in (1, 2, 8)]
    figure = drawn_together(files)
    shown = {}
    for axes in figure.axes:
        (level,) = (line for line in axes.lines if list(line.get_ydata()) == [1, 1])
        assert level.get_xdata() == [0, 1], "from side to side: as fast as the first"
        assert axes.get_xlabel() == "bytes"
        shown[axes.get_title(), axes.get_ylabel()] = {
            container.get_label(): set(container[0].get_ydata()) for container in axes.containers
        }
    assert shown == {
        (ways, f"speed-up of {label} against A"): {"host": {speed}, "uva": {speed}}
        for label, speed in (("B", 2), ("C", 8))
        for ways in ("one way", "both ways")
    }
    caption = " ".join(figure.get_supxlabel().split())
    assert all(f"{label}: file{n}, " in caption for label, n in zip("ABC", (1, 2, 8), strict=True))


def test_many_cases_of_one_size_stand_beside_each_other_under_their_names() -> None:
    figure = drawn_together([sweep(speed, [8], range(1, 25)) for speed in (1, 2)])
    assert len(figure.axes) == 2 * 24
    for axes in figure.axes:
        assert [text.get_text() for text in axes.get_xticklabels()] == ["host", "uva"]
        assert list(axes.containers[0][0].get_ydata()) == [2, 2]


def test_words_that_say_little_by_themselves_stand_behind_their_column() -> None:
    time = dict.fromkeys(("ms_per_step", "ms_per_step_least", "ms_per_step_most"), 1)
    row = {"scheme": "roe3", "precision": "double", "cells": [8, 8, 8]} | time
    rows = [row | {"positivity": on, "slabs": slabs} for on, slabs in ((True, 1), (False, 2))]
    file = BenchFile(Path("a"), "step", "0", "0", "nowhere", [], [], {}, rows)
    figure = draw_cases([file], "A", [(row,) for row in rows])
    names = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert names == ["positivity on, slabs 1", "positivity off, slabs 2"]


def put_row(path: Path, step: int, row: str) -> None:
    lines = path.read_text().splitlines()
    lines[step] = row
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("column", "row"),
    [
        ("dt", "7,0.7,-1,1,1,1,1,1,1"),
        ("wall_ms", "7,0.7,1,nan,1,1,1,1,1"),
        ("compute_ms", "7,0.7,1,1,-1,1,1,1,1"),
        ("comm_ms", "7,0.7,1,1,1,inf,1,1,1"),
        ("exposed_ms", "7,0.7,1,1,1,1,-1,1,1"),
        ("io_ms", "7,0.7,1,1,1,1,1,-1,1"),
        ("bytes_sent", "7,0.7,1,1,1,1,1,1,-1"),
    ],
)
def test_a_time_that_cannot_be_is_told_with_its_line_and_column(
    tmp_path: Path, column: str, row: str
) -> None:
    run = made_up_run(tmp_path / "run", [1] * 10)
    put_row(run / "timings.csv", 7, row)
    with pytest.raises(
        TayraError, match=rf"timings\.csv:8: {column} is (-1|nan|inf) \(the file is damaged\)"
    ):
        RunComparison([run, run])


def test_steps_that_took_no_time_have_no_speed(tmp_path: Path) -> None:
    run = made_up_run(tmp_path / "run", [0] * 10, comm_ms=0)
    with pytest.raises(TayraError, match=r"timings\.csv is damaged \(its steps took no time\)"):
        RunComparison([run, run])


def test_a_box_without_cells_is_no_box(tmp_path: Path) -> None:
    run = made_up_run(tmp_path / "run", [1] * 10, grid={"cells": [8, 0, 8]})
    with pytest.raises(TayraError, match=r"'grid\.cells' is missing or wrong"):
        RunComparison([run, run])


def test_a_run_that_has_only_begun_is_to_be_waited_for(tmp_path: Path) -> None:
    for status, remedy in (("running", "wait for the first one or leave"), ("stopped", "leave")):
        run = made_up_run(tmp_path / status, [], status=status)
        with pytest.raises(TayraError, match=rf"timings\.csv holds no steps: {remedy} this run out$"):
            RunComparison([run, run])


def test_runs_of_two_builds_differ_in_tayra(tmp_path: Path) -> None:
    builds = {name: {"version": "1", "commit": name} for name in ("abc", "def")}
    runs = [made_up_run(tmp_path / name, [1] * 4, tayra=build) for name, build in builds.items()]
    assert RunComparison(runs).differences == {"tayra.commit": ["abc", "def"]}


def test_of_equal_runs_it_is_said_that_nothing_differs(tmp_path: Path) -> None:
    one, same, other = (made_up_run(tmp_path / name, [1] * 4) for name in "abc")
    replace_in(other / "config.yaml", "grid:", "run:\n  threads: 2\ngrid:")
    note = "nothing: config and machine are the same"
    assert RunComparison([one, same]).sections()[1].note == note
    assert not RunComparison([one, other]).sections()[1].note


def test_boxes_of_other_sizes_are_other_work_though_they_have_as_many_cells(tmp_path: Path) -> None:
    runs = [made_up_run(tmp_path / name, [1] * 4) for name in "ab"]
    for run, upper in zip(runs, ("[1, 1, 1]", "[1, 1, 2]"), strict=True):
        (run / "config.yaml").write_text(f"grid:\n  cells: [8, 8, 8]\n  upper: {upper}\n")
    with pytest.raises(TayraError, match=r"different work \(grid\.upper is \[1, 1, 1\] and \[1, 1, 2\]\)"):
        RunComparison(runs)


def test_no_output_replaces_a_picture_of_a_run_that_is_compared_by_whatever_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = made_up_run(tmp_path / "run", [1] * 4)
    (run / "pictures").mkdir()
    picture = run / "pictures/density.png"
    picture.write_bytes(b"drawn before")
    (tmp_path / "link").symlink_to(run)
    for named in ("run", "link"):
        assert compare(tmp_path, named, named, "--plot", str(picture)) == 2
        assert f"{picture} is a file of what is compared" in capsys.readouterr().err
    assert picture.read_bytes() == b"drawn before"
    assert compare(tmp_path, "run", "run", "--csv", str(run / "new.csv")) == 0, "there it may lie"


def test_one_file_is_not_named_twice_by_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_up_run(tmp_path / "run", [1] * 4)
    table, link = tmp_path / "c.csv", tmp_path / "c.md"
    link.symlink_to(table)
    assert compare(tmp_path, "run", "run", "--csv", str(table), "--markdown", str(link)) == 2
    assert f"{link} is named twice" in capsys.readouterr().err
    assert not table.exists()


def test_json_of_whatever_kind_is_kept_unless_it_is_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up_run(tmp_path / "run", [1] * 4)
    notes = tmp_path / "notes.json"
    notes.write_text('{"found": 1}')
    assert compare(tmp_path, "run", "run", "--json", str(notes)) == 2
    assert f"{notes} is there and holds other results" in capsys.readouterr().err
    assert notes.read_text() == '{"found": 1}'


def test_every_run_is_told_by_its_own_status_command_machine_and_cells(tmp_path: Path) -> None:
    runs = []
    for name, status, planes in (("one", "finished", 8), ("two", "stopped", 16)):
        machine = {"host": f"host {name}", "devices": [f"GPU {name}"], "halo": f"halo {name}"}
        changes = {
            "machine": machine,
            "command": ["/opt/tayra", "run", name],
            "grid": {"cells": [8, 8, planes]},
        }
        runs.append(made_up_run(tmp_path / name, [1] * planes, status=status, **changes))
    comparison = RunComparison(runs)
    told = [
        [row[key] for key in ("path", "status", "command", "cells", "steps")] for row in comparison.rows()
    ]
    assert told == [
        [str(runs[0]), "finished", "tayra run one", 512, 8],
        [str(runs[1]), "stopped", "tayra run two", 1024, 16],
    ]
    assert comparison.sections()[0].rows == [
        ["A", str(runs[0]), "GPU one on host one, halo halo one", "finished", "8"],
        ["B", str(runs[1]), "GPU two on host two, halo halo two", "stopped", "16"],
    ]


@pytest.fixture
def run_with_snapshot(tmp_path: Path) -> Callable[..., Path]:
    def make(name: str, cells: int = 4, change: float = 0) -> Path:
        directory = made_up_run(tmp_path / name, [2, 2])
        (directory / "snapshots").mkdir()
        with h5py.File(directory / "snapshots/000000.vtkhdf", "w") as file:
            file.attrs.update(time=1.5, step=2, lower=np.zeros(3), spacing=np.ones(3))
            density = np.zeros((4, 4, cells), np.float32)
            density[0] = change
            file["density"] = density
            file.create_group("VTKHDF/CellData")
        return directory

    return make


def test_fields_are_compared_cell_by_cell(run_with_snapshot: Callable[..., Path], tmp_path: Path) -> None:
    runs = [run_with_snapshot("a"), run_with_snapshot("b", change=-2), run_with_snapshot("c", cells=5)]
    assert main([*map(str, runs), "--json", str(tmp_path / "out.json")]) == 0
    section = RunComparison(runs, most_bytes=1e9).sections()[-1]
    assert section.rows == [["B", "density", "0.5", "1", "2", "0"]]
    assert "C: not compared (other grids: 4 x 4 x 4 cells and 5 x 4 x 4 cells)" in section.note
    apart = json.loads((tmp_path / "out.json").read_text())["fields"]
    assert apart["B"]["time"] == 1.5 and apart["B"]["fields"][0]["rms"] == 1


def test_cells_without_a_number_are_told_and_leave_json_what_others_can_read(
    run_with_snapshot: Callable[..., Path], tmp_path: Path
) -> None:
    runs = [run_with_snapshot("a"), run_with_snapshot("b", change=np.nan)]
    words = ["--json", str(tmp_path / "out.json"), "--plot", str(tmp_path / "out.png")]
    assert main([*map(str, runs), *words]) == 0
    assert RunComparison(runs, most_bytes=1e9).sections()[-1].rows == [
        ["B", "density", "nan", "nan", "nan", "0"]
    ]

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    text = (tmp_path / "out.json").read_text()
    (density,) = json.loads(text, parse_constant=refuse)["fields"]["B"]["fields"]
    assert (density["most"], density["spread"]) == (None, 0)


def test_no_fields_are_read_where_none_should_be(
    run_with_snapshot: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [run_with_snapshot("a"), run_with_snapshot("b")]
    (runs[1] / "snapshots/000000.vtkhdf").write_bytes(b"noise")
    assert main([*map(str, runs), "--no-check"]) == 0
    assert "Fields" not in capsys.readouterr().out
    large = RunComparison([runs[0], runs[0]], most_bytes=10).sections()[-1]
    assert "GiB of each" in large.note and not large.rows
