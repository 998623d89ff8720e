"""Where cases run Tayra: on which device, how thoroughly, and where the results lie."""

import hashlib
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tayra import Run
from tayra.errors import TayraError

Config = Mapping[str, Any]
RUNS_ON_ONE_GPU = 4  # small ones side by side


@dataclass
class Lab:
    tayra: Path
    scratch: Path
    device: str = "cpu"
    full: bool = False
    gpus: int = 1  # for the largest runs
    runs: list[Run] = field(default_factory=list, init=False)

    def run(self, name: str, config: Config, options: Sequence[str] = ()) -> Run:
        """One run with all threads of the machine."""
        return self._run(name, config, options, None)

    def run_all(self, configs: Mapping[str, Config]) -> dict[str, Run]:
        """Small runs side by side, a thread each."""
        workers = RUNS_ON_ONE_GPU if self.device == "cuda" else len(os.sched_getaffinity(0))
        with ThreadPoolExecutor(workers) as pool:
            runs = pool.map(lambda item: self._run(item[0], item[1], (), 1), configs.items())
            return dict(zip(configs, runs, strict=True))

    def _run(self, name: str, config: Config, options: Sequence[str], threads: int | None) -> Run:
        """Results of the same program and config are taken as they are; a run that was cut off goes on."""
        directory = self.scratch / name
        text = json.dumps(config, indent=1)
        stamp = "\n".join([self._program_sum(), self.device, *options, text])
        known = directory / "validation.txt"
        begun = known.is_file() and known.read_text(encoding="utf-8") == stamp
        if not (begun and self._is_finished(directory)):
            path = directory / "validation.json"
            directory.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            known.write_text(stamp, encoding="utf-8")
            how = "--resume" if begun else "--force"
            place = ("--device", self.device, "--output", directory)
            self.call("run", path, *place, how, *options, threads=threads)
        run = Run(directory)
        self.runs.append(run)
        return run

    def call(self, *words: object, before: Sequence[str] = (), threads: int | None = None) -> None:
        """The program itself; `before` are words in front of it, as of mpirun."""
        environment = os.environ | {"OMP_WAIT_POLICY": "passive"}
        if threads is not None:
            environment["OMP_NUM_THREADS"] = str(threads)
        command = [*before, str(self.tayra), *map(str, words), "--quiet"]
        result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if result.returncode != 0:
            raise TayraError(f"{' '.join(command)} ended with {result.returncode}: {result.stderr.strip()}")

    @staticmethod
    def _is_finished(directory: Path) -> bool:
        return (directory / "run.json").is_file() and Run(directory).record["status"] == "finished"

    def _program_sum(self) -> str:
        return hashlib.sha256(self.tayra.read_bytes()).hexdigest()
