"""How cases judge runs: those here are made up, right in everything but what a test puts wrong."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from validation.case import Case
from validation.cases import (
    chaos,
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
from validation.cases.schemes import SCHEMES, those
from validation.lab import Config, Lab
from validation.references.riemann import Gas, sample_density
from validation.references.sedov import shock_radius, solve
from validation.references.shear_layer import growth
from validation.references.waves import Points

Array = np.ndarray


@dataclass(frozen=True)
class MadeUpGrid:
    spacing: Mapping[str, float]
    cells: Mapping[str, int]

    @property
    def upper(self) -> Array:
        return np.array([self.cells[a] * self.spacing[a] for a in "xyz"])

    def centres(self, axis: str) -> Array:
        return (np.arange(self.cells[axis]) + 0.5) * self.spacing[axis]


@dataclass(frozen=True)
class MadeUpSnapshot:
    """One field of a box that begins at zero."""

    values: Array
    time: float = 0
    upper: float = 1

    def field(self, _: str) -> Array:
        return self.values

    @property
    def grid(self) -> MadeUpGrid:
        cells = dict(zip("zyx", self.values.shape, strict=True))
        return MadeUpGrid({a: self.upper / n for a, n in cells.items()}, cells)


@dataclass
class MadeUpRun:
    log: dict[str, Array] = field(default_factory=dict)
    kept: list[MadeUpSnapshot] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)

    def diagnostics(self) -> dict[str, Array]:
        return self.log

    @property
    def snapshots(self) -> list[MadeUpSnapshot]:
        return self.kept

    def snapshot(self) -> MadeUpSnapshot:
        return self.kept[-1]


@dataclass
class MadeUpLab(Lab):
    """Runs nothing: `make` gives what a run of this name, config and device would have left."""

    make: Callable[[str, Config, str], MadeUpRun] = lambda *_: MadeUpRun()

    def run(self, name: str, config: Config, *_: object) -> Any:  # noqa: ANN401
        return self.make(name, config, self.device)

    def run_all(self, configs: Mapping[str, Config]) -> Any:  # noqa: ANN401
        return {name: self.run(name, config) for name, config in configs.items()}

    run_large = run_all


@pytest.fixture(autouse=True, scope="module")
def solved_once() -> Iterator[None]:
    """References that take long, on grids that come again."""
    shear_layer = growth(kelvin_helmholtz.TIMES)
    pulses = {cells: hydrostatic.pulse_exact(heights(cells)) for cells in (64, 128, 256)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kelvin_helmholtz, "growth", lambda _: shear_layer)
        patch.setattr(hydrostatic, "pulse_exact", lambda at: pulses[at.size].copy())
        yield


def heights(cells: int) -> Array:
    return (np.arange(cells) + 0.5) * hydrostatic.HEIGHT / cells


def failed(case: Case, make: Callable[[str, Config, str], MadeUpRun], device: str = "cpu") -> list[str]:
    findings = case.measure(MadeUpLab(Path(), Path(), device, make=make))
    return [check.what for check in findings.checks if not check.holds]


def mixing_log() -> dict[str, Array]:
    """A unit of potential energy turns into others."""
    time = np.linspace(0, 4, 101)
    names = ("momentum_x", "momentum_y", "limited_faces", "mixing_width", "min_density")
    log: dict[str, Array] = {name: np.zeros(101) for name in names}
    log["min_density"] += 0.5
    return log | {
        "step": np.arange(101.0),
        "time": time,
        "mass": np.full(101, 3.0),
        "energy": 10 + time / 4,
        "potential_energy": 5 - time / 4,
        "max_w": np.full(101, 2.0),
    }


@pytest.mark.parametrize(
    ("column", "change", "claim"),
    [
        ("mass", 3e-11, "muscl: mass"),
        ("momentum_x", 6e-11, "muscl: momentum"),
        ("momentum_y", -6e-11, "muscl: momentum"),
        ("energy", 1e-8, "muscl: energy"),
        ("potential_energy", -1e-8, "muscl: energy"),
    ],
)
def test_what_is_lost_or_won_on_the_way_fails_conservation(column: str, change: float, claim: str) -> None:
    """Ten times what rounding explains, and gone again at the end."""

    def make(name: str, *_: object) -> MadeUpRun:
        log = mixing_log()
        if name == "muscl":
            log[column][50] += change
        return MadeUpRun(log)

    assert not failed(conservation.CASE, lambda *_: MadeUpRun(mixing_log()))
    (what,) = failed(conservation.CASE, make)
    assert what.startswith(claim)


def test_the_table_of_conservation_shows_how_far_density_undershot() -> None:
    log = mixing_log()
    log["min_density"][50] = 0.4
    log["limited_faces"][50:60] = 3
    assert conservation.table({"muscl": log}).rows == [["muscl", "100", "0.8", "30", "0.00"]]


def test_the_plot_of_conservation_shows_the_largest_change() -> None:
    drift = np.zeros(101)
    drift[37] = 1e-5
    assert max(conservation.peaks(np.linspace(0, 4, 101), {"mass": drift})["mass"]) == 1e-5


def chaotic(difference: float = 1e-7, width: float = 1, on_cpu: float = 0) -> Callable[..., MadeUpRun]:
    """Single precision parts from double: by `difference` of the jump at t = 0.5, by ten times that later."""

    def make(name: str, _: Config, device: str) -> MadeUpRun:
        aside = np.array([0, 0, difference, 10 * difference, 1e-2]) / 1.5 if name == "single" else np.zeros(5)
        if device == "cpu" and name != "single":
            aside = np.array([0, 0, on_cpu, 0, 0])
        one_of_16 = np.arange(16).reshape(4, 2, 2) == 0
        kept = [MadeUpSnapshot(1 + 16 * a * one_of_16, 0.25 * i) for i, a in enumerate(aside)]
        return MadeUpRun({"mixing_width": np.array([0, width if name == "single" else 1])}, kept)

    return make


def test_single_precision_fails_where_it_leaves_double_early_or_mixes_otherwise() -> None:
    assert not failed(chaos.CASE, chaotic(9e-7))
    assert "at t = 0.5" in failed(chaos.CASE, chaotic(2e-6))[0]
    assert "mixing widths" in failed(chaos.CASE, chaotic(width=1.03))[0]


def test_the_run_on_the_cpu_counts_as_one_of_a_lab_with_gpus() -> None:
    lab = MadeUpLab(Path(), Path(), "cuda", make=chaotic())  # which notes no run of its own
    chaos.CASE.measure(lab)
    assert len(lab.runs) == 1


def test_one_bit_between_gpu_and_cpu_fails() -> None:
    assert not failed(chaos.CASE, chaotic(), "cuda")
    (what,) = failed(chaos.CASE, chaotic(on_cpu=1e-15), "cuda")
    assert what.startswith("GPU against CPU")


COLUMN: dict[str, Any] = {"mach": 0.0, "sound": 1.0, "power": 0.75, "order": 3.0, "error": 0.004}


def column(**changes: Any) -> Callable[..., MadeUpRun]:  # noqa: ANN401
    """Of the scheme `of` alone where that is named."""
    of = changes.pop("of", "")

    def make(name: str, config: Config, _: str) -> MadeUpRun:
        kind, *rest = name.split("-")
        now = COLUMN | (changes if rest[0] == of or not of else {})
        cells = config["grid"]["cells"][2]
        if kind == "rest":
            return MadeUpRun({"max_mach": np.array([0, now["mach"], 0])})
        if kind == "stable":
            mach = np.ones(101)
            mach[1:6] = 100  # the start is no measure
            mach[-3] = now["sound"]
            return MadeUpRun({"max_mach": mach})
        if kind == "drift":
            return MadeUpRun(
                {"mixing_width": 0.3 + np.array([0, cells ** -now["power"]]), "max_mach": np.ones(1)}
            )
        speed = hydrostatic.pulse_exact(heights(cells))
        speed[cells // 2] += now["error"] * (cells / 256) ** -now["order"] * np.max(np.abs(speed))
        return MadeUpRun(kept=[MadeUpSnapshot(speed[:, None, None])])

    return make


@pytest.mark.parametrize(
    ("changes", "claim"),
    [
        ({"of": "muscl", "mach": 1e-12}, "muscl: fastest Mach number"),
        ({"of": "roe3", "sound": 11}, "roe3: sound after"),
        ({"of": "weno3", "sound": 2e7}, "weno3: sound after"),
        ({"power": 1.0}, "upwind3: thickness"),
        ({"power": 0.5}, "upwind3: thickness"),
        ({"of": "weno3", "error": 0.02}, "weno3, 256 cells: error of the pulse"),
        ({"of": "roe3", "order": 2.5}, "roe3: order"),
    ],
)
def test_a_column_that_moves_by_itself_or_carries_sound_wrongly_fails(changes: dict, claim: str) -> None:
    (what,) = failed(hydrostatic.CASE, column(**changes))
    assert what.startswith(claim)


def test_a_column_at_rest_holds_and_only_schemes_that_say_so_may_let_sound_grow() -> None:
    assert not failed(hydrostatic.CASE, column())
    findings = hydrostatic.CASE.measure(MadeUpLab(Path(), Path(), make=column()))
    limited = [check.what for check in findings.checks if check.worst is not None]
    assert [what.partition(":")[0] for what in limited] == those("lets_sound_grow")


def shear(errors: Mapping[int, float]) -> Callable[..., MadeUpRun]:
    """Waves that are too strong by a share that depends on the number of cells."""
    theory = kelvin_helmholtz.growth(kelvin_helmholtz.TIMES)

    def make(_: str, config: Config, __: str) -> MadeUpRun:
        cells = config["grid"]["cells"][0]
        wave = np.sin(4 * np.pi * (np.arange(cells) + 0.5) / cells)
        strength = config["problem"]["amplitude"] * theory * (1 + errors[cells])
        return MadeUpRun(kept=[MadeUpSnapshot(np.tile(s * wave, (1, cells, 1))) for s in strength])

    return make


def test_shear_layers_that_grow_too_fast_or_too_slowly_or_do_not_converge_fail() -> None:
    assert not failed(kelvin_helmholtz.CASE, shear({48: 0.4, 96: 0.1}))
    for wrong in (0.3, -0.3):
        what = failed(kelvin_helmholtz.CASE, shear({48: 3 * wrong, 96: wrong}))
        assert [words.partition(":")[0] for words in what] == [f"{s}, 96 cells" for s in those("is_accurate")]
    (what,) = failed(kelvin_helmholtz.CASE, shear({48: 0.2, 96: 0.1}))
    assert what == "roe3: order of that error"


def tube_errors(**changes: float) -> tuple[dict[str, float], dict[str, float]]:
    names = [*riemann.TUBES, riemann.SHU_OSHER]
    errors = {f"{name}/{scheme}": 0.015 for name in names for scheme in SCHEMES}
    return errors, {key: error / 1.6 for key, error in errors.items()} | changes


@pytest.mark.parametrize("scheme", those("captures_shocks"))
def test_one_tube_that_is_wrong_or_converges_slowly_fails(scheme: str) -> None:
    errors, fine = tube_errors()

    def judged(coarse: dict[str, float], fine: dict[str, float]) -> list[str]:
        return [check.what for check in riemann.accuracy(coarse, fine) if check.failed]

    assert not judged(errors, fine)
    wrong = {f"Toro 3/{scheme}": 0.035}
    assert judged(errors | wrong, fine) == [f"{scheme}: largest error of the six tubes (Toro 3)"]
    slow = {f"Lax/{scheme}": 0.011}
    assert judged(errors, fine | slow) == [f"{scheme}: least order from 200 to 400 cells (Lax)"]
    ripples = {f"{riemann.SHU_OSHER}/{scheme}": 0.025}
    assert judged(errors | ripples, fine) == [f"{scheme}: error of Shu & Osher at 400 cells"]


@pytest.mark.parametrize("column", ["min_density", "min_pressure"])
@pytest.mark.parametrize("value", [-1e-6, 0, np.nan])
def test_one_step_of_one_tube_without_density_or_pressure_fails(column: str, value: float) -> None:
    def judged(value: float) -> list[str]:
        runs: Any = {
            name: MadeUpRun({"min_density": np.ones(3), "min_pressure": np.ones(3)}) for name in riemann.TUBES
        }
        runs["Toro 2"].log[column][1] = value
        return [check.what for check in riemann.positivity(runs) if check.failed]

    assert not judged(1e-3)
    (what,) = judged(value)
    assert f"least {column[4:]}" in what


def test_errors_of_tubes_are_shares_of_the_range_of_density() -> None:
    assert riemann.relative_error(np.array([1.1, 2.9]), np.array([1, 3])) == pytest.approx(0.05)


@pytest.mark.parametrize("name", riemann.TUBES)
def test_a_tube_is_parted_at_its_membrane_at_first(name: str) -> None:
    tube = riemann.TUBES[name]
    density = riemann.exact_profile(replace(tube, time=1e-6), 100)
    place = round(100 * tube.membrane)
    expected = [tube.left.density] * place + [tube.right.density] * (100 - place)
    assert np.delete(density, [place - 1, place]) == pytest.approx(np.delete(expected, [place - 1, place]))


@pytest.mark.parametrize(("modes", "published"), [((1, 0), (3 * np.pi) ** -0.5), ((1, 1), np.pi**-0.5)])
def test_bubbles_end_with_the_published_froude_number(modes: tuple[int, int], published: float) -> None:
    """Of the wave that fits the box, or of the two along its diagonals."""
    length = {(1, 0): 1, (1, 1): np.sqrt(0.5)}[modes]
    atwood = rt_late.ATWOOD
    froude = rt_late.goncharov(modes) / np.sqrt(atwood / (1 + atwood) * length)
    assert froude == pytest.approx(published)


def bubble(speed: float = 1, spoil: Callable[[Array], None] = lambda _: None) -> Callable[..., MadeUpRun]:
    """Fast at first and at last, and between 0.3 and 0.8 wavelengths at `speed` times that of theory."""

    def make(name: str, config: Config, _: str) -> MadeUpRun:
        modes = tuple(config["problem"]["modes"])
        length = 1 if modes == (1, 0) else np.sqrt(0.5)
        slow = speed * rt_late.goncharov(modes)
        durations = 0.3 * length / (2 * slow), 0.5 * length / slow
        time = np.arange(0, sum(durations) + 0.5, 0.01)
        begin, end = durations[0], sum(durations)
        fast = 2 * np.minimum(time, begin) + 2 * np.maximum(time - end, 0)
        height = slow * (fast + np.clip(time, begin, end) - begin)
        density = np.ones((8, 4, 4))
        spoil(density)
        return MadeUpRun({"time": time, "bubble_height": height}, [MadeUpSnapshot(density)])

    return make


def test_a_bubble_is_judged_by_its_speed_between_saturation_and_what_follows() -> None:
    assert not failed(rt_late.CASE, bubble())
    for wrong in (0.8, 1.2):
        what = failed(rt_late.CASE, bubble(wrong))
        assert [words.partition(",")[0] for words in what] == ["2D", "3D"]


def test_the_plateaus_speed_is_the_mean_there() -> None:
    height = np.array([0.1, 0.3, 0.4, 0.5, 0.7, 0.8, 0.9])
    assert rt_late.plateau(height, np.array([9.0, 9, 1, 2, 6, 9, 9])) == 3


def one_cell(density: Array) -> None:
    density[3, 1, 0] = 1 + 1e-15


def not_across_x(density: Array) -> None:
    density[3, :, 0] = 1 + 1e-15


def not_across_y(density: Array) -> None:
    density[3, 0, :] = 1 + 1e-15


@pytest.mark.parametrize("spoil", [one_cell, not_across_x, not_across_y])
def test_a_mushroom_whose_mirror_image_differs_in_a_bit_fails(spoil: Callable[[Array], None]) -> None:
    what = failed(rt_late.CASE, bubble(spoil=spoil))
    assert [words.partition(":")[0] for words in what] == ["2D", "3D"]


@pytest.mark.parametrize("flow", order_of_accuracy.FLOWS.values(), ids=order_of_accuracy.FLOWS.keys())
def test_smooth_flows_are_told_from_the_middle_of_the_box(flow: order_of_accuracy.Flow) -> None:
    at = (np.arange(12) + 0.5) / 12 - 0.5
    exact = flow.density(Points(at, at[:, None], at[:, None, None]), flow.time)
    runs: Any = [MadeUpRun(kept=[MadeUpSnapshot(exact + error)]) for error in (0, 0.01, -0.02)]
    assert order_of_accuracy.mean_errors(runs, flow) == pytest.approx([0, 0.01, 0.02])


def test_growth_is_that_of_the_wave_that_fits_the_box() -> None:
    """The heavy gas as a whole may move, too."""
    x = 2 * np.pi * (np.arange(16) + 0.5) / 16
    kept = [
        MadeUpSnapshot(np.tile(0.7 * t - np.exp(1.5 * t) * np.cos(x), (4, 4, 1)), t, upper=1.9)
        for t in (0, 2, 3)
    ]
    run: Any = MadeUpRun(kept=kept)
    assert rt_linear.measured_growth(run) == pytest.approx(1.5)


def mixing(alpha: float) -> Callable[..., MadeUpRun]:
    time = np.linspace(0, 8, 161)
    height = alpha * rt_multi.ATWOOD * time**2
    log = {"bubble_height": height, "spike_height": 1.2 * height, "mixing_width": 2.4 * height}
    return lambda *_: MadeUpRun(log | {"time": time, "theta": np.full(161, 0.8)})


def test_mixing_that_grows_as_published_holds_and_shows_how_its_width_grows() -> None:
    assert not failed(rt_multi.CASE, mixing(0.025))
    for wrong in (0.021, 0.029):
        assert [what.partition(" =")[0] for what in failed(rt_multi.CASE, mixing(wrong))] == ["alpha_b"]
    (table,) = rt_multi.CASE.measure(MadeUpLab(Path(), Path(), make=mixing(0.025))).tables
    shown = dict(zip(table.columns, table.rows[0], strict=True))
    assert shown["half the mixing width against A g t²"] == "0.0300"


def test_growth_rates_are_told_apart_by_the_speed_of_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    """In layers under ten and one and a half times the weight of a wave's length of gas."""
    monkeypatch.setattr(rt_linear, "exact_growth", lambda _: 1.0)
    monkeypatch.setattr(rt_linear, "foretold_error", lambda _: -0.02)

    def make(name: str, *_: object) -> MadeUpRun:
        rate = 0.98 if name in ("roe3-16", "roe3-24", "roe3-32") else 1
        wave = np.tile(np.cos(2 * np.pi * (np.arange(8) + 0.5) / 8), (4, 4, 1))
        return MadeUpRun(kept=[MadeUpSnapshot(np.exp(rate * t) * wave, t) for t in (0, 2, 3)])

    findings = rt_linear.CASE.measure(MadeUpLab(Path(), Path(), make=make))
    assert not [check for check in findings.checks if check.failed]
    assert {row[2] for row in findings.tables[0].rows} == {"0.24", "0.63"}


