#!/usr/bin/env python3
"""Scaling on paper: the tables of docs/scaling.md that reach 16,384 GPUs, made by `tayra model`.

The machines are made of benchmarks/results (H200) and of what is assumed below: links between islands of
NVLink, the file system, failures. --machines DIR leaves their files, for `tayra model` and `tayra check`.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/scaling.md"
RESULTS = [
    *("step_h200", "step_small_h200", "halo", "scaling_strong", "scaling_large"),
    *("scaling_weak", "scaling_weak_large", "scaling_weak_schemes"),
]
CUT_ALONG_Y = ["scaling_both_cuts", "halo_two", "halo_two_y"]  # of two GPUs: what rows' rims take

ISLANDS, RATES = (4, 8, 72), (50, 100)  # GPUs; GB/s out of a GPU between islands
GRIDS = (1024, 2048, 4096, 8192, 16384)
COUNTS = [2**power for power in range(2, 15)]
MOST = COUNTS[-1]
GIGABYTES = 141  # of an H200

# Between islands nothing was measured. Latencies are those of the smallest faces between ranks of one node
# (benchmarks/results/halo_put.json, halo_ranks.json). Bytes that a network card moves leave the sweep alone;
# kernels of nccl slow it and hide nothing, as measured within a node.
PUT = {"latency_us": [[2, 32]], "never_hidden": 0}
NCCL = {"latency_us": [[2, 25]], "never_hidden": 1, "slows_sweep": 0.21}

BYTES_OF_CELL = 5 * 8
DISK_TERABYTES = (1, 10)  # a second, of the file system
# Llama 3 on 16,384 H100: 419 interruptions in 54 days that nobody had planned (arXiv 2407.21783).
GPU_HOURS_BETWEEN_FAILURES = 54 * 24 * 16384 / 419
RESTART_SECONDS = 300

Case = dict[str, float]


class Model:
    """`tayra model` on files of machines."""

    def __init__(self, tayra: str, folder: Path, put: dict[str, object] = PUT) -> None:
        self.tayra, self.folder = tayra, folder
        rims = {"rim_rows_ms": self._measured(CUT_ALONG_Y)["rim_rows_ms"]}
        measured = self._measured(RESULTS) | rims
        for island in ISLANDS:
            for rate in RATES:
                links = {"put": put, "nccl": NCCL}
                machine = measured | {
                    "machine": f"H200, islands of {island}, {rate} GB/s a GPU between",
                    "gpus_per_node": island,
                    "gigabytes": GIGABYTES,
                    "between": {name: link | {"gb_per_second": rate} for name, link in links.items()},
                }
                self.file(island, rate).write_text(json.dumps(machine, indent=1))

    def with_slower_put(self) -> "Model":
        """A third of what it sends shows, as of copies within a node."""
        folder = self.folder / "slower_put"
        folder.mkdir(exist_ok=True)
        return Model(self.tayra, folder, PUT | {"never_hidden": 1 / 3})

    def file(self, island: int, rate: int) -> Path:
        return self.folder / f"h200_{island}_{rate}.json"

    def _measured(self, results: list[str]) -> dict:
        return self._ask([str(ROOT / f"benchmarks/results/{name}.json") for name in results])

    def _ask(self, words: list[str]) -> dict:
        command = [self.tayra, "model", *words, "--json"]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    def cases(
        self, machine: tuple[int, int], cells: tuple[int, ...], gpus: Iterable[int], *more: str
    ) -> list[Case]:
        """Of those numbers of GPUs on which the box's memory fits."""
        words = [str(self.file(*machine)), "--cells", "x".join(map(str, cells)), *more]
        every = self._ask([*words, "--gpus", ",".join(map(str, gpus))])
        return [case for case in every if case["memory_bytes"] <= GIGABYTES * 1e9]

    def strong(self, machine: tuple[int, int], side: int, *more: str, alone: bool = False) -> list[Case]:
        """Of a cube, with the cut advised or along z alone, over islands."""
        most = side // 2 if alone else MOST
        counts = [count for count in COUNTS if machine[0] < count <= most]
        return self.cases(machine, (side,) * 3, counts, *more, *(("--cut-y", "1") if alone else ()))


