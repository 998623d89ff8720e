"""What the tables of bench files say; their rows are made up, no measurements."""

from pathlib import Path

import pytest
import scaling_rows

from tayra.bench_file import BenchFile
from tayra.bench_tables import bench_tables


def file_of(benchmark: str, rows: list[dict]) -> BenchFile:
    return BenchFile(Path("a.json"), benchmark, "0", "abc", "nowhere", ["CPU"], [], {}, rows)


def halo_file(rows: list[dict]) -> BenchFile:
    common = {"precision": "double", "slabs": 2, "axis": "z", "packed": False, "face_bytes": 1024}
    return file_of("halo", [common | row for row in rows])


def test_the_fastest_exchange_of_each_face_is_named_from_where_on_it_is() -> None:
    rows = [
        {"cells": [8, 8, 8], "face_bytes": face, "halo": halo, "us_per_exchange": time}
        for face, halo, time in (
            (1024, "host", 10.0),
            (1024, "uva", 20.0),
            (2048, "host", 40.0),
            (2048, "uva", 30.0),
            (4096, "host", 80.0),
            (4096, "uva", 35.0),
        )
    ]
    assert bench_tables(halo_file(rows))[0].rows == [
        ["double", "2", "host", "1 KiB", "1 KiB", "10 - 10"],
        ["double", "2", "uva", "2 KiB", "4 KiB", "30 - 35"],
    ]


def test_half_of_the_best_rate_is_had_from_the_smallest_transfer_that_reaches_it() -> None:
    common = {"way": "host", "blocks": 1, "pairs": 1, "directions": "one"}
    rows = [
        common | {"bytes": size, "us_per_transfer": time, "gb_per_second": rate}
        for size, time, rate in ((8192, 3.0, 8.0), (1024, 1.0, 1.0), (2048, 2.0, 5.0), (4096, 4.0, 10.0))
    ]
    (table,) = bench_tables(file_of("transfer", rows))
    assert table.columns == ["way", "us at 1 KiB", "GB/s at 8 KiB", "most GB/s", "half of it from"]
    assert table.rows == [["host", "1", "8", "10", "2 KiB"]]


def test_a_way_that_lacks_a_size_has_no_time_of_it() -> None:
    common = {"blocks": 1, "pairs": 1, "directions": "one", "us_per_transfer": 3.0, "gb_per_second": 8.0}
    sizes = (("host", 1024), ("host", 8192), ("uva", 4096))
    (table,) = bench_tables(file_of("transfer", [common | {"way": way, "bytes": n} for way, n in sizes]))
    assert table.columns[1:3] == ["us at 1 KiB", "GB/s at 8 KiB"]
    assert [row[:3] for row in table.rows] == [["host", "3", "8"], ["uva", "-", "-"]]


def test_boxes_with_the_same_face_have_a_row_each() -> None:
    rows = [
        {"cells": [8, 8, depth], "halo": halo, "us_per_exchange": time}
        for depth, halo, time in ((8, "host", 10.0), (8, "uva", 20.0), (64, "host", 30.0))
    ]
    table = bench_tables(halo_file(rows))[-1]
    assert table.columns == ["cells", "face", "host", "uva"]
    assert [(row[0], *row[2:]) for row in table.rows] == [
        ("8 x 8 x 8", "10", "20"),
        ("8 x 8 x 64", "30", "-"),
    ]


def test_faces_across_y_stand_beside_those_across_z_and_race_nobody() -> None:
    rows = [
        {"cells": [8, 8, 8], "halo": halo, "axis": axis, "packed": packed, "us_per_exchange": time}
        for halo, axis, packed, time in (
            ("host", "z", False, 10.0),
            ("uva", "z", False, 20.0),
            ("host", "y", True, 5.0),
            ("host", "y", False, 40.0),
        )
    ]
    fastest, times = bench_tables(halo_file(rows))
    assert [row[2] for row in fastest.rows] == ["host"]
    assert fastest.rows[0][-1] == "10 - 10"
    assert times.columns[2:] == ["host", "uva", "host across y, packed", "host across y, as they lie"]
    assert times.rows[0][2:] == ["10", "20", "5", "40"]