def blast(size: float = 1, corners: float = 0) -> Array:
    """Means over 48 cells cubed of the similarity solution: of that size, and as far from round."""
    exact = solve(sedov.GAMMA)
    shock = size * shock_radius(sedov.GAMMA, 1, 1, sedov.TIME)
    squares = (((np.arange(192) + 0.5) / 192 - 0.5) / shock) ** 2
    x, y, z = np.ix_(*[squares] * 3)
    radius = (1 - corners) * np.sqrt(x + y + z) + corners * (x**2 + y**2 + z**2) ** 0.25
    density = np.interp(radius, [0, *exact.radius, 1 + 1e-9], [0, *exact.density, 1])
    return np.round(density.reshape([48, 4] * 3).mean(axis=(1, 3, 5)), 6)  # mirror images to the last bit


def failed_of_blast(density: Array) -> list[str]:
    run = MadeUpRun({"min_density": np.zeros(1)}, [MadeUpSnapshot(density)])
    return [what.partition(": ")[2].partition(" of")[0] for what in failed(sedov.CASE, lambda *_: run)]


def test_a_blast_that_is_too_large_too_small_or_not_round_fails() -> None:
    assert not failed_of_blast(blast())
    for wrong in (0.95, 1.05):
        assert failed_of_blast(blast(wrong)) == ["radius"]
    assert failed_of_blast(blast(corners=0.17)) == ["spread"]


