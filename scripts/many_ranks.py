#!/usr/bin/env python3
"""Many ranks on one machine's CPU: they start, run and write checkpoints; one is killed, and they go on.

Prints what N ranks take, as a table of docs/scaling.md: scripts/many_ranks.py [--tayra PATH] N...
Needs Open MPI's mpirun, and 10 MiB of memory a rank. Time says little where ranks share cores.
"""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

CONFIG = """
problem: {{name: rt_multi, atwood: 0.5, amplitude: 0.02, modes: [1, 2], seed: 3}}
grid: {{cells: [8, {rows}, {planes}], upper: [1, {cut}, {height}]}}
run: {{steps: {steps}, device: cpu, halo: mpi}}
output: {{directory: out, checkpoints: {{every_steps: {half}}}, {statistics}}}
"""
STATISTICS = "statistics: {{every_steps: {half}}}"  # of slabs with 32 rows or more
LAUNCHER = ["mpirun", "--oversubscribe", "--bind-to", "none"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
HEAD = """\
| ranks | the first step after, s | ms a step | memory a rank, MiB | its own | going on after, s | same bits |
|---|---|---|---|---|---|---|"""


def ranks_under(parent: int) -> list[int]:
    """The processes that mpirun has started, which have no children themselves."""
    children = [
        int(pid)
        for task in Path(f"/proc/{parent}/task").glob("*/children")
        for pid in task.read_text().split()
    ]
    return [leaf for child in children for leaf in (ranks_under(child) or [child])]


def memory(pid: int) -> tuple[float, float]:
    """MiB that a process has, shared pages by shares, and those that are its own."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kib = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return kib["Pss"] / 1024, (kib["Private_Clean"] + kib["Private_Dirty"]) / 1024


def rows(log: Path) -> list[str]:
    return log.read_text().splitlines()[1:] if log.exists() else []


def record_of(folder: Path) -> dict:
    return json.loads((folder / "out/run.json").read_text())


def wait_for(what: Callable[[], bool], run: subprocess.Popen) -> float:
    start = time.monotonic()
    while not what():
        if run.poll() is not None:
            raise SystemExit(f"the run ended early, with exit code {run.returncode}")
        time.sleep(0.05)
    return time.monotonic() - start


def config_of(steps: int, cut: int) -> str:
    half = steps // 2
    statistics = STATISTICS.format(half=half) if cut == 1 else ""
    height = 64 / cut
    return CONFIG.format(
        steps=2 * half,
        half=half,
        cut=cut,
        rows=8 * cut,
        planes=512 // cut,
        height=height,
        statistics=statistics,
    )


def try_ranks(tayra: str, count: int, cut: int, folder: Path, half: int, fingerprint: str) -> str:
    shutil.rmtree(folder / "out", ignore_errors=True)
    command = [tayra, "supervise", "--", *LAUNCHER, "-n", str(count), tayra, "run", "config.yaml", "--quiet"]
    command += ["--set", f"run.cut_y={cut}"]
    log, checkpoint = folder / "out/timings.csv", folder / f"out/checkpoints/{half:06}.h5"
    with subprocess.Popen(command, cwd=folder, env=AS_ROOT | os.environ, stderr=subprocess.DEVNULL) as run:
        started = wait_for(lambda: rows(log), run)
        wait_for(checkpoint.exists, run)
        ranks = ranks_under(run.pid)
        shares, own = zip(*(memory(rank) for rank in ranks), strict=True)
        wall_ms = statistics.median(float(row.split(",")[3]) for row in rows(log))
        before = (folder / "out/run.json").stat().st_mtime_ns
        os.kill(ranks[count // 2], signal.SIGKILL)
        resumed = wait_for(
            lambda: (
                (folder / "out/run.json").stat().st_mtime_ns != before
                and len(record_of(folder)["attempts"]) == 1
                and len(rows(log)) > half
            ),
            run,
        )
    record = record_of(folder)
    went_on = run.returncode == 0 and record["resumed_from"]["step"] == half and len(ranks) == count
    same = went_on and record["totals"]["fingerprint"] == fingerprint
    return (
        f"| {count} | {started:.1f} | {wall_ms:.3g} | {statistics.mean(shares):.1f} "
        f"| {statistics.mean(own):.1f} | {resumed:.1f} | {'yes' if same else 'NO'} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tayra", default="tayra", metavar="PATH", help="the program (default: tayra)")
    parser.add_argument("ranks", nargs="+", type=int, metavar="N", help="ranks, at most 256")
    parser.add_argument("--cut-y", type=int, default=1, metavar="N", help="ranks side by side (default: 1)")
    parser.add_argument("--steps", type=int, default=40, metavar="N", help="of a run (default: 40)")
    options = parser.parse_args()
    tayra = shutil.which(options.tayra) or parser.error(f"there is no {options.tayra}")
    tayra = str(Path(tayra).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        half = options.steps // 2
        (folder / "config.yaml").write_text(config_of(options.steps, options.cut_y))
        subprocess.run([tayra, "run", "config.yaml", "--quiet"], cwd=folder, check=True)
        fingerprint = record_of(folder)["totals"]["fingerprint"]
        print(HEAD)
        for count in options.ranks:
            print(try_ranks(tayra, count, options.cut_y, folder, half, fingerprint), flush=True)


if __name__ == "__main__":
    main()
