"""What the charts of bench files say; their rows are made up, no measurements."""

import pytest
from matplotlib.artist import getp

from tayra.bench_charts import cadence_charts, halo_charts, overheads_charts, step_charts, transfer_charts
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


def test_exchanges_across_y_alone_are_shown_as_such() -> None:
    row = {"precision": "double", "slabs": 2, "halo": "host", "axis": "y", "packed": False, "face_bytes": 64}
    row |= {"gb_per_second": 1, "cells": [8, 8, 8]} | dict.fromkeys(
        ("us_per_exchange", "us_per_exchange_least", "us_per_exchange_most"), 1
    )
    charts = dict(halo_charts([row]))
    assert [panel.title for panel in charts["time"].panels] == ["double, 2 slabs side by side"]
    assert "faces" not in charts


def test_exchanges_are_shown_across_z_and_where_backends_can_be_compared() -> None:
    row = {"precision": "double", "packed": False, "face_bytes": 64, "cells": [8, 8, 8], "gb_per_second": 3}
    row |= {"us_per_exchange": 2, "us_per_exchange_least": 1, "us_per_exchange_most": 5}
    rows = [
        row | {"slabs": slabs, "halo": halo, "axis": axis}
        for slabs, halo, axis in ((2, "host", "z"), (2, "uva", "z"), (2, "nccl", "y"), (4, "host", "z"))
    ]
    charts = dict(halo_charts(rows))
    for name, label, value, spread in (
        ("time", "time of an exchange [µs]", 2, [(1, 5)]),
        ("rate", "bytes of a face over time [GB/s]", 3, []),
    ):
        (panel,) = charts[name].panels
        assert (panel.title, charts[name].y_label) == ("double, 2 slabs", label)
        assert panel.lines == [Line(halo, [64], [value], spread) for halo in ("host", "uva")]
    alone = dict(halo_charts(rows[-1:]))["time"].panels
    assert [panel.title for panel in alone] == ["double, 4 slabs"]


def transfer(**changes: object) -> dict:
    row = {"way": "host", "bytes": 1024, "blocks": 1, "pairs": 1, "directions": "one", "gb_per_second": 5}
    return row | {"us_per_transfer": 2, "us_per_transfer_least": 1, "us_per_transfer_most": 4} | changes


def test_transfers_are_shown_by_their_rate_and_by_their_time_with_its_extremes() -> None:
    charts = dict(transfer_charts([transfer(bytes=2048, gb_per_second=6), transfer()]))
    assert charts["rate"].y_label == "rate of a pair, each direction [GB/s]"
    assert charts["rate"].panels[0].lines == [Line("host", [1024, 2048], [5, 6], [])]
    assert charts["time"].y_label == "time of a transfer [µs]"
    assert charts["time"].panels[0].lines == [Line("host", [1024, 2048], [2, 2], [(1, 4), (1, 4)])]


def test_transfers_of_other_kinds_stand_in_panels_that_name_them() -> None:
    kinds = [transfer(), transfer(blocks=5), transfer(pairs=3), transfer(directions="both")]
    titles = [panel.title for panel in dict(transfer_charts(kinds))["rate"].panels]
    assert titles == [
        "1 block, 1 pair, one way",
        "5 blocks, 1 pair, one way",
        "1 block, 3 pairs, one way",
        "1 block, 1 pair, both ways",
    ]


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
    assert {line.label: line.y for line in panel.lines} == {"z: planes": [10], "y: rows as they lie": [30]}


def test_copies_are_shown_by_their_rate() -> None:
    row = {"what": "copy_to_gpu", "variant": "pinned"}
    ((_, chart),) = overheads_charts([row | {"bytes": n, "us_per_call": 2} for n in (4000, 8000)])
    assert [(panel.title, panel.lines[0].y) for panel in chart.panels] == [("copy to GPU", [2, 4])]


