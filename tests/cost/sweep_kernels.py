#!/usr/bin/env python3
"""Registers, spills and shared memory of the sweep kernels, from ptxas, against sweep_kernels.json."""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from cost_table import Costs, check

KERNEL = re.compile(
    r"sweep_kernel<tayra::(\w+), \(tayra::Positivity\)([01]), \(tayra::TileKind\)([0123]), "
    r"\(tayra::GpuClass\)([012]), (?:\(bool\))?(\w+), (\w+)>"
)
TILES = ["square", "tall", "flat", "row"]
CLASSES = ["100 KiB", "164 KiB", "228 KiB"]
REPORT = re.compile(
    r"Compiling entry function '(?P<name>\w+)' for '(?P<target>\w+)'\n"
    r".*Function properties for (?P=name)\n"
    r".* (?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads\n"
    r".*Used (?P<registers>\d+) registers(?P<rest>.*)"
)


def reported(compiled: Path) -> Costs:
    """The sweep kernels of an object, by the report that cmake/keep_ptxas_report.sh kept beside it."""
    costs = {}
    for kernel in REPORT.finditer(Path(f"{compiled}.ptxas").read_text(encoding="utf-8")):
        case = case_of(kernel["name"])
        if case is None or "used 0 barriers" in kernel["rest"]:  # of another architecture's tiles
            continue
        static = re.search(r"(\d+) bytes smem", kernel["rest"])
        costs[f"{case}, {kernel['target']}"] = {
            "registers": int(kernel["registers"]),
            "spill stores": int(kernel["stores"]),
            "spill loads": int(kernel["loads"]),
            "static shared memory": int(static.group(1)) if static else 0,
        }
    return costs


def case_of(mangled: str) -> str | None:
    name = subprocess.run(["c++filt", mangled], capture_output=True, text=True, check=True).stdout
    kernel = KERNEL.search(name)
    if kernel is None:
        return None
    scheme, limiter, tile, gpu, carries, real = kernel.groups()
    if carries in ("1", "true"):  # as its twin that carries no scalars, but for a few stores
        return None
    precision = {"double": "double", "float": "single"}[real]
    limited = "on" if limiter == "1" else "off"
    return f"{scheme.lower()}, {precision}, limiter {limited}, {TILES[int(tile)]}, {CLASSES[int(gpu)]}"


def target_of(case: str) -> str:
    return case.rpartition(", ")[2]


def dynamic_memory(program: Path) -> dict[str, int]:
    """What a launch asks for, by case."""
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    # A struct MyScheme is myscheme to case_of(), and my_scheme here.
    return {case.replace("_", ""): int(size) for case, size in (line.split(": ") for line in lines)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("objects", type=Path, nargs="+", help="OBJECT.ptxas holds what ptxas said of it")
    parser.add_argument(
        "--memory", type=Path, required=True, help="prints the dynamic shared memory of the kernels"
    )
    parser.add_argument("--compiler", required=True, help="name and version of the compiler")
    options = parser.parse_args()
    costs = {case: cost for path in options.objects for case, cost in reported(path).items()}
    memory = dynamic_memory(options.memory)
    for case, cost in costs.items():
        cost["dynamic shared memory"] = memory[case.rpartition(", ")[0]]
    table = Path(__file__).with_suffix(".json")
    if not os.environ.get(
        "TAYRA_RENEW_COSTS"
    ):  # a build for a GPU of its own is compared as far as the table goes
        known = {target_of(case) for case in json.loads(table.read_text(encoding="utf-8"))["costs"]}
        costs = {case: cost for case, cost in costs.items() if target_of(case) in known}
    targets = {target_of(case) for case in costs}
    return check(table, options.compiler, costs, counts=lambda case: target_of(case) in targets)


if __name__ == "__main__":
    sys.exit(main())
