"""The program does what docs/numerics.md says: a model written from that page alone takes the same steps."""

import json
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import run_tayra
from numerics_model import SCHEMES, Array, Box, Clock, march, signal_rate, step

from tayra import Run

Starts = Callable[[str, str], tuple[Array, Box]]

STEPS = 3
ROUND_OFF = {"double": 2.0**-53, "single": 2.0**-24}
# The worst differences seen, in round-offs of the largest value. Twice as much is room enough, since the
# program has the same bits everywhere. roe3 digs a near vacuum into the blast. There limiting magnifies them.
WORST = {"double": 12, "single": 8.3}
WORST_NEAR_VACUUM = 40.4


def blast(energy: float, density: float, pressure: float, dt: float) -> dict[str, Any]:
    return {
        "problem": {"name": "blast", "radius": 0.3}
        | {"energy": energy, "density": density, "pressure": pressure},
        "grid": {
            "cells": [12, 9, 10],
            "upper": [1, 0.8, 1.1],
            "boundary": {"x": "mirror", "y": "outflow", "z": "periodic"},
        },
        "numerics": {"dt": dt},
    }


def layers(atwood: float, pressure: float, amplitude: float, dt: float) -> dict[str, Any]:
    return {
        "problem": {"name": "rt_multi", "modes": [1, 2]}
        | {"atwood": atwood, "pressure": pressure, "amplitude": amplitude},
        "grid": {
            "cells": [12, 10, 14],
            "upper": [1, 1.2, 1],
            "boundary": {"x": "periodic", "y": "mirror", "z": "mirror"},
        },
        "physics": {"gravity": -1.3},
        "numerics": {"dt": dt},
    }


FLOWS: dict[str, dict[str, Any]] = {
    "blast": blast(30, 1, 0.01, dt=5e-4),
    "layers": layers(0.5, 3, 0.05, dt=2e-3),
    # Near its upper end the background's pressure falls by half from plane to plane.
    "deep layers": layers(0.95, 0.7, 0.1, dt=2e-3),
    # Single precision can't hold all squares here: of a thin gas, and of differences beside strong shocks.
    "thin blast": blast(1e-14, 1e-14, 1e-15, dt=5e-3),
    "strong blast": blast(1e16, 1e9, 1, dt=1e-6),
}
CASES = [
    *product(["blast", "layers"], [True], SCHEMES, ROUND_OFF),
    *product(["layers"], [False], SCHEMES, ROUND_OFF),
    *product(["deep layers"], [True], ["upwind3"], ROUND_OFF),
    *product(["thin blast", "strong blast"], [True], ["weno3"], ["single"]),
]


def computed(
    directory: Path, name: str, numerics: dict[str, Any], run: dict[str, Any], **output: object
) -> Run:
    """With its last state in a checkpoint."""
    # A model that is wrong about the length of steps must not ask for thousands.
    flow = FLOWS[name] | {"numerics": numerics, "run": {"device": "cpu", "steps": 50} | run}
    flow["output"] = {"directory": str(directory), **output}
    config = directory.with_suffix(".yaml")
    config.write_text(json.dumps(flow))
    run_tayra("run", config)
    return Run(directory)


@pytest.fixture(scope="module")
def starts(tmp_path_factory: pytest.TempPathFactory) -> Starts:
    """A flow's first state; it depends on neither scheme nor step."""

    @cache
    def start(name: str, precision: str) -> tuple[Array, Box]:
        run = computed(tmp_path_factory.mktemp("start") / "run", name, {"precision": precision}, {"steps": 0})
        return state(run, 0), box_of(run, name, single=precision == "single")

    return start


def state(run: Run, number: int) -> Array:
    with h5py.File(run.directory / f"checkpoints/{number:06}.h5") as file:
        return np.moveaxis(np.asarray(file["state"], dtype=np.float64), 1, 0)


def box_of(run: Run, name: str, single: bool) -> Box:
    flow = FLOWS[name]
    cells, upper = flow["grid"]["cells"], flow["grid"]["upper"]
    spacing = tuple(length / count for length, count in zip(upper, cells, strict=True))
    heights = (np.arange(cells[2]) + 0.5) * spacing[2] - upper[2] / 2
    return Box(
        spacing,
        tuple(flow["grid"]["boundary"].values()),
        float(run.settings["physics.gamma"]),
        flow.get("physics", {}).get("gravity", 0),
        *(layers_at_rest(flow, heights) if "physics" in flow else (0 * heights, 0 * heights)),
        single=single,
    )


def layers_at_rest(flow: dict[str, Any], heights: Array) -> tuple[Array, Array]:
    """Of sharp layers that meet on a face in the middle of the box; gravity pulls the heavy one down."""
    problem, gravity = flow["problem"], flow["physics"]["gravity"]
    light = (1 - problem["atwood"]) / (1 + problem["atwood"])
    density = np.where(heights > 0, 1.0, light)
    return density, problem["pressure"] + density * gravity * heights