@pytest.mark.parametrize(
    "cells",
    [
        ([5], [6, -7], [7, -8]),  # of one half along z
        ([5, -6], [6], [7, -8]),
        ([5, -6], [6, -7], [7]),
        ([5, -6], [6, -7], [7, -8]),  # but x and y are not exchanged
    ],
)
def test_a_blast_whose_mirror_image_differs_in_a_bit_fails(cells: tuple[list[int], ...]) -> None:
    density = blast()
    density[np.ix_(*cells)] = np.nextafter(density[np.ix_(*cells)], 9)
    assert failed_of_blast(density) == ["cells that differ from their mirror images"]


def test_one_way_to_run_that_ends_in_other_bits_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(name: str, *_: object) -> MadeUpRun:
        return MadeUpRun(record={"totals": {"fingerprint": "b" if name == "wrong" else "a"}})

    def judged(*names: str) -> list[str]:
        ways = {name: lambda name=name: make(name) for name in names}
        monkeypatch.setattr(invariance, "variants", lambda _: ways)
        return failed(invariance.CASE, make)

    assert not judged("2 slabs", "5 slabs")
    assert judged("2 slabs", "wrong", "5 slabs") == ["3 other ways to run it: how many end in other bits"]


def test_differences_between_two_runs_are_shares_of_the_jump_in_density() -> None:
    """From 2/3 to 4/3 at the Atwood number 1/3."""
    found, expected = (MadeUpRun(kept=[MadeUpSnapshot(np.full((4, 2, 2), v))]) for v in (2 / 3, 4 / 3))
    assert chaos.differences(found, expected) == [pytest.approx(1)]


