"""What the charts of bench files say; their rows are made up, no measurements."""

import pytest
from matplotlib import pyplot as plt

from tayra.bench_charts import cadence_charts, halo_charts, overheads_charts, step_charts
from tayra.figures import line_style
from tayra.panels import Chart, Line, Panel, byte_text, draw_chart, number_text


def test_speeds_of_steps_on_different_numbers_of_slabs_stand_in_panels_that_name_them() -> None:
    row = {"scheme": "roe3", "precision": "double", "positivity": False, "cells": [32, 32, 32]}
    rows = [row | {"slabs": slabs, "cell_steps_per_second": 1e9 * slabs} for slabs in (1, 4)]
    ((_, chart),) = step_charts(rows)
    assert [panel.title for panel in chart.panels] == ["double, 1 slab", "double, 4 slabs"]
    assert [line.y for panel in chart.panels for line in panel.lines] == [[1], [4]]
    assert chart.x_label == "cells along x"


def test_boxes_of_the_same_width_are_told_apart_by_all_their_cells() -> None:
    row = {"scheme": "roe3", "precision": "double", "positivity": False, "slabs": 1}
    rows = [row | {"cells": [8, 8, depth], "cell_steps_per_second": 1e9 * depth} for depth in (8, 16)]
    ((_, chart),) = step_charts(rows)
    assert chart.x_label == "cells"
    assert [line.x for panel in chart.panels for line in panel.lines] == [[512, 1024]]


def test_boxes_of_as_many_cells_stand_in_panels_of_their_shapes() -> None:
    row = {"scheme": "roe3", "precision": "double", "positivity": True, "slabs": 1}
    boxes = [[16, 16, 16], [32, 32, 4], [32, 32, 32]]
    ((_, chart),) = step_charts([row | {"cells": b, "cell_steps_per_second": 1e9 * b[2]} for b in boxes])
    assert {panel.title: [(line.x, line.y) for line in panel.lines] for panel in chart.panels} == {
        "double, 1 slab, box 1 : 1 : 1": [([4096, 32768], [16, 32])],
        "double, 1 slab, box 8 : 8 : 1": [([4096], [4])],
    }


def test_boxes_with_the_same_face_stand_in_panels_of_their_shapes() -> None:
    row = {"precision": "double", "slabs": 2, "halo": "host", "axis": "z", "packed": False, "face_bytes": 64}
    row |= {"gb_per_second": 1} | dict.fromkeys(
        ("us_per_exchange", "us_per_exchange_least", "us_per_exchange_most"), 1
    )
    rows = [row | {"cells": [8, 8, depth], "exposed_share": 1 / depth} for depth in (8, 32)]
    charts = dict(halo_charts([*rows, *(row | {"axis": "y"} for row in rows)]))
    shapes = {name: [panel.title for panel in chart.panels] for name, chart in charts.items()}
    across_z = ["double, 2 slabs, box 1 : 1 : 1", "double, 2 slabs, box 1 : 1 : 4"]
    across_y = ["double, box 1 : 1 : 1", "double, box 1 : 1 : 4"]
    assert shapes == {"time": across_z, "rate": across_z, "exposed": across_z, "faces": across_y}


def test_faces_across_y_stand_beside_those_across_z_of_as_many_slabs() -> None:
    row = {"precision": "double", "halo": "host", "packed": False, "face_bytes": 64, "cells": [8, 8, 8]}
    row |= {"gb_per_second": 1} | dict.fromkeys(
        ("us_per_exchange", "us_per_exchange_least", "us_per_exchange_most"), 1
    )
    rows = [
        row | {"axis": axis, "slabs": slabs, "us_per_exchange": time}
        for axis, slabs, time in (("z", 2, 10), ("z", 4, 20), ("y", 2, 30))
    ]
    (panel,) = dict(halo_charts(rows))["faces"].panels
    assert {line.label: line.y for line in panel.lines} == {"z, contiguous": [10], "y, strip by strip": [30]}


def test_copies_are_shown_by_their_rate() -> None:
    row = {"what": "copy_to_gpu", "variant": "pinned"}
    ((_, chart),) = overheads_charts([row | {"bytes": n, "us_per_call": 2} for n in (4000, 8000)])
    assert [(panel.title, panel.lines[0].y) for panel in chart.panels] == [("copy to GPU", [2, 4])]


def test_pauses_between_transfers_of_different_sizes_stand_in_panels_that_name_them() -> None:
    row = {"way": "host", "interval_ms": 1, "keep_alive": False}
    row |= dict.fromkeys(("us_per_transfer", "us_per_transfer_least", "us_per_transfer_most"), 1)
    ((_, chart),) = cadence_charts([row | {"bytes": size} for size in (4096, 1 << 20)])
    assert [panel.title for panel in chart.panels] == ["host, 4 KiB", "host, 1 MiB"]


@pytest.mark.parametrize(
    ("count", "text"),
    [(40, "40 B"), (999, "999 B"), (1023, "1023 B"), (1010 << 10, "1010 KiB"), (5184000, "4.94 MiB")],
)
def test_counts_of_bytes_have_no_exponent(count: int, text: str) -> None:
    assert byte_text(count) == text


def test_no_two_of_sixteen_lines_look_alike() -> None:
    styles = [line_style(index) for index in range(16)]
    assert len({(style["color"], style["marker"]) for style in styles}) == len(styles)
    without_colour = {(style["linestyle"], style["marker"]) for style in styles}
    assert len(without_colour) == len(styles)


def test_ticks_stand_where_points_are_as_far_as_there_is_room() -> None:
    sizes = [16, 32, 33, 64, 262144]
    chart = Chart("", "", "", [Panel("", [Line("", sizes, sizes)])])
    figure = draw_chart(chart, "")
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["16", "64", "262k"]
    plt.close(figure)


def test_large_numbers_are_told_in_few_letters() -> None:
    texts = {0.5: "0.5", 512: "512", 32768: "32768", 262144: "262k", 999936: "1M", 16777216: "16.8M"}
    assert {n: number_text(n) for n in texts} == texts
    assert number_text(1024**3) == "1.07G"
