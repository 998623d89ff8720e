"""Many random waves: the bubble front of the self-similar mixing layer. Too large for a CPU."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from tayra import Run
from tayra.figures import BLUE, GREEN, ORANGE, subplots
from tayra.report import Section
from validation.case import Case, Check, Data, Findings, KnownLimit, at_least, at_most
from validation.lab import Config, Lab

Array = NDArray[np.float64]
ATWOOD = 0.5
SCHEME = "muscl"
CELLS = 256  # across the box, as in the alpha group's comparison: waves of 4 to 8 cells
SELF_SIMILAR = (0.15, 0.5)  # bubble heights over the box's width between which alpha is read
HALVES = ((0.15, 0.3), (0.3, 0.5))  # of that, between which growth as A g t^2 does not change
ALPHA_GROUP = (0.022, 0.028)  # of dh / d(A g t^2)
NOT_SELF_SIMILAR = KnownLimit(
    "bubbles slow down all along: with waves of 4 to 8 cells at the start and a box of 48 waves, the layer "
    "is not self-similar yet, and the alpha above is a mean over a slope that falls",
    worst=0.6,
)


def config(seed: int) -> Config:
    """Pressure 5: weakly compressible."""
    return {
        "problem": {
            "name": "rt_multi",
            "atwood": ATWOOD,
            "pressure": 5,
            "amplitude": 3e-4,
            "modes": [32, 64],
            "seed": seed,
        },
        "grid": {"cells": [CELLS, CELLS, 2 * CELLS], "lower": [0, 0, -1], "upper": [1, 1, 1]},
        "numerics": {"scheme": SCHEME, "precision": "single", "cfl": 0.9},
        "run": {"time": 7},
        "output": {
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
    return slope_of_distance(time, height, height)


def growth_of_width(time: Array, height: Array, width: Array) -> float:
    """The same of half the mixing width."""
    return slope_of_distance(time, height, 0.5 * width)


def slope_of_distance(
    time: Array, height: Array, values: Array, heights: tuple[float, float] = SELF_SIMILAR
) -> float:
    within = (height > heights[0]) & (height < heights[1])
    if np.count_nonzero(within) < 3:
        return float("nan")
    return float(np.polyfit(ATWOOD * time[within] ** 2, values[within], 1)[0])


def measure(lab: Lab) -> Findings:
    seeds = range(1, 9 if lab.full else 5)
    runs = lab.run_all({f"seed_{seed}": config(seed) for seed in seeds})
    return judge({"seeds": list(seeds), "starts": [heights(run) for run in runs.values()]})


def heights(run: Run) -> dict[str, Array]:
    log = run.diagnostics()
    return {
        "distance": ATWOOD * log["time"] ** 2,
        "bubble": log["bubble_height"],
        "spike": log["spike_height"],
        "width": log["mixing_width"],
        "theta": log["theta"],
    }


def judge(data: Data) -> Findings:
    """The waves' phases decide which few bubbles are left in the end: one start's alpha is a sample."""
    starts = [{name: np.array(values) for name, values in start.items()} for start in data["starts"]]
    alphas = [alpha_of_distance(np.sqrt(start["distance"] / ATWOOD), start["bubble"]) for start in starts]
    thetas = [mean_theta(start["theta"], start["bubble"]) for start in starts]
    group = "alpha_b = dh_b / d(A g t^2), mean of all starts (alpha group: 0.025 ± 0.003)"
    checks: list[Check] = [
        Check(group, float(np.mean(alphas)), *ALPHA_GROUP, 0.025),
        at_most("standard error of that mean", standard_error(alphas), 0.5 * (ALPHA_GROUP[1] - 0.025)),
        constancy_check(starts),
        Check("theta, mean over the self-similar part", float(np.mean(thetas)), 0.7, 0.9, 0.8),
        at_least(
            "largest bubble height over the box's width, of the start where it is least",
            min(float(np.max(start["bubble"])) for start in starts),
            SELF_SIMILAR[1],
        ),
    ]
    return Findings(checks, dict(data), [table(data["seeds"], starts, alphas, thetas)])


def constancy_check(starts: Sequence[dict[str, Array]]) -> Check:
    """Of self-similar growth the two halves of the window have the same slope."""
    early, late = np.mean([halves(start) for start in starts], axis=0)
    return Check(
        "alpha_b in the upper half of the window over that in the lower, means of all starts",
        float(late / early),
        0.8,
        1.25,
        1,
        known_limit=NOT_SELF_SIMILAR.why,
        worst=NOT_SELF_SIMILAR.worst,
    )


def halves(start: dict[str, Array]) -> list[float]:
    time = np.sqrt(start["distance"] / ATWOOD)
    return [slope_of_distance(time, start["bubble"], start["bubble"], half) for half in HALVES]


def standard_error(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def mean_theta(theta: Array, bubble: Array) -> float:
    late = bubble > SELF_SIMILAR[0]
    return float(np.mean(theta[late])) if np.any(late) else float("nan")


def table(
    seeds: Sequence[int], starts: Sequence[dict[str, Array]], alphas: Sequence[float], thetas: Sequence[float]
) -> Section:
    """Other estimates of alpha beside the one that is checked: the alpha group's range is of that one."""
    columns = np.array([alphas, *map(list, zip(*map(other_estimates, starts), strict=True)), thetas])
    rows = [row(f"seed {seed}", values) for seed, values in zip(seeds, columns.T, strict=True)]
    rows.append(row("mean", columns.mean(axis=1)))
    rows.append(row("standard deviation", columns.std(axis=1, ddof=1)))
    note = (
        "All are read where bubbles are 0.15 to 0.5 of the box's width high, or in the lower (to 0.3) or "
        "upper half of that. The mixing width counts all "
        "bubbles and spikes and hardly depends on the start, the height is that of the few that are ahead. "
        "The fit of sqrt(h) against t has alpha_b (1 + t_0 / t) as its slope against A g t²: what the first "
        "column counts as growth, it lays in part to the start, and so comes out smaller."
    )
    title = f"{SCHEME}, single precision, {CELLS} x {CELLS} x {2 * CELLS} cells"
    head = [
        "start",
        "alpha_b from h against A g t²: checked",
        "lower half",
        "upper half",
        "half the mixing width against A g t²",
        "alpha_b from sqrt(h) against t",
        "its virtual origin t_0",
        "theta",
    ]
    return Section(title, head, rows, 1, note)


