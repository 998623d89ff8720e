"""Many random waves: the bubble front of the self-similar mixing layer. Too large for a CPU."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tayra.figures import BLUE, GREEN, ORANGE
from tayra.report import Section
from validation.case import Case, Check, Data, Findings, at_least
from validation.lab import Config, Lab

Array = NDArray[np.float64]
ATWOOD = 0.5
SCHEME = "muscl"
SELF_SIMILAR = (0.15, 0.5)  # bubble heights over the box's width between which alpha is read
ALPHA_GROUP = (0.022, 0.028)  # of dh / d(A g t^2)


def config(across: int) -> Config:
    """Wavelengths of 4 to 8 cells at 256 across, as the alpha group has, hence of 8 to 16 at 512; pressure 5:
    weakly compressible."""
    return {
        "problem": {
            "name": "rt_multi",
            "atwood": ATWOOD,
            "pressure": 5,
            "amplitude": 3e-4,
            "modes": [32, 64],
            "seed": 1,
        },
        "grid": {"cells": [across, across, 2 * across], "lower": [0, 0, -1], "upper": [1, 1, 1]},
        "numerics": {"scheme": SCHEME, "precision": "single", "cfl": 0.9},
        "run": {"time": 7},
        "output": {
            "parts": {
                "middle": {
                    "lower": [0, 0.5, -1],
                    "upper": [1, 0.5, 1],
                    "fields": ["density"],
                    "every_time": 7,
                }
            },
            "snapshots": {"fields": ["density"]},
            "checkpoints": {"every_minutes": 2, "keep": 1},
            "diagnostics": {"every_time": 0.05},
        },
    }


def alpha_and_origin(time: Array, height: Array) -> tuple[float, float]:
    """h = alpha A g (t + t_0)^2 with any virtual origin t_0: sqrt(h) is a line, its slope squared
    alpha A g (Cabot & Cook 2006)."""
    within = (height > SELF_SIMILAR[0]) & (height < SELF_SIMILAR[1])
    if np.count_nonzero(within) < 3:
        return float("nan"), float("nan")
    slope, start = np.polyfit(time[within], np.sqrt(height[within]), 1)
    return float(slope**2 / ATWOOD), float(start / slope)


def alpha_of_distance(time: Array, height: Array) -> float:
    """dh / d(A g t^2), as Dimonte et al. (2004)."""
    within = (height > SELF_SIMILAR[0]) & (height < SELF_SIMILAR[1])
    if np.count_nonzero(within) < 3:
        return float("nan")
    return float(np.polyfit(ATWOOD * time[within] ** 2, height[within], 1)[0])


def measure(lab: Lab) -> Findings:
    across = 512 if lab.full else 256
    run = lab.run("mixing", config(across), gpus=lab.gpus)
    log = run.diagnostics()
    time, bubble = log["time"], log["bubble_height"]
    data = {
        "distance": ATWOOD * time**2,
        "bubble": bubble,
        "spike": log["spike_height"],
        "width": log["mixing_width"],
        "theta": log["theta"],
        "cells": across,
    }
    return judge(data)


def judge(data: Data) -> Findings:
    bubble = np.array(data["bubble"])
    time = np.sqrt(np.array(data["distance"]) / ATWOOD)
    by_distance, theta = alpha_of_distance(time, bubble), mean_theta(np.array(data["theta"]), bubble)
    group = "alpha_b = dh_b / d(A g t^2) (alpha group: 0.025 ± 0.003)"
    checks: list[Check] = [
        Check(group, by_distance, *ALPHA_GROUP, 0.025),
        Check("theta, mean over the self-similar part", theta, 0.7, 0.9, 0.8),
        at_least("largest bubble height over the box's width", float(np.max(bubble)), SELF_SIMILAR[1]),
    ]
    return Findings(
        checks, dict(data), [table(data["cells"], by_distance, *alpha_and_origin(time, bubble), theta)]
    )


def mean_theta(theta: Array, bubble: Array) -> float:
    late = bubble > SELF_SIMILAR[0]
    return float(np.mean(theta[late])) if np.any(late) else float("nan")


def table(across: int, by_distance: float, by_root: float, origin: float, theta: float) -> Section:
    """Both estimates of alpha side by side: they differ, and the alpha group's range is of the first."""
    rows = [
        ["alpha_b from h against A g t^2: checked", f"{by_distance:.4f}", beside_group(by_distance)],
        ["alpha_b from sqrt(h) against t: not checked", f"{by_root:.4f}", beside_group(by_root)],
        ["virtual origin t_0 of the second", f"{origin:.2f}", ""],
        ["theta", f"{theta:.3f}", ""],
    ]
    note = (
        "Both are read from the same heights. The second fits alpha_b A g (t + t_0)², whose slope against "
        "A g t² is alpha_b (1 + t_0 / t): what the first counts as growth, the second lays in part to the "
        f"start. It lies {beside_group(by_root)} the alpha group's range, which is of the first; the run "
        "does not decide between the two."
    )
    title = f"{SCHEME}, single precision, {across} x {across} x {2 * across} cells"
    return Section(title, ["", "value", "beside 0.022 to 0.028"], rows, 1, note)


def beside_group(alpha: float) -> str:
    lowest, highest = ALPHA_GROUP
    if np.isnan(alpha):
        return "nowhere in"
    return "below" if alpha < lowest else "above" if alpha > highest else "within"


def draw(data: Data) -> Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4), layout="constrained")
    distance = np.array(data["distance"])
    left.plot(distance, data["bubble"], color=BLUE, label="bubbles")
    left.plot(distance, data["spike"], color=ORANGE, linestyle="--", label="spikes")
    left.plot(distance, data["width"], color=GREEN, linestyle="-.", label="mixing width")
    left.plot(distance, 0.025 * distance, color="grey", linewidth=0.8, label="0.025 A g t²")
    left.set(
        xlabel="A g t² / width of the box",
        ylabel="height / width of the box",
        title=f"{data['cells']} cells across",
    )
    left.axhspan(*SELF_SIMILAR, color="0.94")
    left.legend(frameon=False)
    right.plot(distance, data["theta"], color=BLUE)
    right.axhline(0.8, color="grey", linewidth=0.8)
    right.set(xlabel="A g t² / width of the box", ylabel="theta", ylim=(0, 1))
    return figure


CASE = Case(
    name="rt_multi",
    title="Rayleigh-Taylor: turbulent mixing",
    claim=(
        "Random short waves forget their start: bubbles rise as alpha_b A g t² with alpha_b = 0.025 ± "
        "0.003 as the slope of height against A g t², as the codes of the alpha group found for this family "
        "of starts, and the fluids are molecularly mixed to theta = 0.8. With a free virtual origin the same "
        "heights give a smaller alpha_b, which is shown beside it and not checked."
    ),
    references=(
        "G. Dimonte et al. (2004), A comparative study of the turbulent Rayleigh-Taylor instability using "
        "high-resolution three-dimensional numerical simulations: The Alpha-Group collaboration, Physics "
        "of Fluids 16, 1668-1693.",
        "J. R. Ristorcelli & T. T. Clark (2004), Rayleigh-Taylor turbulence: self-similar analysis and "
        "direct numerical simulations, Journal of Fluid Mechanics 507, 213-253 (the virtual origin).",
        "W. H. Cabot & A. W. Cook (2006), Reynolds number effects on Rayleigh-Taylor instability with "
        "possible implications for type Ia supernovae, Nature Physics 2, 562-568.",
    ),
    measure=measure,
    draw=draw,
    for_gpus=True,
    alone=True,
)
