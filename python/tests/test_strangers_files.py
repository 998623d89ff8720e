"""Files that somebody damaged or made up: one line says so; no other file and no endless pipe is read."""

import copy
import json
import os
import random
import signal
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import made_up_run

from tayra import Run, Snapshot, TayraError, compare, drawing, plot, run_report

SECRET = b"root:x:0:0:secret" * 1000


@pytest.fixture(autouse=True)
def no_endless_wait() -> Iterator[None]:
    def fail(*_: object) -> None:
        raise AssertionError("waited for ever")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def snapshot(run_directory: Path) -> Path:
    """The last one, with checksums."""
    path = run_directory / "snapshots" / "000002.vtkhdf"
    with h5py.File(path, "a") as file:
        for name in ("density", "velocity"):
            sums = [zlib.crc32(plane) for plane in file[name][:]]
            file[f"checksums/{name}"] = np.array(sums, np.uint32)
    return path


def flip(path: Path, name: str = "density", plane: int = 3) -> None:
    """One bit of one number."""
    with h5py.File(path, "a") as file:
        numbers = file[name][plane]
        numbers.reshape(-1).view(np.uint8)[5] ^= 16
        file[name][plane] = numbers


def outside(file: h5py.File, secret: str) -> h5py.Dataset:
    shape, kind = file["density"].shape, file["density"].dtype
    del file["density"]
    return file.create_dataset("density", shape, kind, external=[(secret, 0, h5py.h5f.UNLIMITED)])


def shown(file: h5py.File, source: str, name: str = "density") -> None:
    layout = h5py.VirtualLayout(file["density"].shape, file["density"].dtype)
    layout[:] = h5py.VirtualSource(source, name, file["density"].shape)
    del file["density"]
    file.create_virtual_dataset("density", layout)


def linked(file: h5py.File, link: object) -> None:
    file.move("density", "elsewhere")
    file["density"] = link


