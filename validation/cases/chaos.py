"""How fast runs part that differ in rounding only: single against double precision, GPU against CPU."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from tayra import Run
from tayra.figures import line_style, subplots
from validation.case import Case, Check, Data, Findings, at_most
from validation.lab import CORES, Config, Lab

SCHEME = "weno3"


def config(lab: Lab, precision: str) -> Config:
    across, time = (32, 6) if lab.full else (16, 4)
    return {
        "problem": {"name": "rt_multi", "modes": [2, 4], "amplitude": 0.02, "pressure": 5},
        "grid": {"cells": [across, across, 2 * across], "upper": [1, 1, 2]},
        "numerics": {"scheme": SCHEME, "precision": precision},
        "run": {"time": time},
        "output": {
            "snapshots": {"every_time": 0.25, "fields": ["density"], "precision": "double"},
            "checkpoints": {"keep": 0},
        },
    }


def differences(one: Run, other: Run) -> list[float]:
    """Mean |difference of density| at every snapshot, as a share of the jump (2/3)."""
    pairs = zip(one.snapshots, other.snapshots, strict=True)
    return [float(1.5 * np.mean(np.abs(a.field("density") - b.field("density")))) for a, b in pairs]


def measure(lab: Lab) -> Findings:
    runs = lab.run_large({precision: config(lab, precision) for precision in ("double", "single")})
    double, single = runs["double"], runs["single"]
    times = [snapshot.time for snapshot in double.snapshots]
    curves = {"single against double": differences(single, double)}
    widths = [run.diagnostics()["mixing_width"][-1] for run in (double, single)]
    checks: list[Check] = [
        at_most(
            "single against double: mean difference of density at t = 0.5",
            curves["single against double"][2],
            1e-6,
        ),
        at_most(
            "single against double: mixing widths at the end differ by", abs(widths[1] / widths[0] - 1), 0.02
        ),
    ]
    if lab.device == "cuda":
        on_cpu = replace(lab, device="cpu", threads=max(1, CORES // 2)).run(
            "double on the CPU", config(lab, "double")
        )
        lab.runs.append(on_cpu)
        curves["GPU against CPU, double"] = differences(double, on_cpu)
        checks.append(
            at_most(
                "GPU against CPU in double: largest difference", np.max(curves["GPU against CPU, double"]), 0
            )
        )
    return Findings(checks, {"times": times, "curves": curves})


def draw(data: Data) -> Figure:
    figure, axes = subplots(figsize=(7.5, 4))
    for index, (name, values) in enumerate(data["curves"].items()):
        axes.semilogy(data["times"], np.maximum(values, 1e-18), label=name, **line_style(index))
    axes.set(
        xlabel="time", ylabel="mean difference of density / jump", title=f"{SCHEME}; 1e-18 stands for none"
    )
    axes.legend(frameon=False)
    return figure


CASE = Case(
    name="chaos",
    title="Single against double, GPU against CPU",
    claim=(
        "In a chaotic flow runs that differ in rounding part exponentially: single precision keeps six "
        "digits early and the size of the mixing layer throughout, not every eddy. GPU and CPU agree to "
        "the last bit in double."
    ),
    references=("docs/decisions/0001-the-same-bits-everywhere.md in this repository.",),
    measure=measure,
    draw=draw,
)
