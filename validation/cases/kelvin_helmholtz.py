"""Smooth shear layers: a small wave against linear theory, the published start against finer grids."""

import numpy as np
from matplotlib.figure import Figure

from tayra import Run
from tayra.figures import BLACK, line_style, subplots, use_plain_logarithm
from tayra.report import Section
from validation.case import Case, Check, Data, Findings, at_least, at_most, measured, unmeasured
from validation.cases.schemes import SCHEMES, those
from validation.lab import Config, Lab
from validation.references.shear_layer import growth, mode_amplitude

SMALL = 1e-4
TIMES = np.arange(0, 1.51, 0.25)
ALLOWED = {512: 0.02, 96: 0.25}  # on the finest grid; 96 cells across are 2.4 a width of the layer


def config(scheme: str, cells: int, amplitude: float) -> Config:
    return {
        "problem": {"name": "kelvin_helmholtz", "amplitude": amplitude},
        "grid": {"cells": [cells, cells, 4], "upper": [1, 1, 4]},  # deep cells don't shorten the time step
        "numerics": {"scheme": scheme},
        "run": {"time": float(TIMES[-1])},
        "output": {
            "snapshots": {"every_time": float(TIMES[1]), "fields": ["velocity"], "precision": "double"},
            "checkpoints": {"keep": 0},
            "diagnostics": {"every_steps": 1000},
        },
    }


def amplitudes(run: Run) -> list[float]:
    """M at every snapshot."""
    found = []
    for snapshot in run.snapshots:
        x, y = snapshot.grid.centres("x"), snapshot.grid.centres("y")
        across = snapshot.field("velocity_y")[0]
        sine = np.mean(across * np.sin(4 * np.pi * x), axis=1)
        cosine = np.mean(across * np.cos(4 * np.pi * x), axis=1)
        found.append(mode_amplitude(y, sine, cosine))
    return found


def measure(lab: Lab) -> Findings:
    grids = [64, 128, 256, 512] if lab.full else [48, 96]
    finest = grids[-1]
    configs = {f"small-{s}-{n}": config(s, n, SMALL) for s in SCHEMES for n in grids}
    configs |= {f"published-{n}": config("roe3", n, 0.01) for n in grids}
    runs = lab.run_all(configs)
    theory = growth(TIMES) * SMALL
    found = {key: amplitudes(run) for key, run in runs.items()}
    errors = {s: [found[f"small-{s}-{n}"][-1] / theory[-1] - 1 for n in grids] for s in SCHEMES}
    allowed = ALLOWED[finest]
    checks: list[Check] = []
    for scheme in those("is_accurate"):
        what = f"{scheme}, {finest} cells: error of the amplitude after growing {theory[-1] / SMALL:.0f}-fold"
        checks.append(at_most(what, abs(errors[scheme][-1]), allowed))
    order = float(np.log(abs(errors["roe3"][-2] / errors["roe3"][-1])) / np.log(grids[-1] / grids[-2]))
    checks.append(at_least("roe3: order of that error", order, 1.5))
    ends = [found[f"published-{n}"][-1] for n in grids]
    changes = np.abs(np.diff(ends)) / ends[-1]
    if lab.full:  # coarse grids are far from converged
        what = "published start: change of the amplitude at t = 1.5 by the last refinement"
        checks.append(at_most(what, changes[-1], allowed))
    data = {
        "grids": grids,
        "theory": theory / SMALL,
        "curves": {s: np.array(found[f"small-{s}-{finest}"]) / SMALL for s in SCHEMES},
        "errors": errors,
    }
    published = Section(
        "Published start (amplitude 0.01), roe3: mode amplitude at t = 1.5",
        [f"{n} cells" for n in grids],
        [[f"{end:.5f}" for end in ends]],
        0,
    )
    return Findings(checks, data, [error_table(grids, errors), published])


def error_table(grids: list[int], errors: dict[str, list[float]]) -> Section:
    rows = [[scheme, *(f"{100 * value:+.2f} %" for value in values)] for scheme, values in errors.items()]
    title = "Small start (amplitude 1e-4): error of the mode amplitude at t = 1.5 against linear theory"
    return Section(title, ["scheme", *(f"{n} cells" for n in grids)], rows)


def draw(data: Data) -> Figure:
    figure, (left, right) = subplots(1, 2, figsize=(10.5, 4))
    left.semilogy(TIMES, data["theory"], color="black", label="linear theory")
    for index, (scheme, values) in enumerate(data["curves"].items()):
        left.semilogy(
            TIMES, values, label=scheme, **line_style(index) | {"linestyle": "", "fillstyle": "none"}
        )
    left.set(xlabel="time", ylabel="mode amplitude / start", title=f"{data['grids'][-1]} cells across")
    left.legend(frameon=False)
    for index, (scheme, values) in enumerate(data["errors"].items()):
        right.plot(data["grids"], 100 * np.abs(values), label=scheme, **line_style(index))
    right.set(
        xscale="log", yscale="log", xlabel="cells across", ylabel="error of the amplitude at t = 1.5 [%]"
    )
    use_plain_logarithm(right.xaxis)
    right.set_xticks(data["grids"])
    finest = data["grids"][-1]
    percent = 100 * ALLOWED[finest]
    judged = ", ".join(measured(those("is_accurate"), data["errors"]))
    label = f"allowed of {judged} at {finest} cells: {percent:g} %"
    line = right.axhline(percent, color=BLACK, linewidth=1, linestyle="--", label=label)
    right.legend(handles=[line], frameon=False)
    return figure


CASE = Case(
    name="kelvin_helmholtz",
    title="Kelvin-Helmholtz: smooth shear layers",
    claim=(
        "In the benchmark of McNally, Lyra & Passy a small wave grows as linear theory of these very "
        "layers says, transient included, and the amplitude of the published start converges with the "
        "grid."
    ),
    references=(
        "C. P. McNally, W. Lyra & J.-C. Passy (2012), A well-posed Kelvin-Helmholtz instability test and "
        "comparison, Astrophysical Journal Supplement Series 201, 18 (set-up and mode amplitude; linear "
        "theory solved here in numpy).",
    ),
    measure=measure,
    draw=draw,
    lacks=lambda data: unmeasured(SCHEMES, data["errors"]),
)