@dataclass
class AskedLab(MadeUpLab):
    """Notes what it is asked for and ends there."""

    asked: dict[str, Config] = field(default_factory=dict)

    def run_all(self, configs: Mapping[str, Config]) -> Any:  # noqa: ANN401
        self.asked |= configs
        raise StopIteration

    run_large = run_all


def asked_of(case: Case, full: bool = False) -> dict[str, Config]:
    lab = AskedLab(Path(), Path(), full=full)
    with pytest.raises(StopIteration):
        case.measure(lab)
    return lab.asked


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(
    "case",
    [
        module.CASE
        for module in (
            conservation,
            hydrostatic,
            kelvin_helmholtz,
            order_of_accuracy,
            riemann,
            rt_linear,
            sedov,
        )
    ],
    ids=lambda case: case.name,
)
def test_a_run_that_is_named_by_a_scheme_and_a_grid_is_made_so(case: Case, full: bool) -> None:
    told = 0
    for name, config in asked_of(case, full).items():
        words = re.split("[-/]", name)
        for scheme in set(words) & set(SCHEMES):
            assert config["numerics"]["scheme"] == scheme, name
            told += 1
        if words[-1].isdecimal() and words[0] != "wave":  # those are numbered
            assert int(words[-1]) in config["grid"]["cells"], name
    assert told


