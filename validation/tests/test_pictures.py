"""What the pictures of cases show, of the results that are kept."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from validation.case import Data, measured, read_outcome
from validation.cases import (
    conservation,
    hydrostatic,
    invariance,
    kelvin_helmholtz,
    order_of_accuracy,
    riemann,
    rt_late,
    rt_linear,
    rt_multi,
    sedov,
)
from validation.cases.schemes import ACCURATE, SCHEMES, those

RESULTS = Path(__file__).parent.parent / "results"


def drawn(case: ModuleType, folder: str = "quick-cpu") -> tuple[Figure, Data]:
    data = read_outcome(RESULTS / folder / f"{case.CASE.name}.json").findings.data
    return case.draw(data), data


def line(axes: Axes, label: str) -> tuple[np.ndarray, np.ndarray]:
    (found,) = (line for line in axes.lines if line.get_label() == label)
    return np.asarray(found.get_xdata()), np.asarray(found.get_ydata())


@pytest.mark.parametrize(
    ("case", "panels", "guide", "power"),
    [
        (order_of_accuracy, slice(None), "third order", -3),
        (hydrostatic, slice(2, None), "power 3/4", -0.75),
    ],
)
def test_guides_have_the_powers_that_they_name(
    case: ModuleType, panels: slice, guide: str, power: float
) -> None:
    for axes in drawn(case)[0].axes[panels]:
        x, y = line(axes, guide)
        slopes = np.diff(np.log(y)) / np.diff(np.log(x))
        assert slopes == pytest.approx(np.full(slopes.size, power))


def test_every_tube_shows_its_own_profiles() -> None:
    figure, data = drawn(riemann)
    panels = {axes.get_title(): axes for axes in figure.axes if axes.get_title()}
    assert set(panels) == {*riemann.TUBES, riemann.SHU_OSHER}
    for name, axes in panels.items():
        for scheme in measured(SCHEMES, riemann.schemes_of(data)):
            assert list(line(axes, scheme)[1]) == data["profiles"][f"{name}/{scheme}"]


def test_every_panel_of_conservation_shows_what_its_title_says() -> None:
    figure, data = drawn(conservation)
    panels = {axes.get_title().split(" ")[0]: axes for axes in figure.axes}
    for name in ("mass", "momentum", "energy"):
        for scheme, columns in data.items():
            assert list(line(panels[name], scheme)[1]) == list(np.maximum(columns[name], 1e-19))


def test_the_similarity_solution_of_a_blast_ends_at_the_exact_radius() -> None:
    figure, data = drawn(sedov)
    radius, density = line(figure.axes[0], "similarity")
    assert np.max(radius[density > 1]) == pytest.approx(data["exact"])
    assert np.max(density) == pytest.approx(6)


def test_bubbles_in_two_and_three_dimensions_are_named() -> None:
    figure, data = drawn(rt_late)
    for name, curve in data.items():
        heights, velocities = line(figure.axes[0], f"{name}, {rt_late.SCHEME}")
        assert (list(heights), list(velocities)) == (curve["height"], curve["velocity"])


def test_growth_rates_stand_above_their_wavenumber_and_are_named_by_atwood_and_mach_number() -> None:
    figure, data = drawn(rt_linear, "full-cuda")
    for wave in data["waves"]:
        name = f"Atwood {wave['atwood']:g}, Mach {wave['mach']:.2f}"
        points = list(zip(*line(figure.axes[1], name), strict=True))
        assert (wave["wavenumber"], wave["measured"]) in points


def test_mixing_is_shown_beside_the_growth_of_the_alpha_group() -> None:
    figure, data = drawn(rt_multi, "full-cuda")
    distance, height = line(figure.axes[0], "0.025 A g t²")
    assert height == pytest.approx(0.025 * distance)
    first = data["starts"][0]
    for label, column in (("bubbles", "bubble"), ("spikes", "spike"), ("mixing width", "width")):
        assert list(line(figure.axes[0], label)[1]) == first[column]


def test_the_picture_of_columns_shows_each_scheme_its_own_profile_and_errors() -> None:
    figure, data = drawn(hydrostatic)
    left, middle, right = figure.axes
    profiles = data["profiles"]
    assert list(line(left, "linear theory")[1]) == profiles["exact"]
    for scheme in measured(those("keeps_contacts"), profiles):
        assert [list(values) for values in line(left, scheme)] == [profiles["height"], profiles[scheme]]
        assert [list(values) for values in line(middle, scheme)] == [
            data["pulse_grids"],
            data["errors"][scheme],
        ]
    assert [list(values) for values in line(right, "upwind3")] == [data["drift_grids"], data["widths"]]


def test_the_picture_of_orders_shows_each_flow_and_scheme_its_own_errors() -> None:
    figure, data = drawn(order_of_accuracy)
    panels = {axes.get_title(): axes for axes in figure.axes}
    assert list(panels) == list(data["errors"])
    for flow, errors in data["errors"].items():
        for scheme, values in errors.items():
            assert [list(found) for found in line(panels[flow], scheme)] == [data["grids"][flow], values]


def test_the_picture_of_shear_layers_shows_growth_beside_theory_and_errors_in_percent() -> None:
    figure, data = drawn(kelvin_helmholtz)
    left, right = figure.axes
    assert list(line(left, "linear theory")[1]) == data["theory"]
    for scheme, values in data["curves"].items():
        assert list(line(left, scheme)[1]) == values
        errors = 100 * np.abs(data["errors"][scheme])
        assert line(right, scheme)[1] == pytest.approx(errors)
    assert "[%]" in right.get_ylabel()


def test_ways_to_run_that_end_in_other_bits_are_told_apart() -> None:
    figure = invariance.draw({"expected": "a", "found": {"2 slabs": "a", "5 slabs": "b", "halo host": "a"}})
    (axes,) = figure.axes
    texts = {round(text.get_position()[1]): text.get_text() for text in axes.texts}
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert [(name, texts[row]) for row, name in enumerate(names)] == [
        ("2 slabs", "same bits"),
        ("5 slabs", "other bits"),
        ("halo host", "same bits"),
    ]
    colours = [bar.get_facecolor() for bar in axes.patches]
    assert colours[0] == colours[2] != colours[1]


def test_the_plateau_of_bubbles_and_their_terminal_velocities_are_where_they_are_looked_for() -> None:
    figure, data = drawn(rt_late)
    (axes,) = figure.axes
    (plateau,) = axes.patches
    assert (plateau.get_x(), plateau.get_x() + plateau.get_width()) == pytest.approx(rt_late.PLATEAU)
    levels = [line.get_ydata()[0] for line in axes.lines if list(line.get_xdata()) == [0, 1]]
    assert levels == [curve["theory"] for curve in data.values()]


def test_errors_of_growth_are_drawn_in_percent_beside_the_percent_that_is_allowed() -> None:
    figure, data = drawn(rt_linear)
    left = figure.axes[0]
    for scheme, errors in data["errors"].items():
        assert line(left, scheme)[1] == pytest.approx(100 * np.abs(errors))
    (allowed,) = (line for line in left.lines if list(line.get_xdata()) == [0, 1])
    assert set(allowed.get_ydata()) == {100 * ACCURATE}
    assert "[%]" in left.get_ylabel()


def test_measured_growth_rates_lie_on_the_lines_of_their_atwood_and_mach_number() -> None:
    figure, data = drawn(rt_linear, "full-cuda")
    axes = figure.axes[1]
    for wave in data["waves"]:
        (points,) = (
            line
            for line in axes.lines
            if line.get_label() == f"Atwood {wave['atwood']:g}, Mach {wave['mach']:.2f}"
        )
        fast = points.get_fillstyle() == "none"
        curves = [
            line
            for line in axes.lines
            if line.get_marker() in ("", "None", None)
            and line.get_color() == points.get_color()
            and (line.get_linestyle() == "--") == fast
        ]
        (curve,) = curves
        at = np.interp(wave["wavenumber"], curve.get_xdata(), curve.get_ydata())
        assert wave["measured"] == pytest.approx(at, rel=0.02)


def test_every_start_of_mixing_is_drawn_with_how_far_it_has_mixed() -> None:
    figure, data = drawn(rt_multi, "full-cuda")
    left, right = figure.axes
    drawn_heights = [list(line.get_ydata()) for line in left.lines]
    drawn_mixing = [list(line.get_ydata()) for line in right.lines]
    for start in data["starts"]:
        assert all(start[name] in drawn_heights for name in ("bubble", "spike", "width"))
        assert start["theta"] in drawn_mixing
    (window,) = left.patches
    assert (window.get_y(), window.get_y() + window.get_height()) == pytest.approx(rt_multi.SELF_SIMILAR)


def test_the_blast_is_drawn_by_radius_and_density_of_each_scheme() -> None:
    figure, data = drawn(sedov, "full-cuda")
    (axes,) = figure.axes
    for scheme, profile in data["profiles"].items():
        assert [list(values) for values in line(axes, scheme)] == [profile["radius"], profile["density"]]
    radius, density = line(axes, "similarity")
    assert (list(radius[-2:]), list(density[-2:])) == ([data["exact"], 0.5], [1, 1]), "ahead of the shock"
