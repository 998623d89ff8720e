"""`tayra plot` of several bench files; their rows are made up (scaling_rows.py), no measurements."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import scaling_rows
from matplotlib import image

from tayra.bench_file import read_bench_file
from tayra.joined_bench import join
from tayra.plot import main


def write_sweep(folder: Path, rows: list[dict[str, Any]], name: str = "strong") -> list[Path]:
    """A file for each number of ranks, each measured on a host of its own."""
    paths = []
    for ranks in sorted({row["slabs"] for row in rows}):
        mine = [row for row in rows if row["slabs"] == ranks]
        header = {"ranks": ranks, "machine": f"node{ranks}", "devices": ["no device"] * ranks}
        paths.append(folder / f"{name}_{ranks}.json")
        paths[-1].write_text(json.dumps(scaling_rows.document(mine) | header))
    return paths


def plot(paths: list[Path]) -> int:
    return main([str(path) for path in paths])


def test_a_sweep_over_files_is_drawn_as_if_one_file_held_its_rows(tmp_path: Path) -> None:
    rows = scaling_rows.strong_rows()
    whole = tmp_path / "whole.json"
    whole.write_text(json.dumps(scaling_rows.document(rows)))
    paths = write_sweep(tmp_path, rows)
    assert plot([whole]) == 0
    assert plot(paths) == 0
    pictures = {path.name.removeprefix("whole_") for path in tmp_path.glob("whole_*.png")}
    assert "strong_speed.png" in pictures
    assert {path.name.removeprefix("strong_") for path in tmp_path.glob("strong_*.png")} == pictures
    assert (tmp_path / "strong_tables.md").read_text() == (tmp_path / "whole_tables.md").read_text()
    assert all(image.imread(picture).std() > 0.01 for picture in tmp_path.glob("strong_*.png"))


def test_a_sweep_names_all_its_hosts_and_files_and_each_device_once(tmp_path: Path) -> None:
    paths = write_sweep(tmp_path, scaling_rows.strong_rows())
    file = join([read_bench_file(path) for path in paths])
    assert file.device_and_machine == "no device on node1, node2, node4, node8"
    assert file.paths_text == ", ".join(map(str, paths))


def test_files_in_any_order_give_the_same_tables(tmp_path: Path) -> None:
    paths = write_sweep(tmp_path, scaling_rows.weak_rows(), "weak")
    tables = tmp_path / "weak_tables.md"
    assert plot(paths) == 0
    before = tables.read_text()
    tables.unlink()
    assert plot(paths[::-1]) == 0
    assert tables.read_text() == before


def test_files_whose_names_begin_differently_are_drawn_as_joined(tmp_path: Path) -> None:
    one, *others = write_sweep(tmp_path, scaling_rows.strong_rows())
    assert plot([one.rename(tmp_path / "alone.json"), *others]) == 0
    assert (tmp_path / "joined_strong_time.png").exists()


def change(**values: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401
    return lambda document: document.update(values)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (change(tayra="0.2.0"), "'tayra' is 0.2.0, there 0.0.0"),
        (change(commit="1111111"), "'commit' is 1111111, there 0000000"),
        (change(devices=["a device"]), "'devices' is a device, there no device"),
        (change(repeats=7), "'repeats' is 7, there 5"),
        (change(threads=3), "'threads' is 3, there nothing"),
        (lambda document: document.pop("repeats"), "'repeats' is nothing, there 5"),
    ],
)
def test_files_of_different_kinds_are_refused_with_their_names_and_the_difference(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[dict[str, Any]], None],
    message: str,
) -> None:
    paths = write_sweep(tmp_path, scaling_rows.strong_rows())
    document = json.loads(paths[1].read_text())
    spoil(document)
    paths[1].write_text(json.dumps(document))
    assert plot(paths) == 2
    error = capsys.readouterr().err
    assert message in error
    assert f"{paths[1]} does not belong to {paths[0]}" in error
    assert not list(tmp_path.glob("*.png"))


def test_files_of_two_benchmarks_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = write_sweep(tmp_path, scaling_rows.strong_rows())
    row = {"way": "host", "bytes": 0, "interval_ms": 1, "keep_alive": False}
    row |= dict.fromkeys(("us_per_transfer", "us_per_transfer_least", "us_per_transfer_most"), 1)
    paths[1].write_text(json.dumps(scaling_rows.document([row], "cadence")))
    assert plot(paths) == 2
    assert "'benchmark' is cadence, there scaling" in capsys.readouterr().err


def test_other_benchmarks_than_scaling_are_not_joined_over_ranks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step = {"positivity": True, "cell_steps_per_second": 1.0}
    rows = [row | step for row in scaling_rows.strong_rows() if row["halo"] == "host"]
    paths = write_sweep(tmp_path, rows, "step")
    for path in paths:
        path.write_text(json.dumps(json.loads(path.read_text()) | {"benchmark": "step"}))
    assert plot(paths) == 2
    assert "'ranks' is 2, there 1" in capsys.readouterr().err


def test_a_case_in_two_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = scaling_rows.strong_rows()
    paths = write_sweep(tmp_path, rows)
    paths[1].write_text(json.dumps(scaling_rows.document([*rows[4:6], rows[0]])))
    assert plot(paths) == 2
    error = capsys.readouterr().err
    assert (
        f"{paths[0]} and {paths[1]} both measured scheme roe3, precision single, cells 32 x 32 x 32" in error
    )


def test_runs_are_not_drawn_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path, *_) = write_sweep(tmp_path, scaling_rows.strong_rows())
    assert plot([path, tmp_path]) == 2
    assert f"{tmp_path} is a directory" in capsys.readouterr().err


def test_a_sweep_says_of_all_its_rows_only_what_holds_for_all_in_whatever_order(tmp_path: Path) -> None:
    paths = write_sweep(tmp_path, scaling_rows.strong_rows())
    for order in (paths, paths[::-1]):
        file = join([read_bench_file(path) for path in order])
        assert file.devices == ["no device"]
        assert file.conditions == {"repeats": 5}, "not the first file's ranks"
