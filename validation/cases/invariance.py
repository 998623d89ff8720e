"""The same run cut, shared and interrupted in several ways: the bits of its end must be the same."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable

from matplotlib.figure import Figure

from tayra import Run
from tayra.figures import subplots
from tayra.report import Section
from validation.case import Case, Check, Data, Findings, at_most
from validation.lab import Config, Lab, visible


def config(lab: Lab) -> Config:
    across = 64 if lab.full else 16
    return {
        "problem": {"name": "rt_multi", "modes": [2, 4], "amplitude": 0.02, "pressure": 5},
        "grid": {"cells": [across, across, 2 * across], "upper": [1, 1, 2]},
        "numerics": {"scheme": "roe3"},
        "run": {"steps": 400 if lab.full else 100},
        "output": {"checkpoints": {"keep": 2}},
    }


def fingerprint(run: Run) -> str:
    return str(run.record["totals"]["fingerprint"])


def restarted(lab: Lab) -> Run:
    """Half of the steps, then the rest with three slabs instead of one."""
    whole = config(lab)
    half = dict(whole) | {"run": {"steps": whole["run"]["steps"] // 2}}
    directory = lab.run("half", half).directory
    going_on = ("run", directory / "validation.json", "--set", f"run.steps={whole['run']['steps']}")
    (directory / "validation.txt").unlink()  # no longer what `half` describes
    lab.call(*going_on, "--resume", "--output", directory, "--slabs", 3)
    return Run(directory)


def on_two_slabs(lab: Lab, halo: str) -> Run:
    """On two GPUs where there are as many."""
    slabs = ("--slabs", "2") if pair(lab) == 1 else ()
    return lab.run(f"halo {halo}", config(lab), (*slabs, "--halo", halo), gpus=pair(lab))


def on_ranks(lab: Lab) -> Run:
    directory = lab.scratch / "ranks"
    path = lab.run("one slab", config(lab)).directory / "validation.json"
    before = ("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2")
    words = ("run", path, "--output", directory, "--force")
    lab.call(*words, before=before, threads=1, gpus=pair(lab))
    return Run(directory)


def pair(lab: Lab) -> int:
    """GPUs that two slabs or ranks share."""
    return min(2, lab.gpus)


def backends(lab: Lab) -> list[str]:
    own = os.environ | visible(lab.machine.gpus[: pair(lab)])
    listing = subprocess.run([lab.tayra, "info"], capture_output=True, text=True, check=True, env=own).stdout
    return re.findall(r"^  (\w+) +available", listing, flags=re.MULTILINE)


def variants(lab: Lab) -> dict[str, Callable[[], Run]]:
    whole = config(lab)
    ways: dict[str, Callable[[], Run]] = {
        f"{slabs} slabs": lambda slabs=slabs: lab.run(f"{slabs} slabs", whole, ("--slabs", str(slabs)))
        for slabs in (2, 5)
    }
    for name in backends(lab):
        ways[f"halo {name}"] = lambda name=name: on_two_slabs(lab, name)
    if shutil.which("mpirun"):
        ways["2 ranks"] = lambda: on_ranks(lab)
    ways["stopped halfway, then three slabs"] = lambda: restarted(lab)
    return ways


def measure(lab: Lab) -> Findings:
    expected = fingerprint(lab.run("one slab", config(lab)))
    found = {name: fingerprint(make()) for name, make in variants(lab).items()}
    different = [name for name, value in found.items() if value != expected]
    what = f"{len(found)} other ways to run it: how many end in other bits"
    rows = [["one slab", expected], *([name, value] for name, value in found.items())]
    check: Check = at_most(what, len(different), 0)
    return Findings(
        [check], {"expected": expected, "found": found}, [Section("Fingerprints", ["run", "bits"], rows, 2)]
    )


def draw(data: Data) -> Figure:
    names = list(data["found"])
    figure, axes = subplots(figsize=(8, 0.5 + 0.3 * len(names)))
    same = [data["found"][name] == data["expected"] for name in names]
    axes.barh(names, [1] * len(names), color=["#009E73" if equal else "#D55E00" for equal in same])
    for row, equal in enumerate(same):
        axes.text(0.5, row, "same bits" if equal else "other bits", ha="center", va="center", color="white")
    axes.set_xticks([])
    axes.invert_yaxis()
    axes.spines[:].set_visible(False)
    return figure


CASE = Case(
    name="invariance",
    title="Invariance",
    claim="Slabs, ranks, halo backends and a restart change no bit of the result.",
    references=(
        "docs/decisions/0001-the-same-bits-everywhere.md and 0305-fingerprints.md in this repository.",
    ),
    measure=measure,
    draw=draw,
    alone=True,
)
