"""A mixing layer between walls, late into the nonlinear stage: what must stay the same stays the same."""

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tayra import Table
from tayra.figures import line_style, subplots
from tayra.report import Section
from validation.case import Case, Check, Data, Findings, at_most, unmeasured
from validation.cases.schemes import SCHEMES
from validation.lab import Config, Lab

Array = NDArray[np.float64]


def config(scheme: str, full: bool) -> Config:
    across = 96 if full else 16
    return {
        "problem": {"name": "rt_multi", "atwood": 0.5, "modes": [1, 3], "amplitude": 0.03, "pressure": 5},
        "grid": {"cells": [across, across, 2 * across], "upper": [1, 1, 2]},
        "numerics": {"scheme": scheme},
        "run": {"time": 6 if full else 4},
        "output": {"snapshots": {"fields": ["density"]}, "checkpoints": {"keep": 0}},
    }


def drifts(log: Table) -> dict[str, Array]:
    """Changes since the start: of mass as a share of it, of total energy as a share of the potential energy
    released, of sideways momentum as a share of mass times the fastest vertical speed."""
    total = log["energy"] + log["potential_energy"]
    released = np.max(log["potential_energy"][0] - log["potential_energy"])
    sideways = np.hypot(log["momentum_x"], log["momentum_y"])
    return {
        "mass": np.abs(log["mass"] / log["mass"][0] - 1),
        "energy": np.abs(total - total[0]) / released,
        "momentum": np.abs(sideways - sideways[0]) / (log["mass"][0] * np.max(log["max_w"])),
    }


def peaks(time: Array, drift: dict[str, Array], windows: int = 40) -> dict[str, list[float]]:
    """The largest change within each of some windows of time: enough for a plot."""
    window = np.digitize(time, np.linspace(time[0], time[-1], windows + 1)[1:-1])
    groups = [np.flatnonzero(window == number) for number in np.unique(window)]
    largest = {name: [float(np.max(values[group])) for group in groups] for name, values in drift.items()}
    return {"time": [float(time[group[-1]]) for group in groups], **largest}


def measure(lab: Lab) -> Findings:
    configs = {scheme: config(scheme, lab.full) for scheme in SCHEMES}
    runs = lab.run_large(configs) if lab.full else lab.run_all(configs)
    checks: list[Check] = []
    data = {}
    for scheme, run in runs.items():
        log = run.diagnostics()
        drift = drifts(log)
        steps = int(log["step"][-1])
        checks += [
            at_most(f"{scheme}: mass, share lost or won in {steps} steps", np.max(drift["mass"]), 1e-12),
            at_most(f"{scheme}: momentum along x and y", np.max(drift["momentum"]), 1e-12),
            at_most(
                f"{scheme}: energy with potential energy, share of what was released",
                np.max(drift["energy"]),
                1e-9,
            ),
        ]
        data[scheme] = peaks(log["time"], drift)
    return Findings(checks, data, [table({scheme: run.diagnostics() for scheme, run in runs.items()})])


def table(logs: dict[str, Table]) -> Section:
    rows = [
        [
            scheme,
            f"{log['step'][-1]:.0f}",
            f"{np.min(log['min_density']) / log['min_density'][0]:.2g}",
            f"{np.sum(log['limited_faces']):.0f}",
            f"{log['mixing_width'][-1]:.2f}",
        ]
        for scheme, log in logs.items()
    ]
    columns = ["scheme", "steps", "least density / light gas's", "faces limited", "mixing width at the end"]
    note = "Where density undershoots, sound is fast there and steps become short."
    return Section("What it took", columns, rows, 1, note)


def draw(data: Data) -> Figure:
    figure, panels = subplots(1, 3, figsize=(13, 3.6))
    titles = {"mass": "mass", "momentum": "momentum along x and y", "energy": "energy with potential energy"}
    for axes, (name, title) in zip(panels, titles.items(), strict=True):
        for index, (scheme, columns) in enumerate(data.items()):
            style = line_style(index) | {"marker": ".", "markersize": 4}  # each the peak since the one before
            axes.semilogy(columns["time"], np.maximum(columns[name], 1e-19), label=scheme, **style)
        axes.set(title=title, xlabel="time", ylim=(1e-19, 1e-8))
    panels[0].set_ylabel("change since the start, relative")
    panels[0].legend(frameon=False, fontsize=8)
    return figure


CASE = Case(
    name="conservation",
    title="Conservation",
    claim=(
        "Between walls mass, the momentum along the periodic axes, and the sum of internal, kinetic and "
        "potential energy stay as they were to round-off, through growth and mixing, with every scheme."
    ),
    references=("The equations: all three are integrals of motion of the continuous problem.",),
    measure=measure,
    draw=draw,
    lacks=lambda data: unmeasured(SCHEMES, data),
)