def other_estimates(start: dict[str, Array]) -> tuple[float, ...]:
    time, bubble = np.sqrt(start["distance"] / ATWOOD), start["bubble"]
    return *halves(start), growth_of_width(time, bubble, start["width"]), *alpha_and_origin(time, bubble)


def row(name: str, values: Array) -> list[str]:
    *alphas, origin, theta = values
    return [name, *(f"{alpha:.4f}" for alpha in alphas), f"{origin:.2f}", f"{theta:.3f}"]


def draw(data: Data) -> Figure:
    figure, (left, right) = subplots(1, 2, figsize=(10.5, 4))
    names = (
        ("bubble", BLUE, "-", "bubbles"),
        ("spike", ORANGE, "--", "spikes"),
        ("width", GREEN, "-.", "mixing width"),
    )
    for number, start in enumerate(data["starts"]):
        for name, colour, style, label in names:
            left.plot(
                start["distance"],
                start[name],
                color=colour,
                linestyle=style,
                linewidth=0.8,
                label=label if number == 0 else None,
            )
        right.plot(start["distance"], start["theta"], color=BLUE, linewidth=0.8)
    distance = np.array(data["starts"][0]["distance"])
    left.plot(distance, 0.025 * distance, color="grey", linewidth=0.8, label="0.025 A g t²")
    left.set(
        xlabel="A g t² / width of the box",
        ylabel="height / width of the box",
        title=f"{len(data['starts'])} starts",
    )
    left.axhspan(*SELF_SIMILAR, color="0.94")
    left.legend(frameon=False)
    right.axhline(0.8, color="grey", linewidth=0.8)
    right.set(xlabel="A g t² / width of the box", ylabel="theta", ylim=(0, 1))
    return figure


CASE = Case(
    name="rt_multi",
    title="Rayleigh-Taylor: turbulent mixing",
    claim=(
        "Random short waves forget their start: bubbles rise as alpha_b A g t² with alpha_b = 0.025 ± "
        "0.003 as the slope of height against A g t², as the codes of the alpha group found for this family "
        "of starts, and the fluids are molecularly mixed to theta = 0.8. One start's bubble height is that "
        "of its few largest bubbles, so the mean of several starts is checked, how sure it is, and whether "
        "growth is the same in both halves of the window."
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
)