MACHINES = [(island, rate) for island in ISLANDS for rate in RATES]
HEADS = [f"{island}, {rate} GB/s" for island, rate in MACHINES]


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [f"| {' | '.join(line)} |" for line in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def cut(case: Case) -> str:
    return f"{case['along_z']} × {case['along_y']}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.1f} %"


def exposed(case: Case) -> float:
    return case["latency_ms"] + case["bandwidth_ms"]


def grid(side: int) -> str:
    return f"{side}³"


def memory(model: Model) -> str:
    rows = []
    for side in GRIDS:
        fields = side**3 * BYTES_OF_CELL
        fitting = model.cases((72, 100), (side,) * 3, [1, 2, *COUNTS])
        least = fitting[0]
        rows.append(
            [
                grid(side),
                f"{3 * fields / 1e12:.3g} TB",
                f"{least['gpus']} ({cut(least)})",
                f"{least['memory_bytes'] / 1e9:.3g} GB",
                f"{fitting[-1]['memory_bytes'] / 1e9:.3g} GB",
                f"{fields / 1e12:.3g} TB",
            ]
        )
    head = [
        "grid",
        "three fields",
        "least GPUs of 141 GB (z × y)",
        "each then holds",
        "of 16,384 each",
        "checkpoint",
    ]
    return table(head, rows)


def hiding(model: Model) -> str:
    """The most GPUs of which nothing shows of an exchange by put."""

    def most(cases: list[Case]) -> str:
        hidden = [case for case in cases if exposed(case) == 0]
        return str(int(hidden[-1]["gpus"])) if hidden else "none"

    rows = [
        [
            grid(side),
            *(
                f"{most(model.strong(machine, side, '--halo', 'put', alone=True))} / "
                f"{most(model.strong(machine, side, '--halo', 'put'))}"
                for machine in MACHINES
            ),
        ]
        for side in GRIDS
    ]
    return table(["grid", *HEADS], rows)


def advice(model: Model, halo: str) -> str:
    rows = []
    for side in GRIDS:
        by_machine = [model.strong(machine, side, "--halo", halo) for machine in MACHINES]
        for count in (256, 1024, 4096, MOST):
            found = [[case for case in cases if case["gpus"] == count] for cases in by_machine]
            if all(found):
                rows.append(
                    [
                        grid(side),
                        f"{count:,}",
                        *(f"{percent(case['efficiency'])} ({cut(case)})" for (case,) in found),
                    ]
                )
    return table(["grid", "GPUs", *HEADS], rows)


def parts(model: Model) -> str:
    rows = []
    for side in GRIDS:
        for case in model.strong((8, 50), side, "--halo", "put"):
            if case["gpus"] in (64, 1024, MOST):
                rest = case["late_ms"] + case["rim_ms"]
                rows.append(
                    [
                        grid(side),
                        f"{case['gpus']:,}",
                        cut(case),
                        f"{case['step_ms']:.3g}",
                        f"{case['sweep_ms']:.3g}",
                        f"{rest:.2g}",
                        f"{exposed(case):.2g}",
                        f"{case['reduction_ms']:.2g}",
                        f"{case['memory_bytes'] / 1e9:.3g} GB",
                        f"{case['gpu_hours_of_1000_steps']:.3g}",
                    ]
                )
    head = ["grid", "GPUs", "z × y", "ms a step", "sweep", "late, rim", "exchange", "reduction", "memory"]
    return table([*head, "GPU hours of 1,000 steps"], rows)


def weak(model: Model) -> str:
    boxes = [(2 * side, 2 * side, 2 * side) for side in (512, 1024, 2048, 4096)] + [(16384, 16384, 8192)]
    slower = model.with_slower_put()
    rows = []
    for box in boxes:
        gpus = math.prod(box) // 512**3
        for name, halo, asked in (
            ("put", "put", model),
            ("put, a third shows", "put", slower),
            ("nccl", "nccl", model),
        ):
            cells = []
            for machine in MACHINES:
                inside = gpus <= machine[0]
                (case,) = asked.cases(machine, box, [gpus], "--halo", "auto" if inside else halo)
                cells.append(f"{percent(case['efficiency'])} ({'NVLink' if inside else cut(case)})")
            rows.append([" × ".join(map(str, box)), f"{gpus:,}", name, *cells])
    return table(["box", "GPUs", "between", *HEADS], rows)


def reduction(model: Model) -> str:
    rows = []
    for island in ISLANDS:
        case = model.strong((island, 50), 8192, "--halo", "put")[-1]
        nodes = math.ceil(MOST / island)
        rows.append(
            [
                str(island),
                f"{nodes:,}",
                str(math.ceil(math.log2(nodes))),
                f"{case['reduction_ms']:.2f} ms",
                percent(case["reduction_ms"] / case["step_ms"]),
            ]
        )
    return table(["islands of", "islands", "levels", "a step's reduction", "of a step of 8192³"], rows)


def duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.2g} min" if seconds < 6000 else f"{seconds / 3600:.2g} h"


