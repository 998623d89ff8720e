"""Shock tubes against the exact solution, and Shu & Osher's shock in a density wave against a fine run."""

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from tayra import Run
from tayra.figures import COLOURS, subplots
from tayra.report import Section
from validation.case import Case, Check, Data, Findings, at_least, at_most, measured, unmeasured
from validation.cases.schemes import SCHEMES, those
from validation.lab import Config, Lab
from validation.references.riemann import Array, Gas, sample_density

GAMMA = 1.4
CELLS = 200


@dataclass(frozen=True)
class Tube:
    left: Gas
    right: Gas
    membrane: float
    time: float


TUBES = {
    "Toro 1": Tube(Gas(1, 0.75, 1), Gas(0.125, 0, 0.1), 0.3, 0.2),
    "Toro 2": Tube(Gas(1, -2, 0.4), Gas(1, 2, 0.4), 0.5, 0.15),
    "Toro 3": Tube(Gas(1, 0, 1000), Gas(1, 0, 0.01), 0.5, 0.012),
    "Toro 4": Tube(Gas(5.99924, 19.5975, 460.894), Gas(5.99242, -6.19633, 46.0950), 0.4, 0.035),
    "Toro 5": Tube(Gas(1, -19.59745, 1000), Gas(1, -19.59745, 0.01), 0.8, 0.012),
    "Lax": Tube(Gas(0.445, 0.698, 3.528), Gas(0.5, 0, 0.571), 0.5, 0.13),
}
SHU_OSHER = "Shu & Osher"


def side(gas: Gas) -> dict[str, float]:
    return {"density": gas.density, "velocity": gas.velocity, "pressure": gas.pressure}


def tube_config(tube: Tube, scheme: str, cells: int) -> Config:
    problem = {
        "name": "shock_tube",
        "position": tube.membrane,
        "left": side(tube.left),
        "right": side(tube.right),
    }
    return along_x(problem, [1, 4, 4], scheme, cells, tube.time)


def shu_osher_config(scheme: str, cells: int) -> Config:
    return along_x({"name": "shu_osher"}, [10, 40, 40], scheme, cells, 1.8)


def along_x(problem: dict[str, object], upper: list[int], scheme: str, cells: int, time: float) -> Config:
    """As few cells across as there may be, along z wide ones: they don't shorten the time step."""
    return {
        "problem": problem,
        "grid": {"cells": [cells, 1, 4], "upper": upper},
        "physics": {"gamma": GAMMA},
        "numerics": {"scheme": scheme, "cfl": 0.5},
        "run": {"time": time},
        "output": {"snapshots": {"fields": ["density"], "precision": "double"}, "checkpoints": {"keep": 0}},
    }


def profile(run: Run) -> Array:
    return run.snapshot().field("density")[0, 0]


def exact_profile(tube: Tube, cells: int) -> Array:
    x = (np.arange(cells) + 0.5) / cells
    return sample_density(tube.left, tube.right, GAMMA, (x - tube.membrane) / tube.time)


def measure(lab: Lab) -> Findings:
    coarse = {f"{name}/{s}": tube_config(tube, s, CELLS) for name, tube in TUBES.items() for s in SCHEMES}
    coarse |= {f"{SHU_OSHER}/{s}": shu_osher_config(s, 2 * CELLS) for s in SCHEMES}
    capturing = those("captures_shocks")
    fine = {f"{n}/{s}/fine": tube_config(t, s, 2 * CELLS) for n, t in TUBES.items() for s in capturing}
    reference_cells = 3200 if lab.full else 1600
    fine[f"{SHU_OSHER}/reference"] = shu_osher_config("weno3", reference_cells)
    runs = lab.run_all(coarse | fine)

    profiles = {key: profile(runs[key]) for key in coarse}
    exact = {name: exact_profile(tube, CELLS) for name, tube in TUBES.items()}
    reference = profile(runs[f"{SHU_OSHER}/reference"])
    exact[SHU_OSHER] = reference.reshape(2 * CELLS, -1).mean(axis=1)
    errors = {key: relative_error(values, exact[key.split("/")[0]]) for key, values in profiles.items()}
    fine_errors = {
        f"{name}/{s}": relative_error(profile(runs[f"{name}/{s}/fine"]), exact_profile(tube, 2 * CELLS))
        for name, tube in TUBES.items()
        for s in capturing
    }
    checks = [*positivity(runs), *accuracy(errors, fine_errors)]
    data = {
        "profiles": {key: np.round(values, 4) for key, values in profiles.items()},
        "exact": {key: np.round(values, 4) for key, values in exact.items()},
        "reference_cells": reference_cells,
    }
    return Findings(checks, data, [table(errors)])