WAYS: dict[str, Callable[[h5py.File, str], object]] = {
    "external storage": outside,
    "external link": lambda file, secret: linked(file, h5py.ExternalLink(secret, "density")),
    "soft link": lambda file, _: linked(file, h5py.SoftLink("/elsewhere")),
    "virtual elsewhere": shown,
    "virtual above": lambda file, _: shown(file, "../000001.vtkhdf"),
    "virtual below": lambda file, _: shown(file, "ranks/../000001.vtkhdf"),
    "virtual by a path": lambda file, _: shown(file, "ranks/000002-0.h5", "a/density"),
    "virtual in itself": lambda file, _: shown(file, ".", "velocity"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["text", "pipe", "snapshot"])
def test_numbers_of_other_files_are_not_read(snapshot: Path, tmp_path: Path, way: str, kind: str) -> None:
    secret = tmp_path / "secret"
    if kind == "pipe":
        os.mkfifo(secret)
    else:
        secret.write_bytes(SECRET if kind == "text" else snapshot.read_bytes())
    with h5py.File(snapshot, "a") as file:
        WAYS[way](file, str(secret))
    for read in (Snapshot.check, lambda s: s.slice("density"), lambda s: s.field("density")):
        with pytest.raises(TayraError, match="leads? out of|outside|no part of it|lead out"):
            read(Snapshot(snapshot))
        with pytest.raises(TayraError, match="leads? out of|outside|no part of it|lead out"):
            read(Snapshot(snapshot, check=False))


@pytest.mark.parametrize("way", WAYS)
def test_parts_of_ranks_hold_their_numbers_themselves(snapshot: Path, tmp_path: Path, way: str) -> None:
    (tmp_path / "secret").write_bytes(SECRET)
    part = snapshot.parent / "ranks" / "000002-0.h5"
    part.parent.mkdir()
    part.write_bytes(snapshot.read_bytes())
    with h5py.File(snapshot, "a") as file:
        shown(file, "ranks/000002-0.h5")
    whole = Snapshot(snapshot).slice("density").values
    assert whole.std() > 1
    with h5py.File(part, "a") as file:
        WAYS[way](file, str(tmp_path / "secret"))
    with pytest.raises(TayraError, match=r"its part .*000002-0.h5 is missing, cut short or damaged"):
        Snapshot(snapshot).slice("density")


def test_checksums_that_lie_elsewhere_are_not_read(snapshot: Path, tmp_path: Path) -> None:
    with h5py.File(snapshot, "a") as file:
        del file["checksums"]
        file["checksums"] = h5py.ExternalLink(str(tmp_path / "other"), "checksums")
    with pytest.raises(TayraError, match="lead out of the file"):
        Snapshot(snapshot).slice("density")


def test_a_flipped_bit_is_found_by_the_package(snapshot: Path) -> None:
    Snapshot(snapshot).slice("density")
    flip(snapshot)
    for axis in "xy":
        with pytest.raises(TayraError, match=r"000002\.vtkhdf .*plane 3 of density has another checksum"):
            Snapshot(snapshot).slice("density", axis)
    with pytest.raises(TayraError, match="plane 3 of density"):
        Snapshot(snapshot).field("density")
    with pytest.raises(TayraError, match="plane 3 of density"):
        Snapshot(snapshot).check()
    Snapshot(snapshot).slice("velocity")
    of_others = Snapshot(snapshot)
    of_others.slice("density", "z", 2.1)
    with pytest.raises(TayraError, match="plane 3 of density"):
        of_others.slice("density", "z", 2.8)


def test_snapshots_are_read_without_checksums_on_request(snapshot: Path, run_directory: Path) -> None:
    flip(snapshot)
    assert Snapshot(snapshot, check=False).field("density").shape == (8, 6, 4)
    assert Run(run_directory, check=False).snapshot().slice("density").values.size
    assert plot.main([str(run_directory), "--no-check"]) == 0


def test_a_snapshot_of_an_older_tayra_is_read_and_told_apart(run_directory: Path, snapshot: Path) -> None:
    assert Snapshot(snapshot).check()
    older = Run(run_directory).snapshot(1)
    assert not older.check()
    assert older.slice("density").values.size


def test_a_flipped_bit_is_found_by_plot(
    run_directory: Path, snapshot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flip(snapshot, "velocity", 7)
    assert plot.main([str(run_directory)]) == 0
    capsys.readouterr()
    assert plot.main([str(run_directory), "--field", "velocity_z"]) == 2
    assert "plane 7 of velocity has another checksum than was written" in one_line(capsys)


@pytest.fixture
def two_runs(tmp_path: Path, snapshot: Path) -> list[Path]:
    """With two snapshots each."""
    runs = [made_up_run(tmp_path / name, [1, 2, 3]) for name in "ab"]
    for run in runs:
        (run / "snapshots").mkdir()
        for number in range(2):
            (run / "snapshots" / f"{number:06}.vtkhdf").write_bytes(snapshot.read_bytes())
    return runs


def test_compare_finds_a_flipped_bit_in_the_newest_snapshots_unasked(
    two_runs: list[Path], snapshot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*map(str, two_runs)]
    part = two_runs[0] / "parts" / "middle" / "000000.vtkhdf"
    part.parent.mkdir(parents=True)
    part.write_bytes(snapshot.read_bytes())
    assert compare.main(words) == 0
    assert capsys.readouterr().err == ""
    for newest in (part, two_runs[1] / "snapshots" / "000001.vtkhdf"):
        whole = newest.read_bytes()
        flip(newest)
        assert compare.main(words) == 2
        said = one_line(capsys)
        assert f"{newest} is damaged" in said
        assert "--no-check compares all the same" in said
        assert compare.main([*words, "--no-check"]) == 0
        capsys.readouterr()
        newest.write_bytes(whole)


def test_a_report_compares_no_fields_with_a_flipped_bit(two_runs: list[Path], tmp_path: Path) -> None:
    flip(two_runs[1] / "snapshots" / "000001.vtkhdf")
    page = tmp_path / "page.html"
    assert run_report.main([*map(str, two_runs), "--output", str(page)]) == 0
    said = page.read_text(encoding="utf-8")
    assert f"Not compared: {two_runs[1] / 'snapshots' / '000001.vtkhdf'} is damaged" in said


def test_compare_finds_a_flipped_bit_in_any_snapshot_if_asked(
    two_runs: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*map(str, two_runs)]
    flip(two_runs[1] / "snapshots" / "000000.vtkhdf")
    assert compare.main(words) == 0
    capsys.readouterr()
    assert compare.main([*words, "--check"]) == 2
    assert "b/snapshots/000000.vtkhdf" in one_line(capsys)


def test_a_check_reads_no_more_of_a_snapshot_than_it_may(snapshot: Path) -> None:
    flip(snapshot)  # plane 3 of 8
    assert Snapshot(snapshot).check(most_bytes=1)
    with h5py.File(snapshot) as file:
        fields = [file[name].nbytes for name in ("density", "velocity")]
    assert Snapshot(snapshot).check(most_bytes=sum(fields) * 3 / 8)
    with pytest.raises(TayraError, match="plane 3 of density"):
        Snapshot(snapshot).check(most_bytes=sum(fields) * 4 / 8)


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tayra ")
    assert said.err.count("\n") == 1
    return said.err


@pytest.mark.parametrize("name", ["run.json", "config.yaml", "timings.csv", "diagnostics.csv"])
def test_a_pipe_is_not_waited_for(
    tmp_path: Path, run_directory: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [made_up_run(tmp_path / letter, [1, 2, 3]) for letter in "ab"]
    for run in (run_directory, runs[1]):
        (run / name).unlink(missing_ok=True)
        os.mkfifo(run / name)
    if name != "diagnostics.csv":
        assert compare.main([*map(str, runs)]) == 2
        one_line(capsys)
    if name in ("diagnostics.csv", "run.json"):
        assert plot.main([str(run_directory), "--curves"]) == 2
        one_line(capsys)


def test_a_pipe_is_no_snapshot(run_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(run_directory / "snapshots" / "000003.vtkhdf")
    assert plot.main([str(run_directory)]) == 2
    assert "000003.vtkhdf is no file" in one_line(capsys)


@pytest.mark.parametrize("chunks", [None, (1, 1024, 1024)])
def test_numbers_beyond_what_the_file_holds_are_refused(
    snapshot: Path, run_directory: Path, chunks: tuple[int, ...] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with h5py.File(snapshot, "a") as file:
        for name in ("density", "velocity", "checksums"):
            del file[name]
        file.create_dataset("density", (1 << 20, 1 << 20, 1 << 20), np.float32, chunks=chunks)
    assert plot.main([str(run_directory)]) == 2
    assert "density claims more numbers than the file holds" in one_line(capsys)


ODD: tuple[Any, ...] = (
    None, True, 0, 5, -1, 2**31, 10**400, 1.5, float("nan"), float("inf"), -0.0, "", "text", "\ud800", "a\0b",
    [], [5], ["a", None], [[]], {}, {"a": 5}, {"step": "a"}, [10**400] * 3, [2**31] * 3, [True] * 3,
    {"cells": None}, ["run"] * 3, {"steps": 10**400},
)  # fmt: skip


def changed_records(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every value of every key, at every depth, becomes every odd one; and every key is left out."""

    def paths(value: object, at: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        items = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        for key, inner in items:
            yield (*at, key)
            yield from paths(inner, (*at, key))

    for path in paths(record, ()):
        for odd in (*ODD, paths):
            other = copy.deepcopy(record)
            place: Any = other
            for key in path[:-1]:
                place = place[key]
            if odd is paths:
                del place[path[-1]]
            else:
                place[path[-1]] = odd
            yield other


RECORD = {
    "tayra": {"version": "0", "commit": "a"},
    "command": ["/opt/tayra", "run", "made up.yaml"],
    "status": "finished",
    "message": "",
    "resumed_from": {"checkpoint": "a.h5", "step": 1},
    "attempts": [{"started": "then", "from_step": 0}],
    "missing_rows": [],
    "grid": {"cells": [8, 8, 8], "lower": [0, 0, 0]},
    "numerics": {"scheme": "muscl"},
    "machine": {
        "host": "nowhere",
        "devices": ["GPU", "GPU"],
        "halo": "host",
        "halo_trials": [{"halo": "mpi"}],
    },
    "totals": {"steps": 3, "time": 1.0, "fingerprint": "0123"},
}


def test_no_record_whatever_its_types_ends_in_a_traceback(
    tmp_path: Path, run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, odd = (made_up_run(tmp_path / name, [1, 2, 3], **RECORD) for name in ("whole", "odd"))
    refused = tried = 0
    for record in random.Random(2).sample(list(changed_records(RECORD)), 150):
        text = json.dumps(record)
        (odd / "run.json").write_text(text)
        tried += 1
        code = compare.main([str(whole), str(odd), "--json", str(tmp_path / "table.json")])
        said = capsys.readouterr()
        assert code in (0, 2), text
        assert (code == 2) == (said.err.count("\n") == 1), text
        refused += code == 2
    assert tried // 4 < refused < tried


BENCH = {
    "benchmark": "step",
    "tayra": "0.1.0",
    "commit": "0123",
    "machine": "nowhere",
    "devices": ["GPU"],
    "command": ["tayra", "bench", "step"],
    "repeats": 5,
    "rows": [
        {"scheme": "roe3", "precision": "double", "positivity": True, "cells": [n, n, n], "slabs": 1}
        | {
            "ms_per_step": 1.5,
            "ms_per_step_least": 1.4,
            "ms_per_step_most": 1.6,
            "cell_steps_per_second": 1e8,
        }
        for n in (8, 16)
    ],
}


def test_no_bench_file_whatever_its_types_ends_in_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, odd = tmp_path / "whole.json", tmp_path / "odd.json"
    whole.write_text(json.dumps(BENCH))
    assert compare.main([str(whole), str(whole)]) == 0
    capsys.readouterr()
    every = [json.dumps(changed) for changed in changed_records(BENCH)]
    for text in [text for text in every if len(text) > 800] + random.Random(4).sample(every, 100):
        odd.write_text(text)
        code = compare.main([str(whole), str(odd)])
        said = capsys.readouterr()
        assert code in (0, 2), text
        assert (code == 2) == (said.err.count("\n") == 1), text


def test_no_record_keeps_curves_from_being_drawn_or_refused(
    run_directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(drawing, "save", lambda *_: None)
    for odd in ({"tayra": None, "status": odd} for odd in ODD):
        (run_directory / "run.json").write_text(json.dumps(odd))
        assert plot.main([str(run_directory), "--curves"]) == 0
    for text in ("[" * 100000, "1" * 5000, '{"tayra": ' + "9" * 5000 + "}", "nul", "\xff", '{"a": 1}', ""):
        (run_directory / "run.json").write_text(text, encoding="latin1")
        capsys.readouterr()
        assert plot.main([str(run_directory), "--curves"]) == 2
        one_line(capsys)


def test_no_header_whatever_its_types_ends_in_a_traceback(
    snapshot: Path, run_directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(drawing, "save", lambda *_: None)
    values = (
        5,
        -1,
        np.nan,
        np.inf,
        1e308,
        "text",
        [1.0, 2],
        [0.0] * 3,
        [np.nan] * 3,
        [1e308] * 3,
        [[1.0] * 3] * 3,
    )
    whole = snapshot.read_bytes()
    for name in ("time", "step", "lower", "spacing"):
        for value in (*values, None):
            snapshot.write_bytes(whole)
            with h5py.File(snapshot, "a") as file:
                del file.attrs[name]
                if value is not None:
                    file.attrs[name] = value
            code = plot.main([str(run_directory)])
            said = capsys.readouterr()
            assert code in (0, 2), (name, value)
            assert (code == 2) == (said.err.count("\n") == 1), (name, value)


def test_no_shape_or_kind_of_numbers_ends_in_a_traceback(
    snapshot: Path, run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = snapshot.read_bytes()
    shapes = ((), (8,), (8, 6), (8, 6, 4, 3, 2), (0, 6, 4), (8, 6, 5), (8, 6, 4, 0))
    kinds = ("S4", np.complex128, np.dtype([("a", float)]), h5py.string_dtype(), h5py.ref_dtype, bool)
    for shape, kind in [*((shape, np.float32) for shape in shapes), *(((8, 6, 4), kind) for kind in kinds)]:
        snapshot.write_bytes(whole)
        with h5py.File(snapshot, "a") as file:
            del file["density"]
            file.create_dataset("density", shape, kind)
        assert plot.main([str(run_directory)]) == 2, (shape, kind)
        one_line(capsys)


def test_no_damaged_byte_of_a_snapshot_ends_in_a_traceback(
    snapshot: Path, run_directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(drawing, "save", lambda *_: None)
    whole = snapshot.read_bytes()
    dice = random.Random(3)
    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(dice.choice((1, 1, 8))):
            damaged[dice.randrange(len(whole))] = dice.randrange(256)
        snapshot.write_bytes(damaged)
        code = plot.main([str(run_directory)])
        said = capsys.readouterr()
        assert code in (0, 2)
        assert (code == 2) == (said.err.count("\n") == 1)
