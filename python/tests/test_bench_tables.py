"""What the tables of bench files say; their rows are made up, no measurements."""

from pathlib import Path

from tayra.bench_file import BenchFile
from tayra.bench_tables import bench_tables


def halo_file(rows: list[dict]) -> BenchFile:
    common = {"precision": "double", "slabs": 2, "axis": "z", "packed": False, "face_bytes": 1024}
    return BenchFile(
        Path("halo.json"), "halo", "0", "abc", "nowhere", ["CPU"], [], {}, [common | r for r in rows]
    )


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
