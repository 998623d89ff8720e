"""How cases judge what they measured: by the results that are kept, and by what those might become."""

from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from validation.case import Check, Findings, Outcome, read_outcome
from validation.cases import CASES, order_of_accuracy, riemann, rt_linear, rt_multi
from validation.cases.schemes import SCHEMES

RESULTS = Path(__file__).parent.parent / "results"
ORDERS = ("quick-cpu", "full-cuda")
GROWTH = ("quick-cpu", "full-cuda")
OF_SCHEMES_ON_PURPOSE = ("chaos", "invariance", "rt_late", "rt_multi", "quick-cpu/sedov")


def kept(folder: str, case: str) -> Outcome:
    return read_outcome(RESULTS / folder / f"{case}.json")


def judge_orders(folder: str, data: dict) -> list[Check]:
    return list(order_of_accuracy.judge(data, folder.startswith("full")).checks)


def assert_same(mine: Findings, theirs: Findings) -> None:
    """A limit that has changed changes the kept results: set what `judge` gives of their data in them."""
    assert [check.measured for check in mine.checks] == pytest.approx([c.measured for c in theirs.checks])
    for one, other in zip(mine.checks, theirs.checks, strict=True):
        assert (one.what, one.lowest, one.highest) == (other.what, other.lowest, other.highest)
        assert (one.known_limit, one.worst) == (other.known_limit, other.worst)
    assert mine.tables == theirs.tables


@pytest.mark.parametrize("folder", ORDERS)
def test_kept_results_are_judged_by_the_limits_that_hold_now(folder: str) -> None:
    orders = kept(folder, "order_of_accuracy")
    assert_same(order_of_accuracy.judge(orders.findings.data, folder.startswith("full")), orders.findings)


@pytest.mark.parametrize("folder", GROWTH)
def test_kept_growth_is_judged_by_the_limits_that_hold_now(folder: str) -> None:
    growth = kept(folder, "rt_linear")
    assert_same(rt_linear.judge(growth.findings.data), growth.findings)