def test_transfers_of_other_kinds_have_tables_that_name_them() -> None:
    row = {"way": "host", "bytes": 64, "us_per_transfer": 1, "gb_per_second": 1}
    (table,) = bench_tables(file_of("transfer", [row | {"blocks": 5, "pairs": 3, "directions": "both"}]))
    assert table.title == "blocks 5, pairs 3, directions both"


def test_other_benchmarks_show_the_median_and_from_the_least_to_the_most() -> None:
    row = {"what": "launch", "variant": "graph", "bytes": 0}
    times = {"us_per_call": 2.0, "us_per_call_least": 1.5, "us_per_call_most": 7.0}
    (table,) = bench_tables(file_of("overheads", [row | times, row | times | {"bytes": 8}]))
    assert table.columns == ["bytes", "us per call", "least - most"]
    assert table.rows == [["0", "2", "1.5 - 7"], ["8", "2", "1.5 - 7"]]


@pytest.mark.parametrize(
    ("kind", "rows", "box", "cells"),
    [
        ("strong", scaling_rows.strong_rows(), "256³", (256, 256, 256)),
        ("weak", scaling_rows.weak_rows(), "192³ a slab", (192, 192, 768)),
    ],
)
def test_tables_of_scaling_show_numbers_under_their_names(
    kind: str, rows: list[dict], box: str, cells: tuple[int, int, int]
) -> None:
    host, fast = (scaling_rows.row(cells, 4, halo) for halo in ("host", "fast"))
    shown = {}
    for table in bench_tables(file_of("scaling", rows)):
        column = table.columns.index("4 slabs")
        (row,) = (row for row in table.rows if row[:2] == [box, "fast"])
        shown[table.title] = row[column]
    assert shown == {
        f"{title}, {kind} scaling": f"{value:.4g}"
        for title, value in {
            "Speed [10⁹ cell-steps/s]": 1e-6 * cells[0] * cells[1] * cells[2] / fast["ms_per_step"],
            "Time of a step [ms]": fast["ms_per_step"],
            "Speed over that with host": host["ms_per_step"] / fast["ms_per_step"],
            "Computation time in a step [ms]": fast["compute_ms"],
            "Communication time in a step [ms]": fast["comm_ms"],
            "Transfer rate [GB/s]": 1e-6 * fast["bytes_sent"] / fast["comm_ms"],
        }.items()
    } | {"Communication time saved against host": f"{100 * (1 - fast['comm_ms'] / host['comm_ms']):+.1f} %"}


def test_tables_of_exchanges_name_precision_slabs_and_unit_and_skip_what_has_no_rival() -> None:
    rows = [
        {"cells": [8, 8, 8], "precision": precision, "slabs": slabs, "halo": halo, "us_per_exchange": time}
        for precision, slabs, halo, time in (
            ("double", 2, "host", 10.0),
            ("single", 4, "host", 20.0),
            ("single", 4, "uva", 8.0),
        )
    ]
    fastest, *times = bench_tables(halo_file(rows))
    assert fastest.rows == [["single", "4", "uva", "1 KiB", "1 KiB", "8 - 8"]]
    assert not fastest.note
    assert [(table.title, [row[2:] for row in table.rows]) for table in times] == [
        ("Time of an exchange [us], double, 2 slabs", [["10"]]),
        ("Time of an exchange [us], single, 4 slabs", [["20", "8"]]),
    ]
    alone, *_ = bench_tables(halo_file(rows[:1]))
    assert (alone.rows, alone.note) == ([], "one backend alone: there is no other to take over")


def test_one_slab_has_no_time_of_communication() -> None:
    tables = {table.title: table for table in bench_tables(file_of("scaling", scaling_rows.strong_rows()))}
    table = tables["Communication time in a step [ms], strong scaling"]
    assert table.columns[2] == "1 slab"
    assert {row[2] for row in table.rows} == {"-"}