def test_single_and_double_precision_are_made_so_and_compared_at_the_time_that_is_named() -> None:
    asked = asked_of(chaos.CASE)
    assert {name: config["numerics"]["precision"] for name, config in asked.items()} == {
        "double": "double",
        "single": "single",
    }
    assert {2 * config["output"]["snapshots"]["every_time"] for config in asked.values()} == {0.5}


def test_columns_are_as_heavy_above_as_the_checks_say() -> None:
    asked = asked_of(hydrostatic.CASE)
    found = {(name.partition("-")[0], config["problem"]["atwood"]) for name, config in asked.items()}
    assert found == {("rest", 0.5), ("drift", -0.5), ("stable", -0.5), ("pulse", 0)}


def test_each_start_of_a_shear_layer_has_the_amplitude_that_the_tables_name() -> None:
    asked = asked_of(kelvin_helmholtz.CASE)
    found = {(name.partition("-")[0], config["problem"]["amplitude"]) for name, config in asked.items()}
    assert found == {("small", 1e-4), ("published", 0.01)}


def test_drifts_are_shares_of_what_was_there_and_what_was_released() -> None:
    log = mixing_log()
    log["potential_energy"] = 5 - log["time"] / 2
    log["energy"] = 10 + log["time"] / 2
    for column, change in (("mass", 3e-6), ("momentum_x", 3e-6), ("momentum_y", -4e-6), ("energy", 1e-6)):
        log[column][50] += change
    drift = conservation.drifts(log)
    assert drift["mass"][50] == pytest.approx(1e-6), "of 3"
    assert drift["momentum"][50] == pytest.approx(5e-6 / 6), "of mass 3 at speed 2"
    assert drift["energy"][50] == pytest.approx(0.5e-6), "of the 2 that were released"


