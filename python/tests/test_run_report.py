"""The command `tayra report`."""

import base64
import json
import re
import shutil
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import made_up_run

from tayra import Snapshot, TayraError
from tayra.field_differences import field_differences, latest_pair
from tayra.run_report import main
from tayra.series import Series


def inside(page: Path) -> dict[str, Any]:
    (data,) = re.findall(r'id="inside">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    found: dict[str, Any] = json.loads(data)
    return found


@pytest.fixture
def twin(run_directory: Path, tmp_path: Path) -> Path:
    """The same run, its last density 2 higher in a quarter of the box."""
    other = tmp_path / "twin"
    shutil.copytree(run_directory, other)
    with h5py.File(other / "snapshots/000002.vtkhdf", "r+") as file:
        file["density"][:2] += 2
    return other


def test_a_report_of_a_run_lies_in_it(run_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(run_directory)]) == 0
    page = run_directory / "report.html"
    assert capsys.readouterr().out == f"{page}\n"
    data = inside(page)
    assert data["runs"][0]["state"] == "finished"
    assert [plane["number"] for plane in data["planes"]] == [0, 1, 2, 2, 2, 2, 2]
    assert "compared" not in data
    assert main([str(run_directory)]) == 0, "an earlier report is replaced"


def test_a_report_loads_nothing(run_directory: Path) -> None:
    main([str(run_directory)])
    text = (run_directory / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"<link[^>]*href=\"(?!data:)|<script[^>]*src|@import|url\(", text)
    (policy,) = re.findall(r'Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy


def test_a_slice_in_it_holds_the_field(run_directory: Path) -> None:
    main([str(run_directory)])
    plane = inside(run_directory / "report.html")["planes"][2]
    line, _, numbers = base64.b64decode(plane["data"]).partition(b"\n")
    header = json.loads(line)
    values = np.frombuffer(numbers, "<f4").reshape(header["rows"], header["columns"])
    snapshot = Snapshot(run_directory / "snapshots/000002.vtkhdf")
    assert values.tolist() == snapshot.slice("density", "y").values.tolist()


def test_all_fields_of_the_newest_snapshot_are_in_it(run_directory: Path) -> None:
    with h5py.File(run_directory / "snapshots/000002.vtkhdf", "a") as file:
        for number in range(9):
            file[f"scalar_{number}"] = file["density"][:] + number
    main([str(run_directory)])
    planes = inside(run_directory / "report.html")["planes"]
    newest = [plane for plane in planes if plane["number"] == 2]
    header = json.loads(base64.b64decode(newest[0]["data"]).partition(b"\n")[0])
    assert sorted(plane["field"] for plane in newest) == list(range(len(header["fields"])))


def test_of_several_runs_the_page_is_named(
    run_directory: Path, twin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(run_directory), str(twin)]) == 2
    assert "--output" in capsys.readouterr().err
    page = tmp_path / "new/both.html"
    assert main([str(run_directory), str(twin), "--output", str(page)]) == 0
    data = inside(page)
    assert len(data["runs"]) == 2
    assert data["compared"]["curves"]["mixing_width"] == [{"x": [0, 0.5], "y": [0, 0.3]}] * 2
    fields = data["compared"]["tables"][1]
    assert fields["rows"][0][:4] == ["density", "0.5", "1", "2"]
    assert fields["rows"][1][:4] == ["velocity_x", "0", "0", "0"]


def test_what_differs_is_listed(tmp_path: Path) -> None:
    one = made_up_run(tmp_path / "one", [2, 2], totals={"fingerprint": "a"})
    two = made_up_run(tmp_path / "two", [2, 2], totals={"fingerprint": "a"}, machine={"host": "there"})
    main([str(one), str(two), "--output", str(tmp_path / "page.html")])
    table = inside(tmp_path / "page.html")["compared"]["tables"][0]
    assert ["machine.host", "nowhere", "there"] in table["rows"]


@pytest.mark.parametrize(
    ("prints", "told"),
    [("XX", "are the same"), ("XY", "differ"), ("XY ", "differ"), ("XX ", "are the same is not known")],
)
def test_whether_the_final_bits_are_the_same_is_told_as_far_as_it_is_known(
    tmp_path: Path, prints: str, told: str
) -> None:
    runs = [
        made_up_run(tmp_path / str(number), [2, 2], totals={"fingerprint": each.strip()})
        for number, each in enumerate(prints)
    ]
    main([*map(str, runs), "--output", str(tmp_path / "page.html")])
    note = inside(tmp_path / "page.html")["compared"]["tables"][0]["note"]
    assert re.search(f"inal bits {told}", note)


def test_fields_of_large_snapshots_are_not_read(
    run_directory: Path, twin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tayra.compare.CHECKED_UNASKED", 10)
    page = tmp_path / "page.html"
    assert main([str(run_directory), str(twin), "--output", str(page)]) == 0
    fields = inside(page)["compared"]["tables"][1]
    assert fields["note"].startswith("Not compared: ") and "GiB" in fields["note"]
    assert "tayra compare --check" in fields["note"]


@pytest.mark.parametrize("content", ["notes", "", "<!doctype html>\nanother page"])
def test_another_file_is_not_replaced(
    run_directory: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = run_directory / "report.html"
    page.write_text(content)
    assert main([str(run_directory)]) == 2
    assert "is no report" in capsys.readouterr().err
    assert page.read_text() == content


@pytest.mark.parametrize("gone", ["run.json", "config.yaml", "timings.csv", "diagnostics.csv", "snapshots"])
def test_a_run_that_lacks_something_is_reported_all_the_same(run_directory: Path, gone: str) -> None:
    path = run_directory / gone
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    assert main([str(run_directory)]) == 0


def test_a_damaged_snapshot_is_left_out(run_directory: Path) -> None:
    (run_directory / "snapshots/000001.vtkhdf").write_bytes(b"noise")
    assert main([str(run_directory)]) == 0
    assert inside(run_directory / "report.html")["details"][0]["pictures"][0]["numbers"] == [0, 2]


def test_no_name_ends_the_data(tmp_path: Path) -> None:
    directory = made_up_run(tmp_path / "run", [2], problem="</script><script>alert(1)</script><!--")
    main([str(directory)])
    text = (directory / "report.html").read_text(encoding="utf-8")
    assert "alert(1)" in text and "<script>alert" not in text
    assert inside(directory / "report.html")["runs"][0]["problem"].startswith("</script>")


def test_the_latest_common_time_is_compared(run_directory: Path, twin: Path) -> None:
    (twin / "snapshots/000002.vtkhdf").unlink()
    one, two = latest_pair(Series(run_directory / "snapshots", True), Series(twin / "snapshots", True))
    assert (one.number, two.number) == (1, 1)
    assert all(found.most == 0 for found in field_differences(one, two))


def test_other_grids_are_not_compared(run_directory: Path, twin: Path) -> None:
    with h5py.File(twin / "snapshots/000002.vtkhdf", "r+") as file:
        file.attrs["lower"] = np.array([7.0, 0, 0])
    series = [Series(path / "snapshots", True) for path in (run_directory, twin)]
    with pytest.raises(TayraError, match="grids"):
        latest_pair(*series)