def tolerance(name: str, scheme: str, precision: str) -> float:
    worst = WORST_NEAR_VACUUM if (name, scheme) == ("blast", "roe3") else WORST[precision]
    return 2 * worst * ROUND_OFF[precision]


def assert_alike(model: Array, program: Array, error: float) -> None:
    for variable in (slice(0, 1), slice(1, 4), slice(4, 5)):
        scale = np.max(np.abs(program[variable]))
        assert np.max(np.abs(model[variable] - program[variable])) < error * scale, variable


def test_the_model_has_every_scheme_of_the_program() -> None:
    listed = {scheme["name"] for scheme in json.loads(run_tayra("info", "--json"))["schemes"]}
    assert set(SCHEMES) <= listed
    if listed - set(SCHEMES):
        pytest.skip(f"docs/numerics.md and numerics_model.py don't know {listed - set(SCHEMES)} yet")


@pytest.mark.parametrize(("name", "positivity", "scheme", "precision"), CASES)
def test_steps_are_those_of_the_documents(
    tmp_path: Path, starts: Starts, name: str, positivity: bool, scheme: str, precision: str
) -> None:
    dt = FLOWS[name]["numerics"]["dt"]
    numerics = {"dt": dt, "scheme": scheme, "positivity": positivity, "precision": precision}
    before, box = starts(name, precision)
    run = computed(tmp_path / "run", name, numerics, {"steps": STEPS})
    after = state(run, STEPS)
    model = before
    for _ in range(STEPS):
        model = step(model, box, scheme, positivity, dt)
    assert np.max(np.abs(after - before)) > 1e-3 * np.max(after[0]), "nothing moved"
    if name == "deep layers" or (name == "blast" and scheme != "muscl"):
        assert run.diagnostics()["limited_faces"][-1] > 0, "the limiter had nothing to do"
    assert_alike(model, after, tolerance(name, scheme, precision))


@pytest.mark.parametrize("precision", ROUND_OFF)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["blast", "layers"])
def test_cfl_chooses_the_steps_of_the_documents(
    tmp_path: Path, starts: Starts, name: str, scheme: str, precision: str
) -> None:
    numerics = {"cfl": 0.5, "scheme": scheme, "precision": precision}
    before, box = starts(name, precision)
    whole = 0.5 / signal_rate(before, box)
    # From one time that is due to the next there is room for one step, for two and for more.
    end, *every = (float(f"{steps * whole:.3g}") for steps in (6.6, 3.7, 2.9))
    snapshots, diagnostics = ({"every_time": time} for time in every)
    run = computed(
        tmp_path / "run", name, numerics, {"time": end}, snapshots=snapshots, diagnostics=diagnostics
    )
    times, model = march(before, box, scheme, True, Clock(end, tuple(every), cfl=0.5))
    error = tolerance(name, scheme, precision)
    timings = run.timings()
    assert len(timings["time"]) == len(times)
    assert {every[0], every[1], 2 * every[1], end} <= set(timings["time"])
    assert np.max(np.abs(timings["time"] - times)) < error * whole
    assert np.max(np.abs(timings["dt"] - np.diff([0, *times]))) < error * whole
    assert_alike(model, state(run, len(times)), error)


def test_fixed_steps_are_cut_only_before_times_that_are_due(tmp_path: Path, starts: Starts) -> None:
    before, box = starts("layers", "double")
    numerics, end, every = {"dt": 0.0008}, 0.006, 0.0011
    assert 5 * every != 0.0055, "rounding to 15 digits makes no difference"
    run = computed(tmp_path / "run", "layers", numerics, {"time": end}, diagnostics={"every_time": every})
    times, _ = march(before, box, "muscl", True, Clock(end, (every,), **numerics))
    assert run.timings()["time"].tolist() == times


@pytest.mark.parametrize(("beyond", "steps"), [(0.9e-9, 1), (1.1e-9, 2)])
@pytest.mark.parametrize("length", ["cfl", "dt"])
def test_a_step_grows_by_no_more_than_a_billionth(
    tmp_path: Path, starts: Starts, length: str, beyond: float, steps: int
) -> None:
    before, box = starts("layers", "double")
    numerics = {"cfl": 0.5} if length == "cfl" else {"dt": 2e-3}
    whole = 0.5 / signal_rate(before, box) if length == "cfl" else 2e-3
    end = whole * (1 + beyond)
    run = computed(tmp_path / "run", "layers", numerics, {"time": end})
    times, _ = march(before, box, "muscl", True, Clock(end, **numerics))
    assert len(times) == steps
    assert run.timings()["time"].tolist() == times
