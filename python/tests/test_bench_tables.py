"""What the tables of bench files say; their rows are made up, no measurements."""

from pathlib import Path

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