def test_kept_mixing_is_judged_by_the_range_that_holds_now() -> None:
    mixing = kept("full-cuda", "rt_multi")
    assert_same(rt_multi.judge(mixing.findings.data), mixing.findings)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> str:
    """A scheme that came after the results, and claims all that others do."""
    name = "brand_new"
    monkeypatch.setitem(SCHEMES, name, SCHEMES["muscl"])
    return name


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*/*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_kept_results_can_be_judged_and_drawn_before_a_new_scheme_is_measured(path: Path, added: str) -> None:
    (case,) = (case for case in CASES if case.name == path.stem)
    outcome = read_outcome(path)
    data = outcome.findings.data
    case.draw(data)
    is_open_to_it = not f"{path.parent.name}/{case.name}".endswith(OF_SCHEMES_ON_PURPOSE)
    assert (added in case.lacks(data)) == is_open_to_it
    if case.name == "order_of_accuracy":
        assert_same(order_of_accuracy.judge(data, outcome.effort == "full"), outcome.findings)
    if case.name == "rt_linear":
        assert_same(rt_linear.judge(data), outcome.findings)


@pytest.mark.parametrize("folder", ORDERS)
def test_orders_that_fall_below_what_is_claimed_or_known_fail(folder: str) -> None:
    data = deepcopy(kept(folder, "order_of_accuracy").findings.data)
    assert not [check for check in judge_orders(folder, data) if check.failed]
    for errors in data["errors"].values():
        errors["weno3"][-1] = errors["weno3"][-2]
    failed = {check.what for check in judge_orders(folder, data) if check.failed}
    assert failed == {f"{flow}, weno3: order on the finest pair" for flow in order_of_accuracy.FLOWS}


def test_only_the_quick_set_has_a_known_limit_of_an_order_which_is_close_to_what_is_measured() -> None:
    limited = {
        folder: [c for c in kept(folder, "order_of_accuracy").findings.checks if c.worst is not None]
        for folder in ORDERS
    }
    assert not limited["full-cuda"]
    for scheme in SCHEMES:
        worst = [check for check in limited["quick-cpu"] if f", {scheme}: " in check.what]
        if order_of_accuracy.known_limit(scheme):
            lowest = min(worst, key=lambda check: check.measured)
            assert lowest.explained
            assert 0.1 < lowest.measured - lowest.worst < order_of_accuracy.SLACK
        else:
            assert not worst


def test_every_blast_is_round_without_a_known_limit() -> None:
    outcome = kept("full-cuda", "sedov")
    assert not [check for check in outcome.findings.checks if check.worst is not None]
    assert not outcome.missed


@pytest.mark.parametrize("folder", GROWTH)
@pytest.mark.parametrize("factor", [0.95, 1.05, -1])
def test_growth_errors_other_than_foretold_fail_on_either_side(folder: str, factor: float) -> None:
    data = deepcopy(kept(folder, "rt_linear").findings.data)
    assert not [check for check in rt_linear.foretold_checks(data) if check.failed]
    data["errors"] = {s: [factor * error for error in errors] for s, errors in data["errors"].items()}
    assert all(check.failed for check in rt_linear.foretold_checks(data))


@pytest.mark.parametrize("folder", GROWTH)
def test_one_growth_rate_that_is_no_number_fails(folder: str) -> None:
    for place in (0, -1):
        waves = deepcopy(kept(folder, "rt_linear").findings.data["waves"])
        waves[place]["measured"] = float("nan")
        assert rt_linear.wave_check(waves).failed


def test_one_tube_whose_error_is_no_number_fails() -> None:
    for broken in riemann.TUBES:
        errors = {f"{name}/{s}": 0.01 for name in [*riemann.TUBES, riemann.SHU_OSHER] for s in SCHEMES}
        fine = {key: error / 2 for key, error in errors.items()}
        assert not [check for check in riemann.accuracy(errors, fine) if check.failed]
        fine[f"{broken}/muscl"] = float("nan")
        failed = [check.what for check in riemann.accuracy(errors, fine) if check.failed]
        assert failed == [f"muscl: least order from 200 to 400 cells ({broken})"]
        errors[f"{broken}/weno3"] = float("nan")
        assert riemann.accuracy(errors, fine)[0].failed


def test_both_estimates_of_alpha_find_their_own_law() -> None:
    time = np.linspace(0, 8, 200)
    alpha, origin = rt_multi.alpha_and_origin(time, 0.02 * rt_multi.ATWOOD * (time + 1.5) ** 2)
    assert (alpha, origin) == (pytest.approx(0.02), pytest.approx(1.5))
    assert rt_multi.alpha_of_distance(time, 0.02 * rt_multi.ATWOOD * time**2 + 0.1) == pytest.approx(0.02)


def failed_of_mixing(data: dict) -> list[str]:
    return [check.what.partition(",")[0] for check in rt_multi.judge(data).checks if check.failed]


def test_mixing_fails_where_the_mean_of_all_starts_or_how_sure_it_is_misses() -> None:
    data = kept("full-cuda", "rt_multi").findings.data
    assert not failed_of_mixing(data)
    twice_as_fast = [start | {"distance": [0.5 * d for d in start["distance"]]} for start in data["starts"]]
    assert failed_of_mixing(data | {"starts": twice_as_fast}) == ["alpha_b = dh_b / d(A g t^2)"]
    one = [twice_as_fast[0], *data["starts"][1:]]
    assert failed_of_mixing(data | {"starts": one}) == ["standard error of that mean"]


def test_mixing_that_ends_early_is_no_measurement() -> None:
    data = kept("full-cuda", "rt_multi").findings.data
    early = {name: values[:60] for name, values in data["starts"][0].items()}
    failed = failed_of_mixing(data | {"starts": [early, *data["starts"][1:]]})
    assert "largest bubble height over the box's width" in failed


def test_the_table_of_mixing_names_what_it_shows_of_each_start() -> None:
    """Of a made-up start whose bubbles slow down at a height of 0.3 of the box's width."""
    distance = np.linspace(0, 30, 301)
    bubble = np.interp(distance, [0, 10, 30], [0, 0.3, 0.7])
    start = {"distance": distance, "bubble": bubble, "spike": bubble, "width": 4 * bubble}
    starts = [start | {"theta": np.full(301, theta)} for theta in (0.7, 0.9)]
    (table,) = rt_multi.judge({"seeds": [3, 5], "starts": starts}).tables
    shown = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [row["start"] for row in shown] == ["seed 3", "seed 5", "mean", "standard deviation"]
    assert [row["theta"] for row in shown] == ["0.700", "0.900", "0.800", "0.141"]
    for row in shown[:3]:
        assert (row["lower half"], row["upper half"]) == ("0.0300", "0.0200")
        whole = float(row["alpha_b from h against A g t²: checked"])
        assert 0.02 < whole < 0.03
        assert float(row["half the mixing width against A g t²"]) == pytest.approx(2 * whole, abs=2e-4)