def test_density_that_is_least_at_the_end_undershot_by_what_it_has_lost_since_the_start() -> None:
    log = mixing_log()
    log["min_density"][100] = 0.25
    assert conservation.table({"muscl": log}).rows[0][2] == "0.5"


def test_tables_show_errors_in_percent_and_numbers_beside_their_names() -> None:
    table = kelvin_helmholtz.error_table([48, 96], {"roe3": [-0.4, 0.0123]})
    assert (list(table.columns), table.rows) == (
        ["scheme", "48 cells", "96 cells"],
        [["roe3", "-40.00 %", "+1.23 %"]],
    )
    data = {"pulse_grids": [64, 128], "errors": {"roe3": [0.0123, 0.001]}}
    table = hydrostatic.pulse_table(data)
    assert (list(table.columns), table.rows) == (
        ["scheme", "64 cells", "128 cells"],
        [["roe3", "1.230 %", "0.100 %"]],
    )
    table = hydrostatic.drift_table({"drift_grids": [16, 32], "widths": [0.5, 0.25], "machs": [1e-3, 2e-3]})
    assert table.rows == [
        ["added to the mixing width", "0.5000", "0.2500"],
        ["fastest Mach number", "1.0e-03", "2.0e-03"],
    ]


def test_the_table_of_the_published_shear_layer_shows_its_amplitudes() -> None:
    findings = kelvin_helmholtz.CASE.measure(MadeUpLab(Path(), Path(), make=shear({48: 0.4, 96: 0.1})))
    end = 0.01 * kelvin_helmholtz.growth(kelvin_helmholtz.TIMES)[-1]
    assert findings.tables[1].rows == [[f"{1.4 * end:.5f}", f"{1.1 * end:.5f}"]]


def test_one_grid_of_the_published_shear_layer_that_changes_too_much_fails_the_full_set() -> None:
    def judged(errors: Mapping[int, float]) -> list[str]:
        lab = MadeUpLab(Path(), Path(), full=True, make=shear(errors))
        return [check.what for check in kelvin_helmholtz.CASE.measure(lab).checks if not check.holds]

    assert not judged({64: 0.3, 128: 0.1, 256: 0.03, 512: 0.01})
    for last in (-0.015, 0.015):
        assert "published start: change of the amplitude at t = 1.5 by the last refinement" in judged(
            {64: 0.02, 128: 0.01, 256: 2 * last + 0.015, 512: -last}
        )


def test_the_profiles_of_a_pulse_are_those_of_the_coarsest_grid() -> None:
    data = hydrostatic.CASE.measure(MadeUpLab(Path(), Path(), make=column())).data
    assert {len(values) for values in data["profiles"].values()} == {64}


def test_the_last_way_to_run_that_ends_in_other_bits_fails_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(name: str, *_: object) -> MadeUpRun:
        return MadeUpRun(record={"totals": {"fingerprint": "b" if name == "wrong" else "a"}})

    for names in (("wrong", "right"), ("right", "wrong")):
        ways = {name: lambda name=name: make(name) for name in names}
        monkeypatch.setattr(invariance, "variants", lambda _, ways=ways: ways)
        assert failed(invariance.CASE, make)


