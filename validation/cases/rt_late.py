"""A single bubble late in its life: its terminal velocity, and the symmetry of the mushroom."""

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tayra import Run
from tayra.figures import line_style, subplots
from tayra.report import Section
from validation.case import Case, Check, Data, Findings, at_most, near
from validation.lab import Config, Lab

Array = NDArray[np.float64]
ATWOOD = 0.8
SCHEME = "muscl"
# Heights of the bubble, in wavelengths: after saturation, before it speeds up again.
PLATEAU = (0.35, 0.75)


def config(modes: tuple[int, int], cells: int) -> Config:
    flat = modes[1] == 0
    return {
        "problem": {
            "name": "rt_single",
            "atwood": ATWOOD,
            "pressure": 5,
            "amplitude": 0.02,
            "thickness": 0.02,
            "modes": modes,
        },
        "grid": {"cells": [cells, 1 if flat else cells, 4 * cells], "upper": [1, 1, 4]},
        "numerics": {"scheme": SCHEME},
        "run": {"time": 6 if flat else 4.5},
        "output": {
            "snapshots": {"fields": ["density"], "precision": "double"},
            "checkpoints": {"keep": 0},
            "diagnostics": {"every_time": 0.05},
        },
    }


def wavelength(modes: tuple[int, int]) -> float:
    """cos(kx) cos(ky) is a square lattice of waves along both diagonals, 1 / sqrt(2) of the box long."""
    return float(1 / np.hypot(*modes))


def goncharov(modes: tuple[int, int]) -> float:
    """Terminal velocity, gravity 1."""
    wavenumber = 2 * np.pi / wavelength(modes)
    return float(np.sqrt(2 * ATWOOD / (1 + ATWOOD) / ((3 if modes[1] == 0 else 1) * wavenumber)))


def velocity(time: Array, height: Array) -> Array:
    """Slope of a line through seven rows: heights are read between planes and jump a little."""
    reach = 3
    slopes = [
        np.polyfit(time[i - reach : i + reach + 1], height[i - reach : i + reach + 1], 1)[0]
        for i in range(reach, time.size - reach)
    ]
    return np.array([slopes[0]] * reach + slopes + [slopes[-1]] * reach)


def plateau(height: Array, speed: Array) -> float:
    """Mean velocity while the bubble is between the two heights, all in wavelengths."""
    within = (height > PLATEAU[0]) & (height < PLATEAU[1])
    return float(np.mean(speed[within])) if np.any(within) else float("nan")


def asymmetry(run: Run, flat: bool) -> int:
    """Cells in which a mirror image, or in 3D an exchange of x and y, changes a bit."""
    density = run.snapshot().field("density")
    images = [density[:, :, ::-1], density[:, ::-1]]
    if not flat:
        images.append(density.transpose(0, 2, 1))
    return sum(int(np.count_nonzero(image != density)) for image in images)


def measure(lab: Lab) -> Findings:
    waves = {"2D": ((1, 0), 128 if lab.full else 32), "3D": ((1, 1), 96 if lab.full else 24)}
    checks: list[Check] = []
    curves, rows = {}, []
    runs = lab.run_large({name: config(*wave) for name, wave in waves.items()})
    for name, run in runs.items():
        modes, cells = waves[name]
        log = run.diagnostics()
        height = log["bubble_height"] / wavelength(modes)
        speed = velocity(log["time"], log["bubble_height"])
        found, theory = plateau(height, speed), goncharov(modes)
        checks += [
            near(f"{name}, {cells} cells across: terminal velocity of the bubble", found, theory, 0.15),
            at_most(f"{name}: cells that differ from their mirror images", asymmetry(run, modes[1] == 0), 0),
        ]
        curves[name] = {"height": height, "velocity": speed, "theory": theory}
        froude = found / np.sqrt(ATWOOD / (1 + ATWOOD) * wavelength(modes))
        rows.append([name, f"{found:.4f}", f"{theory:.4f}", f"{froude:.3f}"])
    columns = ["", "velocity", "Goncharov", "Froude number U / sqrt(A g wavelength / (1 + A))"]
    note = f"Mean while the bubble is between {PLATEAU[0]:g} and {PLATEAU[1]:g} wavelengths high."
    return Findings(checks, curves, [Section(f"{SCHEME}, Atwood {ATWOOD:g}", columns, rows, 1, note)])


def draw(data: Data) -> Figure:
    figure, axes = subplots(figsize=(7.5, 4))
    for index, (name, curve) in enumerate(data.items()):
        style = line_style(index) | {"marker": ""}
        axes.plot(curve["height"], curve["velocity"], label=f"{name}, {SCHEME}", **style)
        axes.axhline(curve["theory"], color=style["color"], linewidth=0.8, linestyle=":")
    axes.axvspan(*PLATEAU, color="0.93")
    axes.set(
        xlabel="bubble height / wavelength",
        ylabel="bubble velocity",
        title="dotted: Goncharov's terminal velocity",
    )
    axes.set(ylim=(0, None), xlim=(0, 1.5))
    axes.legend(frameon=False)
    return figure


CASE = Case(
    name="rt_late",
    title="Rayleigh-Taylor: one bubble, late",
    claim=(
        "Before it speeds up again a single bubble rises with the terminal velocity of potential flow, "
        "sqrt(2 A g / ((1 + A) 3 k)) in two dimensions and sqrt(2 A g / ((1 + A) k)) in three, where k is "
        "that of the diagonal waves whose sum cos(k_x x) cos(k_y y) is, within the 15 % by which simulations "
        "and experiments scatter about it; and the mushroom stays its own mirror image to the last bit."
    ),
    references=(
        "V. N. Goncharov (2002), Analytical model of nonlinear, single-mode, classical Rayleigh-Taylor "
        "instability at arbitrary Atwood numbers, Physical Review Letters 88, 134502.",
        "P. Ramaprabhu, G. Dimonte, P. Woodward, C. Fryer, G. Rockefeller, K. Muthuraman, P.-H. Lin & J. "
        "Jayaraj (2012), The late-time dynamics of the single-mode Rayleigh-Taylor instability, Physics "
        "of Fluids 24, 074107 (speeding up again).",
    ),
    measure=measure,
    draw=draw,
)
