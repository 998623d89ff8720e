"""Columns at rest that must stay so, and a weak pulse of sound that travels through one."""

import numpy as np
from matplotlib.figure import Figure

from tayra import Run
from tayra.figures import COLOURS, line_style, subplots, use_plain_logarithm
from tayra.report import Section
from validation.case import (
    Case,
    Check,
    Data,
    Findings,
    KnownLimit,
    at_least,
    at_most,
    measured,
    near,
    unmeasured,
)
from validation.cases.schemes import SCHEMES, those
from validation.lab import Config, Lab
from validation.references.column import Array, isothermal, velocity_after

PULSE = 1e-8
PULSE_TIME = 0.6
HEIGHT = 2.0
STABLE_STEPS = 10_000  # some 100 times that sound takes through the column
BLURRED = KnownLimit("a scheme that lets sound grow blurs a jump above which gas is lighter", worst=1e7)


def column(cells: int, problem: dict[str, object], scheme: str, run: dict[str, object]) -> Config:
    return {
        "problem": {"name": "hydrostatic", "pressure": 1.5, **problem},
        "grid": {"cells": [1, 1, cells], "upper": [1, 1, HEIGHT]},
        "numerics": {"scheme": scheme},
        "run": run,
        "output": {
            "snapshots": {"fields": ["velocity"], "precision": "double"},
            "checkpoints": {"keep": 0},
            "diagnostics": {"every_steps": 100},
        },
    }


def pulse_config(cells: int, scheme: str) -> Config:
    problem = {"atwood": 0, "pressure": 1, "profile": "isothermal"}
    pulse = {"amplitude": PULSE, "height": 0.5, "width": 0.1}
    return column(cells, {**problem, "pulse": pulse}, scheme, {"time": PULSE_TIME})


def stable_config(scheme: str) -> Config:
    problem = {"atwood": -0.5, "profile": "isothermal"}
    pulse = {"amplitude": PULSE, "height": 0.5, "width": 0.1}
    return column(32, {**problem, "pulse": pulse}, scheme, {"steps": STABLE_STEPS})


def pulse_exact(heights: Array) -> Array:
    def bell(z: Array) -> Array:
        return np.asarray(PULSE * np.exp(-0.5 * ((z + 0.5) / 0.1) ** 2))

    return velocity_after(isothermal(1, HEIGHT), bell, PULSE_TIME, heights - HEIGHT / 2)


def measure(lab: Lab) -> Findings:
    steps = 100_000 if lab.full else 10_000
    drift_grids, pulse_grids = [16, 32, 64, 128], [64, 128, 256, 512] if lab.full else [64, 128, 256]
    keeping = those("keeps_contacts")
    configs = {f"rest-{s}": column(32, {"atwood": 0.5}, s, {"steps": steps}) for s in keeping}
    configs |= {f"drift-{n}": column(n, {"atwood": -0.5}, "upwind3", {"time": 20}) for n in drift_grids}
    configs |= {f"pulse-{s}-{n}": pulse_config(n, s) for s in keeping for n in pulse_grids}
    configs |= {f"stable-{s}": stable_config(s) for s in keeping}
    runs = lab.run_all(configs)

    checks: list[Check] = []
    for scheme in keeping:
        speed = float(np.max(runs[f"rest-{scheme}"].diagnostics()["max_mach"]))
        what = f"{scheme}: fastest Mach number in {steps} steps at rest, heavy above light, Atwood 0.5"
        checks.append(at_most(what, speed, 1e-13))
    for scheme in keeping:
        what = (
            f"{scheme}: sound after {STABLE_STEPS} steps over that after a tenth of them, light above heavy"
        )
        growth = growth_of_sound(runs[f"stable-{scheme}"])
        checks.append(at_most(what, growth, 10, BLURRED if SCHEMES[scheme].lets_sound_grow else None))
    widths = [thickening(runs[f"drift-{n}"]) for n in drift_grids]
    power = float(-np.polyfit(np.log(drift_grids[1:]), np.log(widths[1:]), 1)[0])
    checks.append(
        near("upwind3: thickness of a diffused jump goes with cell size to the power", power, 0.75, 0.1)
    )
    profiles, errors = pulses(runs, pulse_grids)
    for scheme in (s for s in keeping if SCHEMES[s].is_accurate):
        what = f"{scheme}, {pulse_grids[-1]} cells: error of the pulse, share of its height"
        checks.append(at_most(what, errors[scheme][-1], 0.01))
    order = float(np.log2(errors["roe3"][-2] / errors["roe3"][-1]))
    checks.append(at_least("roe3: order of that error", order, 2.7))
    data = {
        "drift_grids": drift_grids,
        "widths": widths,
        "machs": [float(np.max(runs[f"drift-{n}"].diagnostics()["max_mach"])) for n in drift_grids],
        "pulse_grids": pulse_grids,
        "errors": errors,
        "profiles": profiles,
    }
    return Findings(checks, data, [drift_table(data), pulse_table(data)])


