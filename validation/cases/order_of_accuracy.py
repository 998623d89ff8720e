"""Four smooth flows with exact solutions on four grids and more: how fast errors fall."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tayra import Run
from tayra.figures import line_style, subplots, use_plain_logarithm
from tayra.report import Section
from validation.case import Case, Check, Data, Findings, KnownLimit, at_least, measured, unmeasured
from validation.cases.schemes import SCHEMES
from validation.lab import Config, Lab
from validation.references.waves import (
    Array,
    Points,
    entropy_wave_density,
    simple_wave_density,
    vortex_density,
)

SLACK = 0.25  # of the last pairwise order: the asymptotic range is not quite reached


@dataclass(frozen=True)
class Flow:
    problem: dict[str, Any]
    time: float
    density: Callable[[Points, float], Array]
    flat: bool = False  # uniform along z


FLOWS = {
    "entropy wave": Flow(
        {"name": "entropy_wave", "amplitude": 0.2}, 1 / 3, lambda p, t: entropy_wave_density(p, t, 0.2)
    ),
    "acoustic wave": Flow(
        {"name": "acoustic_wave", "amplitude": 1e-3}, 0.5, lambda p, t: simple_wave_density(p, t, 1e-3)
    ),
    "strong simple wave": Flow(
        {"name": "simple_wave", "amplitude": 0.3}, 0.1, lambda p, t: simple_wave_density(p, t, 0.3)
    ),
    "vortex": Flow(
        {"name": "vortex", "strength": 0.5, "velocity": [0.5, 0.25]},
        0.5,
        lambda p, t: vortex_density(p, t, 0.5, (0.5, 0.25)),
        flat=True,
    ),
}


def config(flow: Flow, scheme: str, cells: int) -> Config:
    return {
        "problem": flow.problem,
        "grid": {"cells": [cells, cells, 4 if flow.flat else cells]},
        "numerics": {"scheme": scheme},
        "run": {"time": flow.time},
        "output": {
            "snapshots": {"fields": ["density"], "precision": "double"},
            "checkpoints": {"keep": 0},
            "diagnostics": {"every_steps": 1000},
        },
    }


def mean_errors(runs: Sequence[Run], flow: Flow) -> list[float]:
    """Mean |density - exact| of runs on the same grid."""
    header = runs[0].snapshot().grid
    x, y, z = (header.centres(axis) - 0.5 for axis in "xyz")
    exact = flow.density(Points(x, y[:, None], z[:, None, None]), flow.time)
    return [float(np.mean(np.abs(run.snapshot().field("density") - exact))) for run in runs]


def measure(lab: Lab) -> Findings:
    cubes, squares = (
        ([16, 32, 64, 128, 256], [32, 64, 128, 256, 512])
        if lab.full
        else ([12, 16, 24, 36], [32, 48, 64, 96])
    )
    grids = {name: squares if flow.flat else cubes for name, flow in FLOWS.items()}
    configs = {
        run_name(name, s, n): config(flow, s, n)
        for name, flow in FLOWS.items()
        for s in SCHEMES
        for n in grids[name]
    }
    runs = lab.run_all(configs)
    errors: dict[str, dict[str, list[float]]] = {}
    for name, flow in FLOWS.items():
        of_grids = [mean_errors([runs[run_name(name, s, n)] for s in SCHEMES], flow) for n in grids[name]]
        errors[name] = {s: [of_grid[i] for of_grid in of_grids] for i, s in enumerate(SCHEMES)}
    return judge({"grids": grids, "errors": errors}, lab.full)


def judge(data: Data, full: bool) -> Findings:
    grids, errors = data["grids"], data["errors"]
    checks: list[Check] = []
    for name in FLOWS:
        for scheme in measured(SCHEMES, errors[name]):
            last = pairwise_orders(grids[name], errors[name][scheme])[-1]
            what = f"{name}, {scheme}: order on the finest pair"
            known = None if full else known_limit(scheme)
            checks.append(at_least(what, last, SCHEMES[scheme].order - SLACK, known))
    return Findings(checks, dict(data), [table(name, grids[name], errors[name]) for name in FLOWS])


def known_limit(scheme: str) -> KnownLimit | None:
    """Of the quick set, on whose grids few cells make up a wave."""
    lacks = SCHEMES[scheme].lacks_of_order
    if lacks <= SLACK:
        return None
    why = f"{scheme} lacks up to {lacks:g} of its order where few cells make up a wave, as it says of itself"
    return KnownLimit(why, SCHEMES[scheme].order - lacks)


def run_name(flow: str, scheme: str, cells: int) -> str:
    return f"{flow}-{scheme}-{cells}".replace(" ", "_")


def pairwise_orders(grids: list[int], errors: list[float]) -> list[float]:
    return [float(v) for v in -np.diff(np.log(errors)) / np.diff(np.log(grids))]


def table(name: str, grids: list[int], errors: dict[str, list[float]]) -> Section:
    rows = []
    for scheme, values in errors.items():
        orders = ["", *(f" ({order:.2f})" for order in pairwise_orders(grids, values))]
        rows.append([scheme, *(f"{value:.2e}{order}" for value, order in zip(values, orders, strict=True))])
    return Section(
        f"{name}: mean error of density (pairwise order)", ["scheme", *(f"{n} cells" for n in grids)], rows
    )


def draw(data: Data) -> Figure:
    figure, panels = subplots(1, 4, figsize=(13, 3.6))
    for axes, (name, errors) in zip(panels, data["errors"].items(), strict=True):
        grids = np.array(data["grids"][name])
        for index, (scheme, values) in enumerate(errors.items()):
            axes.loglog(grids, values, label=scheme, **line_style(index))
        guide = np.array(errors["roe3"][-1]) * 0.4 * (grids[-1] / grids) ** 3
        axes.loglog(grids, guide, color="grey", linewidth=0.8, label="third order")
        use_plain_logarithm(axes.xaxis)
        axes.set_xticks(grids)
        axes.set(title=name, xlabel="cells across")
    panels[0].set_ylabel("mean error of density")
    panels[0].legend(frameon=False, fontsize=8)
    return figure


CASE = Case(
    name="order_of_accuracy",
    title="Order of accuracy",
    claim=(
        "The mean error of density falls with that power of the cell size which each scheme says is its "
        "order, on smooth flows with exact solutions: an entropy wave, a weak and a strong sound wave along "
        "the diagonal of the box, and an isentropic vortex."
    ),
    references=(
        "L. D. Landau & E. M. Lifshitz (1987), Fluid Mechanics, 2nd edition, section 101 (simple waves).",
        "C.-W. Shu (1998), Essentially non-oscillatory and weighted essentially non-oscillatory schemes "
        "for hyperbolic conservation laws, in Advanced Numerical Approximation of Nonlinear Hyperbolic "
        "Equations, Lecture Notes in Mathematics 1697, 325-432 (the vortex; here one that ends at a "
        "radius, so that it is exact in a periodic box).",
    ),
    measure=measure,
    draw=draw,
    lacks=lambda data: unmeasured(SCHEMES, data["errors"]["vortex"]),
)