def test_pauses_between_transfers_of_different_sizes_stand_in_panels_that_name_them() -> None:
    row = {"way": "host", "interval_ms": 1, "keep_alive": False}
    row |= dict.fromkeys(("us_per_transfer", "us_per_transfer_least", "us_per_transfer_most"), 1)
    ((_, chart),) = cadence_charts([row | {"bytes": size} for size in (4096, 1 << 20)])
    assert [panel.title for panel in chart.panels] == ["host, 4 KiB", "host, 1 MiB"]


def test_a_transfer_after_a_pause_is_named_by_what_kept_the_way_awake() -> None:
    row = {"way": "host", "bytes": 64, "interval_ms": 10, "us_per_transfer_least": 1}
    rows = [
        row | {"keep_alive": kept, "us_per_transfer": time, "us_per_transfer_most": 9}
        for kept, time in ((True, 2), (False, 8))
    ]
    ((_, chart),) = cadence_charts(rows)
    assert (chart.x_label, chart.y_label) == ("pause [ms]", "time of a transfer [µs]")
    assert chart.panels[0].lines == [
        Line("with keep-alives", [10], [2], [(1, 9)]),
        Line("without", [10], [8], [(1, 9)]),
    ]


def test_steps_with_the_limiter_are_named_so() -> None:
    row = {"scheme": "roe3", "precision": "double", "cells": [8, 8, 8], "slabs": 1}
    rows = [row | {"positivity": on, "cell_steps_per_second": 1e9 * s} for on, s in ((True, 1), (False, 2))]
    ((_, chart),) = step_charts(rows)
    assert chart.y_label == "speed [10⁹ cell-steps/s]"
    assert {line.label: line.y for line in chart.panels[0].lines} == {"roe3, limiter": [1], "roe3": [2]}


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


def test_a_chart_names_its_axes_and_draws_a_label_alike_in_all_panels() -> None:
    a, b = Line("a", [1, 2], [10, 20]), Line("b", [1, 2], [30, 40], [(25, 36), (35, 50)])
    figure = draw_chart(Chart("", "below", "beside", [Panel("one", [a, b]), Panel("other", [b])]), "")
    one, other = figure.axes
    assert [(axes.get_xlabel(), axes.get_ylabel()) for axes in (one, other)] == [("below", "beside")] * 2
    assert [axes.get_title() for axes in (one, other)] == ["one", "other"]
    (first, again) = (axes.containers[-1] for axes in (one, other))
    assert first.get_label() == again.get_label() == "b"
    for look in ("color", "marker", "linestyle"):
        assert getp(first[0], look) == getp(again[0], look)
    assert [bar[:, 1].tolist() for bar in again[2][0].get_segments()] == [[25, 36], [35, 50]]


def test_speeds_are_drawn_from_zero_and_bytes_along_powers_of_two() -> None:
    line = Line("", [1 << 10, 1 << 20], [50, 60])
    chart = Chart("", "", "", [Panel("", [line])], bytes_below=True, from_zero=True)
    figure = draw_chart(chart, "")
    (axes,) = figure.axes
    assert (axes.get_ylim()[0], axes.get_yscale()) == (0, "linear")
    ticks = {
        int(place): text.get_text()
        for place, text in zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
    }
    assert ticks == {size: byte_text(size) for size in ticks}
    assert len(ticks) > 1


def test_ticks_stand_where_points_are_as_far_as_there_is_room() -> None:
    sizes = [16, 32, 33, 64, 262144]
    chart = Chart("", "", "", [Panel("", [Line("", sizes, sizes)])])
    figure = draw_chart(chart, "")
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["16", "64", "262k"]


def test_large_numbers_are_told_in_few_letters() -> None:
    texts = {0.5: "0.5", 512: "512", 32768: "32768", 262144: "262k", 999936: "1M", 16777216: "16.8M"}
    assert {n: number_text(n) for n in texts} == texts
    assert number_text(1024**3) == "1.07G"


def exchange(**changes: object) -> dict:
    row = {"precision": "double", "slabs": 2, "halo": "host", "axis": "z", "packed": False, "face_bytes": 64}
    row |= {"cells": [8, 8, 8], "gb_per_second": 1, "us_per_exchange": 7}
    return row | {"us_per_exchange_least": 6, "us_per_exchange_most": 9} | changes