def growth_of_sound(run: Run) -> float:
    """Largest Mach numbers of two equal times, the last and one that ends with a tenth of the run."""
    mach = run.diagnostics()["max_mach"][1:]
    window = len(mach) // 20
    return float(np.max(mach[-window:]) / np.max(mach[window : 2 * window]))


def thickening(run: Run) -> float:
    """What diffusion has added to the mixing width of a stable jump."""
    widths = run.diagnostics()["mixing_width"]
    return float(widths[-1] - widths[0])


def pulses(runs: dict[str, Run], grids: list[int]) -> tuple[dict[str, Array], dict[str, list[float]]]:
    errors: dict[str, list[float]] = {scheme: [] for scheme in those("keeps_contacts")}
    profiles = {}
    for cells in grids:
        heights = (np.arange(cells) + 0.5) * HEIGHT / cells
        exact = pulse_exact(heights) / PULSE
        for scheme in errors:
            found = runs[f"pulse-{scheme}-{cells}"].snapshot().field("velocity_z")[:, 0, 0] / PULSE
            errors[scheme].append(float(np.max(np.abs(found - exact)) / np.max(np.abs(exact))))
            if cells == grids[0]:
                profiles |= {"height": heights, "exact": exact, scheme: found}
    return profiles, errors


def drift_table(data: Data) -> Section:
    rows = [
        ["added to the mixing width", *(f"{width:.4f}" for width in data["widths"])],
        ["fastest Mach number", *(f"{mach:.1e}" for mach in data["machs"])],
    ]
    title = "upwind3 diffuses a stable density jump (Atwood 0.5, time 20)"
    return Section(title, ["", *(f"{n} cells" for n in data["drift_grids"])], rows)


def pulse_table(data: Data) -> Section:
    rows = [[scheme, *(f"{100 * v:.3f} %" for v in values)] for scheme, values in data["errors"].items()]
    return Section(
        "Largest error of the pulse, share of its height",
        ["scheme", *(f"{n} cells" for n in data["pulse_grids"])],
        rows,
    )


def draw(data: Data) -> Figure:
    figure, (left, middle, right) = subplots(1, 3, figsize=(13, 3.8))
    profiles = data["profiles"]
    left.plot(profiles["height"], profiles["exact"], color="black", linewidth=1, label="linear theory")
    for index, scheme in enumerate(measured(those("keeps_contacts"), profiles)):
        style = line_style(index) | {"linestyle": "", "markersize": 3}
        left.plot(profiles["height"], profiles[scheme], label=scheme, **style)
    left.set(
        xlabel="height", ylabel="vertical speed / 1e-8", title=f"a pulse at t = {PULSE_TIME}, coarsest grid"
    )
    for index, (scheme, values) in enumerate(data["errors"].items()):
        middle.plot(data["pulse_grids"], values, label=scheme, **line_style(index))
    middle.set(xscale="log", yscale="log", xlabel="cells along the column", ylabel="largest error / height")
    use_plain_logarithm(middle.xaxis)
    middle.set_xticks(data["pulse_grids"])
    middle.legend(frameon=False, fontsize=8)
    grids = np.array(data["drift_grids"])
    right.loglog(grids, data["widths"], label="upwind3", **line_style(0))
    right.loglog(
        grids,
        data["widths"][-1] * (grids[-1] / grids) ** 0.75,
        color=COLOURS[3],
        linewidth=0.8,
        label="power 3/4",
    )
    right.set(xlabel="cells along the column", ylabel="added to the mixing width", title="a jump at rest")
    use_plain_logarithm(right.xaxis)
    right.set_xticks(grids)
    right.legend(frameon=False, fontsize=8)
    return figure


CASE = Case(
    name="hydrostatic",
    title="Hydrostatic columns",
    claim=(
        "Schemes that keep contacts keep a column with a density jump at rest to round-off. upwind3 does "
        "not: its fourth differences diffuse the jump, whose thickness then goes with the 3/4 power of "
        "the cell size. Nor do they let sound of 1e-8 of the pressure grow that goes to and fro in a stable "
        "column whose density jumps by a factor of 3, but for those that say they do. A pulse of 1e-8 of the "
        "pressure travels through an isothermal column as linear theory says."
    ),
    references=(
        "H. Lamb (1932), Hydrodynamics, 6th edition, Cambridge, sections 309-311 (sound in a stratified "
        "atmosphere); solved here by normal modes on Chebyshev nodes.",
        "The power 3/4: the similarity solution of u_t = -K h^3 u_xxxx that starts from a step, x ~ (K "
        "h^3 t)^(1/4).",
    ),
    measure=measure,
    draw=draw,
    lacks=lambda data: unmeasured(those("keeps_contacts"), data["errors"]),
)
