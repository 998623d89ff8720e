"""What follows from rows of `bench scaling`, on rows from a formula (scaling_rows.py), no measurements."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import scaling_rows
from matplotlib import image
from matplotlib.container import ErrorbarContainer
from matplotlib.lines import Line2D

from tayra.bench_file import read_bench_file
from tayra.bench_tables import bench_tables
from tayra.plot import main
from tayra.scaling import Scaling, saved_table, scalings, strong, weak
from tayra.scaling_figures import draw_scaling


def both() -> list[Scaling]:
    return scalings(scaling_rows.strong_rows() + scaling_rows.weak_rows())


def test_rows_of_one_box_scale_strongly_and_rows_of_equal_slabs_weakly() -> None:
    assert [family.title for family in strong(both())] == ["32³", "128³", "256³", "512³"]
    assert [family.title for family in weak(both())] == ["64³ a slab", "192³ a slab"]
    assert all({row.slabs for row in f.rows} == {1, 2, 4, 8} for f in strong(both()) + weak(both()))


def test_families_of_several_schemes_are_kept_apart() -> None:
    rows = scaling_rows.strong_rows()
    other = [row | {"scheme": "upwind3"} for row in rows]
    titles = [family.title for family in strong(scalings(rows + other))]
    assert titles[:2] == ["32³, roe3, single", "32³, upwind3, single"]


def test_a_line_begins_with_one_slab_and_follows_their_number() -> None:
    family = strong(both())[0]
    family.rows.reverse()
    assert family.halos == ["host", "fast"]
    assert [(row.halo, row.slabs) for row in family.line("fast")] == [
        ("host", 1),
        ("fast", 2),
        ("fast", 4),
        ("fast", 8),
    ]


def test_speeds_and_rates_follow_their_definitions() -> None:
    (row,) = scalings([scaling_rows.row((100, 100, 100), 2, "host")])
    assert row.cell_steps_per_second == pytest.approx(1e6 / (1e-3 * row.ms_per_step))
    assert row.gb_per_second == pytest.approx(row.bytes_sent / (1e-3 * row.comm_ms) / 1e9)
    assert scalings([scaling_rows.row((8, 8, 8), 1, "host")])[0].gb_per_second is None


def test_ratio_and_saving_are_against_the_host_backend() -> None:
    family = strong(both())[2]
    fast, host = (next(r for r in family.rows if (r.halo, r.slabs) == (h, 4)) for h in ("fast", "host"))
    face = 2 * 5 * 256 * 256 * 4
    assert family.saved(fast) == pytest.approx(1 - (60_000 + face / 400) / (20_000 + face / 10))
    assert family.speed_ratio(fast) == pytest.approx(host.ms_per_step / fast.ms_per_step)
    assert family.speed_ratio(host) == 1
    assert family.speed_ratio(family.line("fast")[0]) is None


def test_weak_efficiency_compares_a_slab_with_one_alone() -> None:
    family = weak(both())[0]
    one, *_, eight = family.line("fast")
    assert eight.slabs == 8
    assert family.efficiency(one) == pytest.approx(1)
    assert family.efficiency(eight) == pytest.approx(one.ms_per_step / eight.ms_per_step)


def test_a_line_begins_with_its_own_backend_on_one_slab_where_that_was_measured() -> None:
    fast = scaling_rows.row((32, 32, 32), 1, "host") | {"halo": "fast", "ms_per_step": 3.0}
    rows = [row for row in scaling_rows.strong_rows() if row["cells"] == [32, 32, 32]]
    (family,) = strong(scalings([*rows, fast]))
    assert [(row.halo, row.slabs) for row in family.line("fast")[:2]] == [("fast", 1), ("fast", 2)]
    assert [(row.halo, row.slabs) for row in family.line("host")[:2]] == [("host", 1), ("host", 2)]


def test_the_table_shows_losses_too_and_gaps_as_dashes() -> None:
    rows = [row for row in strong(both())[0].rows if (row.halo, row.slabs) != ("fast", 4)]
    table = saved_table(strong(rows))
    assert table.columns == ["box", "halo", "2 slabs", "4 slabs", "8 slabs"]
    assert table.rows == [["32³", "fast", "-149.4 %", "-", "-149.4 %"]]


def test_the_table_says_when_there_is_nothing_to_compare() -> None:
    rows = [row for row in both() if row.halo == "host"]
    assert "measure host and another backend" in saved_table(strong(rows)).note


def test_plot_draws_every_figure_beside_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "made_up.json"
    path.write_text(json.dumps(scaling_rows.document(scaling_rows.strong_rows() + scaling_rows.weak_rows())))
    assert main([str(path)]) == 0
    names = [f"{kind}_{name}" for kind in ("strong", "weak") for name in ("time", "ratio", "parts")]
    expected = {f"made_up_{n}.png" for n in (*names, "strong_speed", "weak_efficiency", "transfer_rate")}
    assert {picture.name for picture in tmp_path.glob("*.png")} == expected
    assert all(image.imread(picture).std() > 0.01 for picture in tmp_path.glob("*.png"))
    assert "| 128³ | fast | +27.9 % |" in (tmp_path / "made_up_tables.md").read_text()
    assert set(capsys.readouterr().out.split()) == {str(p) for p in tmp_path.iterdir() if p != path}


def with_a_run_without_exchange(rows: list[dict]) -> list[dict]:
    """`none` as older files have it: with the bytes that another backend would have sent."""
    return rows + [row | {"halo": "none", "comm_ms": 0.003} for row in rows if row["halo"] == "fast"]


def test_a_run_without_exchange_has_neither_rate_nor_saving(tmp_path: Path) -> None:
    rows = with_a_run_without_exchange(scaling_rows.strong_rows() + scaling_rows.weak_rows())
    assert {row.gb_per_second for row in scalings(rows) if row.halo == "none"} == {None}
    tables = bench_tables(read_bench_file(write_file(tmp_path, rows)))
    with_none = {table.title for table in tables if "none" in {row[1] for row in table.rows}}
    without = {f"Transfer rate [GB/s], {kind} scaling" for kind in ("strong", "weak")}
    without.add("Communication time saved against host")
    assert {table.title for table in tables} - with_none == without
    assert all("fast" in {row[1] for row in table.rows} for table in tables)


def test_the_figure_of_rates_has_no_line_of_a_run_without_exchange(tmp_path: Path) -> None:
    rows = with_a_run_without_exchange(scaling_rows.strong_rows())
    assert set(drawn(tmp_path, rows, "transfer_rate")) == {"host", "fast"}
    assert "none" in drawn(tmp_path, rows, "strong_time")


def test_ideal_is_the_speed_of_one_slab_times_their_number(tmp_path: Path) -> None:
    rows = [row for row in scaling_rows.strong_rows() if row["cells"] == [128, 128, 128]]
    (tmp_path / "a.json").write_text(json.dumps(scaling_rows.document(rows)))
    figures = dict(draw_scaling(read_bench_file(tmp_path / "a.json")))
    (ideal,) = (line for line in figures["strong_speed"].axes[0].lines if line.get_label() == "ideal")
    speed = 1e-9 * 1e3 * 128**3 / rows[0]["ms_per_step"]
    assert ideal.get_xdata().tolist() == [1, 2, 4, 8]
    assert ideal.get_ydata() == pytest.approx([speed, 2 * speed, 4 * speed, 8 * speed])


def write_file(folder: Path, rows: list[dict]) -> Path:
    path = folder / "a.json"
    path.write_text(json.dumps(scaling_rows.document(rows)))
    return path


def drawn(folder: Path, rows: list[dict], picture: str) -> dict[str, ErrorbarContainer | Line2D]:
    """What the last panel of a picture shows, by name."""
    axes = dict(draw_scaling(read_bench_file(write_file(folder, rows))))[picture].axes[-1]
    lines = {line.get_label(): line for line in axes.lines}
    return lines | {container.get_label(): container for container in axes.containers}


@pytest.mark.parametrize(
    ("picture", "label", "value"),
    [
        ("strong_speed", "fast", lambda row: 1e-6 * 512**3 / row["ms_per_step"]),
        ("strong_time", "fast", lambda row: row["ms_per_step"]),
        ("strong_parts", "fast, computation", lambda row: row["compute_ms"]),
        ("strong_parts", "fast, communication", lambda row: row["comm_ms"] or None),
    ],
)
def test_lines_of_strong_scaling_show_what_their_names_say(
    tmp_path: Path, picture: str, label: str, value: Callable[[dict], float]
) -> None:
    heights = drawn(tmp_path, scaling_rows.strong_rows(), picture)[label][0].get_ydata()
    values = [value(scaling_rows.row((512, 512, 512), slabs, "fast")) for slabs in (1, 2, 4, 8)]
    assert heights == pytest.approx([v for v in values if v is not None])


def test_lines_of_weak_scaling_show_the_efficiency(tmp_path: Path) -> None:
    line = drawn(tmp_path, scaling_rows.weak_rows(), "weak_efficiency")["fast"][0]
    times = [scaling_rows.row((192, 192, 192 * n), n, "fast")["ms_per_step"] for n in (1, 2, 4, 8)]
    assert line.get_ydata() == pytest.approx([times[0] / time for time in times])


def test_axes_of_scaling_name_what_they_show_and_every_number_of_slabs(tmp_path: Path) -> None:
    rows = scaling_rows.strong_rows() + scaling_rows.weak_rows()
    (tmp_path / "a.json").write_text(json.dumps(scaling_rows.document(rows)))
    labels = {}
    for name, figure in draw_scaling(read_bench_file(tmp_path / "a.json")):
        labels[name] = figure.axes[0].get_ylabel()
        for axes in figure.axes if name != "transfer_rate" else []:
            assert axes.get_xlabel() == "slabs"
            assert axes.get_xticks().tolist() == [1, 2, 4, 8]
            assert [text.get_text() for text in axes.get_xticklabels()] == ["1", "2", "4", "8"]
        if name == "weak_efficiency":
            assert figure.axes[0].lines[0].get_ydata() == [1, 1], "to hold the others against"
    both = {"time": "time of a step [ms]", "ratio": "speed / speed with host", "parts": "time in a step [ms]"}
    assert labels == {
        f"{kind}_{name}": label for kind in ("strong", "weak") for name, label in both.items()
    } | {
        "strong_speed": "speed [10⁹ cell-steps/s]",
        "weak_efficiency": "efficiency",
        "transfer_rate": "rate [GB/s]",
    }


def test_bars_of_times_go_from_the_least_to_the_most(tmp_path: Path) -> None:
    middle, _, (bars,) = drawn(tmp_path, scaling_rows.strong_rows(), "strong_time")["fast"]
    for time, bar in zip(middle.get_ydata(), bars.get_segments(), strict=True):
        assert bar[:, 1] == pytest.approx([0.95 * time, 1.1 * time])


def test_rates_stand_above_what_all_slabs_sent(tmp_path: Path) -> None:
    line = drawn(tmp_path, scaling_rows.strong_rows(), "transfer_rate")["fast"]
    rows = [scaling_rows.row((n, n, n), 8, "fast") for n in (32, 128, 256, 512)]
    assert line.get_xdata() == pytest.approx([row["bytes_sent"] / 1e6 for row in rows])
    assert line.get_ydata() == pytest.approx([row["bytes_sent"] / 1e6 / row["comm_ms"] for row in rows])
    assert line.axes.get_xlabel() == "sent by all slabs in a step [MB]"
    assert line.axes.get_ylabel() == "rate [GB/s]"


def test_rows_of_a_single_backend_and_weak_rows_alone_can_be_drawn(tmp_path: Path) -> None:
    rows = [row for row in scaling_rows.weak_rows() if row["halo"] == "fast"]
    (tmp_path / "a.json").write_text(json.dumps(scaling_rows.document(rows)))
    assert main([str(tmp_path / "a.json")]) == 0
    assert (tmp_path / "a_weak_time.png").exists()
    assert not (tmp_path / "a_weak_ratio.png").exists()


@pytest.mark.parametrize(
    ("rows", "words", "message"),
    [
        (scaling_rows.strong_rows(), ["--output", "a.png"], "leave out --output"),
        (scaling_rows.strong_rows()[:2], [], "nothing scales here"),
    ],
)
def test_mistakes_give_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[dict], words: list[str], message: str
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(scaling_rows.document(rows)))
    assert main([str(tmp_path / "a.json"), *words]) == 2
    assert message in capsys.readouterr().err


def test_families_are_named_by_their_cells_along_x_y_and_z() -> None:
    rows = [scaling_rows.row((64, 32, 8 * slabs), slabs, "host") for slabs in (1, 2)]
    assert [family.title for family in weak(scalings(rows))] == ["64 × 32 × 8 a slab"]
    rows = [scaling_rows.row((64, 32, 8), slabs, "host") for slabs in (1, 2)]
    assert [family.title for family in strong(scalings(rows))] == ["64 × 32 × 8"]


def test_panels_of_scaling_are_named_and_those_of_ratios_have_a_line_at_one(tmp_path: Path) -> None:
    rows = scaling_rows.strong_rows() + scaling_rows.weak_rows()
    (tmp_path / "a.json").write_text(json.dumps(scaling_rows.document(rows)))
    figures = dict(draw_scaling(read_bench_file(tmp_path / "a.json")))
    boxes = {"strong": ["32³", "128³", "256³", "512³"], "weak": ["64³ a slab", "192³ a slab"]}
    for name, figure in figures.items():
        titles = [axes.get_title() for axes in figure.axes if axes.get_visible()]
        kind = name.partition("_")[0]
        assert titles == boxes.get(kind, [f"{n} slabs" for n in (2, 4, 8)])
        assert figure.get_suptitle().startswith(f"{kind} scaling: " if kind in boxes else "transfer rate: ")
        assert "data:" in figure.get_supxlabel()
    for name in ("strong_ratio", "weak_ratio", "weak_efficiency"):
        for axes in figures[name].axes:
            assert [1, 1] in [list(line.get_ydata()) for line in axes.lines]
            assert axes.get_ylim()[0] == 0


def test_a_bench_file_has_no_curves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps(scaling_rows.document(scaling_rows.strong_rows())))
    for option in ("--curves", "--smooth"):
        assert main([str(tmp_path / "a.json"), option]) == 2
        assert f"a bench file has no flow to draw: leave out {option}" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_no_ideal_is_drawn_where_one_slab_alone_was_not_measured(tmp_path: Path) -> None:
    rows = [row for row in scaling_rows.strong_rows() if row["slabs"] > 1]
    shown = drawn(tmp_path, rows, "strong_speed")
    assert "fast" in shown
    assert "ideal" not in shown


def test_cuts_along_y_are_families_of_their_own_beginning_with_one_slab() -> None:
    rows = scaling_rows.strong_rows()
    beside = [row | {"cut_y": 2} for row in rows if row["slabs"] == 2]
    families = {family.title: family for family in strong(scalings(rows + beside))}
    assert [row.slabs for row in families["256³"].line("host")] == [1, 2, 4, 8]
    assert [row.slabs for row in families["256³, 2 side by side"].line("host")] == [1, 2]