def relative_error(values: Array, exact: Array) -> float:
    """Mean |density - exact| as a share of the exact density's range."""
    return float(np.mean(np.abs(values - exact)) / np.ptp(exact))


def positivity(runs: dict[str, Run]) -> list[Check]:
    logs = [run.diagnostics() for run in runs.values()]
    # By numpy, as everywhere here: what is no number is least and largest, where min() might pass it over.
    least = {name: np.min([np.min(log[name]) for log in logs]) for name in ("min_density", "min_pressure")}
    return [
        at_least("all schemes and tubes: least density in any step looked at", least["min_density"], 1e-9),
        at_least("all schemes and tubes: least pressure in any step looked at", least["min_pressure"], 1e-9),
    ]


def accuracy(errors: dict[str, float], fine_errors: dict[str, float]) -> list[Check]:
    checks = []
    names = list(TUBES)
    for scheme in those("captures_shocks"):
        worst = names[int(np.argmax([errors[f"{name}/{scheme}"] for name in names]))]
        checks.append(
            at_most(f"{scheme}: largest error of the six tubes ({worst})", errors[f"{worst}/{scheme}"], 0.03)
        )
        orders = {n: float(np.log2(errors[f"{n}/{scheme}"] / fine_errors[f"{n}/{scheme}"])) for n in TUBES}
        least = names[int(np.argmin(list(orders.values())))]
        checks.append(
            at_least(f"{scheme}: least order from {CELLS} to {2 * CELLS} cells ({least})", orders[least], 0.6)
        )
        checks.append(
            at_most(
                f"{scheme}: error of {SHU_OSHER} at {2 * CELLS} cells", errors[f"{SHU_OSHER}/{scheme}"], 0.02
            )
        )
    return checks


def table(errors: dict[str, float]) -> Section:
    rows = [
        [name, *(f"{100 * errors[f'{name}/{scheme}']:.2f} %" for scheme in SCHEMES)]
        for name in [*TUBES, SHU_OSHER]
    ]
    grids = f"{CELLS} cells along the tube, {2 * CELLS} for {SHU_OSHER}."
    others = ", ".join(scheme for scheme in SCHEMES if not SCHEMES[scheme].captures_shocks)
    note = f"{grids} These ring at shocks, as they say of themselves: {others}."
    return Section("Mean error of density, as a share of its range", ["problem", *SCHEMES], rows, 1, note)


def schemes_of(data: Data) -> set[str]:
    return {key.rpartition("/")[2] for key in data["profiles"]}


def draw(data: Data) -> Figure:
    figure, panels = subplots(2, 4, figsize=(13, 6))
    names = list(data["exact"])
    for axes, name in zip(panels.flat, names, strict=False):
        exact = np.array(data["exact"][name])
        x = (np.arange(exact.size) + 0.5) / exact.size
        axes.plot(x, exact, color="black", linewidth=0.8)
        for index, scheme in enumerate(measured(SCHEMES, schemes_of(data))):
            axes.plot(
                x,
                data["profiles"][f"{name}/{scheme}"],
                color=COLOURS[index + (index > 2)],
                linewidth=1.0,
                label=scheme,
            )
        axes.set(title=name, xlabel="position")
    panels[0, 0].set_ylabel("density")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    panels[1, 3].axis("off")
    panels[1, 3].legend(
        handles, labels, frameon=False, loc="center", title="black: exact (fine run\nfor Shu & Osher)"
    )
    return figure


CASE = Case(
    name="riemann",
    title="Riemann problems",
    claim=(
        "Shocks, contacts and rarefactions stand where the exact solution has them; the error falls with "
        "the grid at the rate that contacts allow; and near-vacuum (Toro 2) and pressure ratios of 1e5 "
        "(Toro 3 and 5) leave every scheme with positive density and pressure."
    ),
    references=(
        "E. F. Toro (2009), Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd edition, "
        "Springer, chapter 4 (exact solver) and section 6.4 (tests 1 to 5).",
        "P. D. Lax (1954), Weak solutions of nonlinear hyperbolic equations and their numerical "
        "computation, Communications on Pure and Applied Mathematics 7, 159-193.",
        "C.-W. Shu & S. Osher (1989), Efficient implementation of essentially non-oscillatory "
        "shock-capturing schemes, II, Journal of Computational Physics 83, 32-78 (example 8).",
    ),
    measure=measure,
    draw=draw,
    lacks=lambda data: unmeasured(SCHEMES, schemes_of(data)),
)
