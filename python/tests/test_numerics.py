"""The program does what docs/numerics.md says: a model written from that page alone takes the same steps."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import run_tayra
from numerics_model import SCHEMES, Array, Box, step

from tayra import Run

STEPS = 3
ROUND_OFF = 2e-13

FLOWS: dict[str, dict[str, Any]] = {
    "blast": {
        "problem": {"name": "blast", "energy": 30, "radius": 0.3, "density": 1, "pressure": 0.01},
        "grid": {
            "cells": [12, 9, 10],
            "upper": [1, 0.8, 1.1],
            "boundary": {"x": "mirror", "y": "outflow", "z": "periodic"},
        },
        "numerics": {"dt": 5e-4},
    },
    "layers": {
        "problem": {"name": "rt_multi", "atwood": 0.5, "pressure": 3, "amplitude": 0.05, "modes": [1, 2]},
        "grid": {
            "cells": [12, 10, 14],
            "upper": [1, 1.2, 1],
            "boundary": {"x": "periodic", "y": "mirror", "z": "mirror"},
        },
        "physics": {"gravity": -1.3},
        "numerics": {"dt": 2e-3},
    },
}


def state(run: Path, number: int) -> Array:
    with h5py.File(run / f"checkpoints/{number:06}.h5") as file:
        return np.moveaxis(np.asarray(file["state"], dtype=np.float64), 1, 0)


def layers_at_rest(flow: dict[str, Any], heights: Array) -> tuple[Array, Array]:
    """Of sharp layers that meet on a face in the middle of the box; gravity pulls the heavy one down."""
    problem, gravity = flow["problem"], flow["physics"]["gravity"]
    light = (1 - problem["atwood"]) / (1 + problem["atwood"])
    density = np.where(heights > 0, 1.0, light)
    return density, problem["pressure"] + density * gravity * heights


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("name", "positivity"), [("blast", True), ("layers", True), ("layers", False)])
def test_steps_are_those_of_the_documents(tmp_path: Path, name: str, scheme: str, positivity: bool) -> None:
    flow = deepcopy(FLOWS[name])
    flow["numerics"] |= {"scheme": scheme, "positivity": positivity}
    flow["run"] = {"steps": STEPS, "device": "cpu"}
    flow["output"] = {"directory": str(tmp_path / "run"), "checkpoints": {"every_steps": 1, "keep": 9}}
    config = tmp_path / "config.yaml"
    config.write_text(json.dumps(flow))
    run_tayra("run", config)
    run = tmp_path / "run"
    before, after = state(run, 1), state(run, STEPS)
    cells, upper = flow["grid"]["cells"], flow["grid"]["upper"]
    spacing = tuple(length / count for length, count in zip(upper, cells, strict=True))
    heights = (np.arange(cells[2]) + 0.5) * spacing[2] - upper[2] / 2
    at_rest = layers_at_rest(flow, heights) if "physics" in flow else (0 * heights, 0 * heights)
    box = Box(
        spacing,
        tuple(flow["grid"]["boundary"].values()),
        float(Run(run).settings["physics.gamma"]),
        flow.get("physics", {}).get("gravity", 0),
        *at_rest,
    )
    model = before
    for _ in range(STEPS - 1):
        model = step(model, box, scheme, positivity, flow["numerics"]["dt"])
    assert np.max(np.abs(after - before)) > 1e-3, "nothing moved"
    if name == "blast" and scheme != "muscl":
        assert Run(run).diagnostics()["limited_faces"][-1] > 0, "the limiter had nothing to do"
    for variable in (slice(0, 1), slice(1, 4), slice(4, 5)):
        scale = np.max(np.abs(after[variable]))
        assert np.max(np.abs(model[variable] - after[variable])) < ROUND_OFF * scale, variable