def tubes(errors: Mapping[str, float]) -> Callable[..., MadeUpRun]:
    """Right but for ripples of a share of the range, half as high on a grid twice as fine."""

    def make(name: str, config: Config, _: str) -> MadeUpRun:
        cells, problem = config["grid"]["cells"][0], config["problem"]
        if problem["name"] == "shu_osher":
            density = (2 + np.sin(np.arange(3200))).reshape(cells, -1).mean(axis=1)
        else:
            x = (np.arange(cells) + 0.5) / cells
            left, right = (Gas(**problem[side]) for side in ("left", "right"))
            at = (x - problem["position"]) / config["run"]["time"]
            density = sample_density(left, right, config["physics"]["gamma"], at)
        if not name.endswith("reference"):
            error = errors[config["numerics"]["scheme"]] * riemann.CELLS / cells
            density = density + error * np.ptp(density) * (-1) ** np.arange(cells)
        log = {"min_density": np.ones(1), "min_pressure": np.ones(1)}
        return MadeUpRun(log, [MadeUpSnapshot(density[None, None])])

    return make


def test_every_tube_is_held_against_its_own_solution_and_told_by_scheme() -> None:
    errors = {"upwind3": 0.04, "roe3": 0.06, "weno3": 0.01, "muscl": 0.02}
    lab = MadeUpLab(Path(), Path(), make=tubes(errors))
    findings = riemann.CASE.measure(lab)
    assert not [check.what for check in findings.checks if not check.holds]
    orders = [check.measured for check in findings.checks if "least order" in check.what]
    assert orders == [pytest.approx(1)] * 2
    (table,) = findings.tables
    assert list(table.columns) == ["problem", *errors]
    *of_tubes, of_ripples = table.rows
    assert of_tubes == [[name, "4.00 %", "6.00 %", "1.00 %", "2.00 %"] for name in riemann.TUBES]
    assert of_ripples == [riemann.SHU_OSHER, "2.00 %", "3.00 %", "0.50 %", "1.00 %"]


def test_errors_of_smooth_flows_are_told_of_the_scheme_that_made_them() -> None:
    strength = {"upwind3": 1e-3, "roe3": 2e-3, "weno3": 3e-3, "muscl": 4e-3}

    def make(name: str, config: Config, _: str) -> MadeUpRun:
        (flow,) = (f for key, f in order_of_accuracy.FLOWS.items() if name.startswith(key.replace(" ", "_")))
        scheme, cells = config["numerics"]["scheme"], config["grid"]["cells"]
        x, y, z = ((np.arange(n) + 0.5) / n - 0.5 for n in cells)
        density = flow.density(Points(x, y[:, None], z[:, None, None]), config["run"]["time"])
        error = strength[scheme] * cells[0] ** -float(SCHEMES[scheme].order)
        return MadeUpRun(kept=[MadeUpSnapshot(np.broadcast_to(density, cells[::-1]) + error)])

    findings = order_of_accuracy.CASE.measure(MadeUpLab(Path(), Path(), make=make))
    assert not [check.what for check in findings.checks if not check.holds]
    for name, flow in order_of_accuracy.FLOWS.items():
        grids = [32, 48, 64, 96] if flow.flat else [12, 16, 24, 36]
        assert findings.data["grids"][name] == grids
        for scheme, factor in strength.items():
            expected = [factor * n ** -float(SCHEMES[scheme].order) for n in grids]
            assert findings.data["errors"][name][scheme] == pytest.approx(expected, rel=1e-6)


def test_the_table_of_bubbles_shows_what_was_found_beside_theory_for_the_atwood_number_that_it_names() -> (
    None
):
    findings = rt_late.CASE.measure(MadeUpLab(Path(), Path(), make=bubble(1.1)))
    (table,) = findings.tables
    for name, found, theory, froude in table.rows:
        modes, length = {"2D": ((1, 0), 1), "3D": ((1, 1), np.sqrt(0.5))}[name]
        expected = rt_late.goncharov(modes)
        assert float(theory) == pytest.approx(expected, rel=1e-3)
        assert float(found) == pytest.approx(1.1 * expected, rel=1e-3)
        assert float(froude) == pytest.approx(1.1 * expected / np.sqrt(0.8 / 1.8 * length), rel=2e-3)
    asked = asked_of(rt_late.CASE)
    assert {f"Atwood {config['problem']['atwood']:g}" for config in asked.values()} == {
        table.title.split(", ")[1]
    }


