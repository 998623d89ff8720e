"""Where cases run Tayra: on which device, how thoroughly, and where the results lie."""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

from tayra import Run
from validation.machine import RUNS_ON_ONE_GPU, Machine

Config = Mapping[str, Any]
LEAST_CELLS = 1e5  # a GPU takes no less time for fewer
CORES = len(os.sched_getaffinity(0))


@dataclass
class Lab:
    tayra: Path
    scratch: Path
    device: str = "cpu"
    full: bool = False
    hardware: str = ""  # that results are credited to: those of another one are not taken
    threads: int | None = None  # of one run on the CPU, unless many go side by side; else all
    machine: Machine = field(default_factory=Machine)
    runs: list[Run] = field(default_factory=list, init=False)

    @property
    def gpus(self) -> int:
        return len(self.machine.gpus)

    def run(self, name: str, config: Config, options: Sequence[str] = (), gpus: int = 1) -> Run:
        """One run with all threads of the machine, or on GPUs."""
        return self._run(name, config, options, gpus, self.threads)

    def run_large(self, configs: Mapping[str, Config]) -> dict[str, Run]:
        """Side by side on GPUs, one after the other on the CPU."""
        if self.device == "cuda":
            return self.run_all(configs)
        return {name: self.run(name, config) for name, config in configs.items()}

    def run_all(self, configs: Mapping[str, Config]) -> dict[str, Run]:
        """Runs side by side: as many as GPUs have room for, or on the CPU small ones with a thread each."""
        workers = len(configs) if self.device == "cuda" else CORES
        with ThreadPoolExecutor(workers) as pool:
            runs = pool.map(lambda item: self._run(item[0], item[1], (), 1, 1), configs.items())
            return dict(zip(configs, runs, strict=True))

    def _run(self, name: str, config: Config, options: Sequence[str], gpus: int, threads: int | None) -> Run:
        """Results of the same program, config and hardware are taken as they are; a run that was cut off
        goes on."""
        directory = self.scratch / name
        if gpus > 1:
            options = (*options, "--gpus", str(gpus))
        text = json.dumps(config, indent=1)
        stamp = "\n".join([program_sum(self.tayra), self.device, self.hardware, *options, text])
        known = directory / "validation.txt"
        begun = known.is_file() and known.read_text(encoding="utf-8") == stamp
        if not begun:
            shutil.rmtree(directory, ignore_errors=True)  # what another run finished is not this one's
            directory.mkdir(parents=True)
            (directory / "validation.json").write_text(text, encoding="utf-8")
            known.write_text(stamp, encoding="utf-8")
        if not self._is_finished(directory):
            words = ("run", directory / "validation.json", "--output", directory, "--resume", *options)
            self.call(*words, threads=threads, gpus=gpus, work=work(config))
        run = Run(directory)
        self.runs.append(run)
        return run

    def call(
        self,
        *words: object,
        before: Sequence[str] = (),
        threads: int | None = None,
        gpus: int = 1,
        work: float = 0,
    ) -> None:
        """The program itself on this device; `before` are words in front of it, as of mpirun."""
        command = [*before, str(self.tayra), *map(str, words), "--device", self.device, "--quiet"]
        if self.device == "cpu":
            self.machine.call(command, environment(threads))
            return
        share = CORES // (self.gpus * RUNS_ON_ONE_GPU) if gpus == 1 else CORES // gpus
        with self.machine.room(gpus, work) as taken:
            self.machine.call(command, environment(max(1, share)) | visible(taken))

    @staticmethod
    def _is_finished(directory: Path) -> bool:
        return (directory / "run.json").is_file() and Run(directory).record["status"] == "finished"


def environment(threads: int | None) -> dict[str, str]:
    own = os.environ | {"OMP_WAIT_POLICY": "passive"}
    return own if threads is None else own | {"OMP_NUM_THREADS": str(threads)}


def visible(gpus: Sequence[str]) -> dict[str, str]:
    return {"CUDA_VISIBLE_DEVICES": ",".join(gpus)}


def work(config: Config) -> float:
    """Cells times steps, guessed from what the config says: enough to start what takes long first."""
    cells = config["grid"]["cells"]
    steps = config["run"].get("steps") or 10 * max(cells) * max(1, config["run"]["time"])
    return float(max(prod(cells), LEAST_CELLS) * steps)


@cache
def program_sum(tayra: Path) -> str:
    return hashlib.sha256(tayra.read_bytes()).hexdigest()
