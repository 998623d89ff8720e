"""Reading bench files; their rows are made up (scaling_rows.py), no measurements."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import scaling_rows

from tayra import TayraError
from tayra.bench_file import BENCHMARKS, IF_MISSING, case_text, read_bench_file


def write(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document))
    return path


def made_up(**changes: Any) -> dict[str, Any]:  # noqa: ANN401
    return scaling_rows.document(scaling_rows.strong_rows()) | changes


def test_header_and_rows_are_read(tmp_path: Path) -> None:
    file = read_bench_file(write(tmp_path / "a.json", made_up(command=["/opt/bin/tayra", "bench", "a b"])))
    assert (file.benchmark, file.machine, len(file.devices)) == ("scaling", scaling_rows.MACHINE, 2)
    assert file.command_line == "tayra bench 'a b'"
    assert file.conditions == {"repeats": 5}
    assert file.rows == scaling_rows.strong_rows()


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_needs_each_of_its_columns(tmp_path: Path, name: str) -> None:
    words = {"cells": [8, 8, 8], "positivity": True, "packed": False, "keep_alive": True}
    texts = ("scheme", "precision", "halo", "axis", "way", "directions", "what", "variant")
    columns = (*BENCHMARKS[name].case, *BENCHMARKS[name].measured)
    row = {key: words.get(key, "word" if key in texts else 1) for key in columns}
    assert read_bench_file(write(tmp_path / "a.json", scaling_rows.document([row], name))).rows == [row]
    for column in set(columns) - set(IF_MISSING):
        rest = {key: value for key, value in row.items() if key != column}
        with pytest.raises(TayraError, match=f"row 1 has no '{column}'"):
            read_bench_file(write(tmp_path / "a.json", scaling_rows.document([rest], name)))


def change_row(**changes: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401
    return lambda document: document["rows"][1].update(changes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("machine"), "'machine' of its header"),
        (lambda d: d.update(commit=7), "'commit' of its header"),
        (lambda d: d.update(devices="GPU"), "'devices' of its header"),
        (lambda d: d.update(command=[1]), "'command' of its header"),
        (lambda d: d.update(benchmark="speed"), "no bench file of Tayra"),
        (lambda d: d.update(benchmark=["step"]), "no bench file of Tayra"),
        (lambda d: d.update(rows={}), "no list of rows"),
        (lambda d: d.update(rows=[]), "holds no rows"),
        (lambda d: d.update(rows=[3]), "row 1 is no object"),
        (lambda d: d["rows"].append(d["rows"][0]), "rows 1 and 29 are of the same case"),
        (change_row(cells=[8, 8]), "'cells' of row 2 is [8, 8], not three counts"),
        (change_row(cells=[8, 8, 0]), "not three counts above 0"),
        (change_row(slabs=0), "'slabs' of row 2 is 0, not a count above 0"),
        (change_row(slabs=True), "'slabs' of row 2 is True"),
        (change_row(halo=""), "'halo' of row 2 is '', not a word"),
        (change_row(comm_ms=-1.0), "'comm_ms' of row 2 is -1.0, not a number"),
        (change_row(comm_ms=float("nan")), "'comm_ms' of row 2 is nan"),
        (change_row(comm_ms=float("inf")), "'comm_ms' of row 2 is inf"),
        (change_row(slabs=-1), "'slabs' of row 2 is -1"),
        (change_row(comm_ms="fast"), "'comm_ms' of row 2 is 'fast'"),
        (change_row(comm_ms=None), "'comm_ms' of row 2 is None"),
        (change_row(ms_per_step=0), "'ms_per_step' of row 2 is 0"),
        (change_row(ms_per_step_least=0), "'ms_per_step_least' of row 2 is 0"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    document = made_up()
    change(document)
    path = write(tmp_path / "a.json", document)
    with pytest.raises(TayraError) as caught:
        read_bench_file(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_face_across_y_that_is_packed_is_another_case_than_one_that_is_not(tmp_path: Path) -> None:
    columns = (*BENCHMARKS["halo"].case, *BENCHMARKS["halo"].measured)
    row = dict.fromkeys(columns, 1) | {"precision": "double", "cells": [8, 8, 8], "halo": "uva", "axis": "y"}
    rows = [row | {"packed": packed} for packed in (True, False)]
    assert read_bench_file(write(tmp_path / "a.json", scaling_rows.document(rows, "halo"))).rows == rows


def test_values_of_a_case_are_told_in_words() -> None:
    texts = {"roe3": "roe3", 8: "8", 0.5: "0.5", 1e-2: "0.01"}
    assert {value: case_text(value) for value in texts} == texts
    assert [case_text(value) for value in ([32, 32, 64], True, False)] == ["32 x 32 x 64", "on", "off"]


def tables_of_the_convention() -> dict[str, list[str]]:
    """The case columns of each benchmark, as docs/files.md promises them."""
    text = (Path(__file__).parents[2] / "docs/files.md").read_text(encoding="utf-8")
    _, found, table = text.partition("| benchmark | case columns |")
    assert found
    lines = table.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name: case.split(", ") for name, case, *_ in cells}


def test_a_scaling_of_before_boxes_were_cut_along_y_is_of_boxes_that_were_not(tmp_path: Path) -> None:
    rows = [
        {key: value for key, value in row.items() if key != "cut_y"} for row in scaling_rows.strong_rows()
    ]
    file = read_bench_file(write(tmp_path / "a.json", scaling_rows.document(rows)))
    assert file.rows == scaling_rows.strong_rows()


@pytest.mark.parametrize(("name", "case"), tables_of_the_convention().items())
def test_rows_that_differ_in_one_of_the_documented_case_columns_are_of_two_cases(
    tmp_path: Path, name: str, case: list[str]
) -> None:
    words = {"cells": [8, 8, 8], "positivity": True, "packed": False, "keep_alive": True}
    others = {"cells": [8, 8, 16], "positivity": False, "packed": True, "keep_alive": False}
    texts = ("scheme", "precision", "halo", "axis", "way", "directions", "what", "variant")
    row = {key: words.get(key, "word" if key in texts else 1) for key in (*case, *BENCHMARKS[name].measured)}
    for column in case:
        other = row | {column: others.get(column, "other" if column in texts else 2)}
        path = write(tmp_path / "a.json", scaling_rows.document([row, other], name))
        assert read_bench_file(path).rows == [row, other]


def test_a_file_that_names_no_machine_is_told_by_its_devices(tmp_path: Path) -> None:
    assert (
        read_bench_file(write(tmp_path / "a.json", made_up(machine=""))).device_and_machine == "2 x no device"
    )


def test_a_command_is_told_without_the_folder_of_the_program_but_with_those_of_its_files(
    tmp_path: Path,
) -> None:
    command = ["/opt/bin/tayra", "bench", "halo", "configs/box.yaml", "--json", "results/halo.json"]
    file = read_bench_file(write(tmp_path / "a.json", made_up(command=command)))
    assert file.command_line == "tayra bench halo configs/box.yaml --json results/halo.json"