def test_waves_are_asked_for_as_the_table_tells_them() -> None:
    asked = asked_of(rt_linear.CASE, full=True)
    for number, wave in enumerate(rt_linear.waves(full=True)):
        config = asked[f"wave-{number}"]
        problem, grid = config["problem"], config["grid"]
        assert grid["cells"][0] == 64
        assert (problem["atwood"], problem["modes"]) == (wave.atwood, [1, 0])
        assert grid["upper"] == [wave.wavelength, wave.wavelength, wave.height]
        assert np.sqrt(3 * wave.wavelength / (5 * problem["pressure"])) == pytest.approx(wave.mach)
    assert f"wave-{len(rt_linear.waves(full=True))}" not in asked


def test_growth_that_is_too_slow_is_as_wrong_as_one_that_is_too_fast() -> None:
    for error in (-0.02, 0.02):
        data = {"grids": [32, 48], "errors": {scheme: [0, error] for scheme in those("is_accurate")}}
        assert all(check.failed for check in rt_linear.accuracy_checks(data))


def test_the_full_set_of_blasts_is_held_to_the_percent_that_the_claim_names() -> None:
    """On the grid of the quick set, which a blast that is too large by 2 % fits."""

    def judged(full: bool) -> list[str]:
        run = MadeUpRun({"min_density": np.full(1, 1e-3)}, [MadeUpSnapshot(blast(1.02))])
        findings = sedov.CASE.measure(MadeUpLab(Path(), Path(), full=full, make=lambda *_: run))
        return [check.what.partition(": ")[2] for check in findings.checks if not check.holds]

    assert "within 1 % at 256³ and 3 % at 48³" in sedov.CASE.claim
    assert not judged(full=False)
    assert judged(full=True) == ["radius of the shock"] * len(those("captures_shocks"))


def test_the_table_of_blasts_tells_radii_by_direction_and_the_least_density() -> None:
    run = MadeUpRun({"min_density": np.array([1, 2e-3, 1])}, [MadeUpSnapshot(blast(corners=0.1))])
    (table,) = sedov.CASE.measure(MadeUpLab(Path(), Path(), make=lambda *_: run)).tables
    (row,) = table.rows
    shown = dict(zip(table.columns, row, strict=True))
    exact = shock_radius(sedov.GAMMA, 1, 1, sedov.TIME)
    assert float(shown["axis"]) == pytest.approx(exact, rel=0.02)
    assert float(shown["axis"]) < float(shown["face diagonal"]) < float(shown["space diagonal"])
    assert shown["least density"] == "2.0e-03"
    assert table.note == f"Exact: {exact:.4f}."


def test_growth_rates_are_told_over_those_of_a_sheet_and_beside_the_thickness_of_the_layer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every wave grows with the rate 1, and 1.01 is measured."""
    monkeypatch.setattr(rt_linear, "exact_growth", lambda _: 1.0)
    monkeypatch.setattr(rt_linear, "foretold_error", lambda _: -0.02)

    def make(*_: object) -> MadeUpRun:
        wave = np.tile(np.cos(2 * np.pi * (np.arange(8) + 0.5) / 8), (4, 4, 1))
        return MadeUpRun(kept=[MadeUpSnapshot(np.exp(1.01 * t) * wave, t) for t in (0, 2, 3)])

    table, *_ = rt_linear.CASE.measure(MadeUpLab(Path(), Path(), make=make)).tables
    assert list(table.columns) == ["Atwood", "k d", "Mach", "exact s / sqrt(g k)", "measured", "error"]
    for row, wave in zip(table.rows, rt_linear.waves(full=False), strict=True):
        k = 2 * np.pi / wave.wavelength
        assert row[:2] == [f"{wave.atwood:g}", f"{0.1 * k:.3f}"]
        assert row[3:] == [f"{k**-0.5:.5f}", f"{1.01 * k**-0.5:.5f}", "+1.000 %"]


def test_every_start_of_mixing_has_phases_of_its_own() -> None:
    for full, starts in ((False, 4), (True, 8)):
        asked = asked_of(rt_multi.CASE, full)
        seeds = {name: config["problem"]["seed"] for name, config in asked.items()}
        assert seeds == {f"seed_{seed}": seed for seed in range(1, starts + 1)}


def test_what_was_measured_of_a_blast_is_told_beside_what_is_exact() -> None:
    run = MadeUpRun({"min_density": np.ones(1)}, [MadeUpSnapshot(blast(1.02))])
    (radius, *_) = sedov.CASE.measure(MadeUpLab(Path(), Path(), make=lambda *_: run)).checks
    exact = shock_radius(sedov.GAMMA, 1, 1, sedov.TIME)
    assert radius.what.endswith("radius of the shock")
    assert radius.reference == exact
    assert radius.measured == pytest.approx(1.02 * exact, rel=2e-3)
