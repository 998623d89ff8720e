"""What the pictures of cases show, of the results that are kept."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from validation.case import Data, measured, read_outcome
from validation.cases import (
    conservation,
    hydrostatic,
    order_of_accuracy,
    riemann,
    rt_late,
    rt_linear,
    rt_multi,
    sedov,
)

RESULTS = Path(__file__).parent.parent / "results"


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


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
        for scheme in measured(riemann.SCHEMES, riemann.schemes_of(data)):
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