def test_the_share_of_communication_left_exposed_is_shown_where_steps_were_timed() -> None:
    rows = [exchange(exposed_share=0.25), exchange(face_bytes=256, cells=[16, 16, 16], exposed_share=0.5)]
    charts = dict(halo_charts([*rows, exchange(face_bytes=1024, cells=[32, 32, 32])]))
    chart = charts["exposed"]
    assert (chart.x_label, chart.y_label) == ("bytes of a face", "exposed / communication time")
    assert [panel.lines for panel in chart.panels] == [[Line("host", [64, 256], [0.25, 0.5], [])]]
    assert chart.from_zero, "a share"
    assert "exposed" not in dict(halo_charts([exchange()]))


def test_every_chart_over_bytes_has_them_below_and_times_of_faces_have_their_unit() -> None:
    copies = [{"what": "copy", "variant": "pinned", "bytes": n, "us_per_call": 1} for n in (64, 128)]
    faces = dict(halo_charts([exchange(exposed_share=0.5), exchange(axis="y")]))
    assert faces["faces"].y_label == "time of an exchange [µs]"
    assert list(faces) == ["time", "rate", "exposed", "faces"]
    for charts in (faces, dict(transfer_charts([transfer()])), dict(overheads_charts(copies))):
        for name, chart in charts.items():
            assert chart.bytes_below, name
            assert "bytes" in chart.x_label, name


def test_what_is_called_with_one_size_alone_has_no_line_along_sizes() -> None:
    launch = {"what": "launch", "variant": "graph", "bytes": 0, "us_per_call": 2}
    copies = [{"what": "copy", "variant": "pinned", "bytes": n, "us_per_call": 2} for n in (64, 128)]
    ((_, chart),) = overheads_charts([launch, *copies])
    assert [panel.title for panel in chart.panels] == ["copy"]
    assert not list(overheads_charts([launch]))


def test_a_figure_has_its_title_its_caption_and_a_legend_of_all_its_panels() -> None:
    panels = [Panel(f"panel {n}", [Line(f"line {n}", [1, 2], [n, 10 * n])]) for n in range(1, 6)]
    figure = draw_chart(Chart("what it is", "", "", panels), "data:  a.json")
    assert figure.get_suptitle() == "what it is"
    assert figure.get_supxlabel() == "data:  a.json"
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [f"line {n}" for n in range(1, 6)]
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in shown] == [f"panel {n}" for n in range(1, 6)]


def test_an_axis_from_zero_has_room_for_the_highest_point() -> None:
    chart = Chart("", "", "", [Panel("", [Line("", [1, 2], [50, 60])])], from_zero=True)
    figure = draw_chart(chart, "")
    assert figure.axes[0].get_ylim()[1] > 60


def test_numbers_below_one_are_written_out_beside_a_logarithmic_axis() -> None:
    figure = draw_chart(Chart("", "", "", [Panel("", [Line("", [1, 2], [0.15, 6])])]), "")
    figure.canvas.draw()
    texts = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert {"0.2", "0.5", "1", "2", "5"} <= set(texts)


def test_a_median_that_rounding_has_put_beyond_its_extremes_is_drawn_all_the_same() -> None:
    line = Line("a", [1, 2], [10, 20], [(10.0000001, 12), (18, 19.9999999)])
    figure = draw_chart(Chart("", "", "", [Panel("", [line])]), "")
    (container,) = figure.axes[0].containers
    segments = container[2][0].get_segments()
    assert [segment[:, 1].tolist() for segment in segments] == [
        [10, pytest.approx(12)],
        [18, pytest.approx(20)],
    ]


def test_speeds_of_steps_are_compared_from_zero() -> None:
    row = {"scheme": "roe3", "precision": "double", "positivity": False, "slabs": 1}
    ((_, chart),) = step_charts([row | {"cells": [8, 8, 8], "cell_steps_per_second": 1e9}])
    assert chart.from_zero
    assert not chart.bytes_below