def rounded(number: float) -> str:
    return f"{float(f'{number:.2g}'):,.0f}"


def failures(model: Model) -> str:
    """Young's interval (1974), and what checkpoints, lost work and starts take of the time."""
    rows = []
    for side in GRIDS[1:]:
        for gpus in (1024, MOST):
            cases = model.cases((8, 50), (side,) * 3, [gpus])
            if not cases:
                continue
            between = 3600 * GPU_HOURS_BETWEEN_FAILURES / gpus
            cells = []
            for rate in DISK_TERABYTES:
                cost = 2 * side**3 * BYTES_OF_CELL / (rate * 1e12)  # written, and read back
                interval = math.sqrt(2 * cost * between)
                lost = cost / interval + (interval / 2 + RESTART_SECONDS) / between
                steps = interval / cases[0]["step_ms"] * 1e3
                cells += [duration(cost), f"{duration(interval)}, {rounded(steps)} steps", percent(lost)]
            rows.append([grid(side), f"{gpus:,}", duration(between), *cells])
    columns = [(f"checkpoint at {rate} TB/s", "every", "lost") for rate in DISK_TERABYTES]
    return table(["grid", "GPUs", "between failures", *(word for three in columns for word in three)], rows)


TABLES = {
    "memory": memory,
    "hiding": hiding,
    "advice": lambda model: advice(model, "put"),
    "parts": parts,
    "weak": weak,
    "reduction": reduction,
    "failures": failures,
}


def with_tables(page: str, tables: dict[str, str]) -> str:
    """Each stands behind a line that names it, up to an empty line."""
    for name, text in tables.items():
        pattern = rf"(<!-- scaling_tables.py: {name} -->\n\n)(?:\|.*\n)*\n*"
        page, found = re.subn(pattern, lambda mark, text=text: f"{mark[1]}{text}\n\n", page)
        if found != 1:
            raise SystemExit(f"{PAGE} has no place for the table '{name}'")
    return page


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tayra", default="tayra", metavar="PATH", help="the program (default: tayra)")
    parser.add_argument("--machines", type=Path, metavar="DIR", help="leave the files of the machines here")
    parser.add_argument("--update", action="store_true", help="put the tables into docs/scaling.md")
    parser.add_argument("--check", action="store_true", help="fail if docs/scaling.md has other tables")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.machines or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        model = Model(options.tayra, folder)
        tables = {name: make(model) for name, make in TABLES.items()}
    if options.check or options.update:
        page = PAGE.read_text(encoding="utf-8")
        updated = with_tables(page, tables)
        if options.update:
            PAGE.write_text(updated, encoding="utf-8")
        elif updated != page:
            print("docs/scaling.md has other tables: run scripts/scaling_tables.py --update")
            return 1
        return 0
    for name, text in tables.items():
        print(f"{name}\n\n{text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
