"""The machine that runs share: which of them lies on which GPU, and all programs that run at the moment."""

import heapq
import itertools
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Condition

from tayra.errors import TayraError

RUNS_ON_ONE_GPU = 4  # small ones hardly slow each other, large ones hide each other's start and files


class Machine:
    """Used by all cases at the same time."""

    def __init__(self, gpus: int = 1) -> None:
        numbers = os.environ.get("CUDA_VISIBLE_DEVICES") or ",".join(map(str, range(gpus)))
        self.gpus = numbers.split(",")[:gpus]
        if len(self.gpus) < gpus:
            raise TayraError(f"--gpus {gpus}: CUDA_VISIBLE_DEVICES shows {len(self.gpus)}: ask for fewer")
        self._work: dict[str, list[float]] = {gpu: [] for gpu in self.gpus}
        self._waiting: list[tuple[float, int]] = []
        self._arrivals = itertools.count()
        self._changed = Condition()
        self._programs: set[subprocess.Popen[str]] = set()
        self._stopped = False

    @contextmanager
    def room(self, gpus: int, work: float) -> Iterator[list[str]]:
        """The GPUs with the least work that is under way; of the runs that wait the largest goes first."""
        ticket = (-work, next(self._arrivals))
        with self._changed:
            heapq.heappush(self._waiting, ticket)
            self._changed.wait_for(lambda: self._stopped or self._may_start(ticket, gpus))
            self._require_going()
            heapq.heappop(self._waiting)
            taken = sorted(self._with_room(), key=lambda gpu: sum(self._work[gpu]))[:gpus]
            for gpu in taken:
                self._work[gpu].append(work)
            self._changed.notify_all()
        try:
            yield taken
        finally:
            with self._changed:
                for gpu in taken:
                    self._work[gpu].remove(work)
                self._changed.notify_all()

    def call(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        with self._changed:
            self._require_going()
            program = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
            )
            self._programs.add(program)
        _, errors = program.communicate()
        with self._changed:
            self._programs.remove(program)
        if program.returncode != 0:
            raise TayraError(f"{' '.join(command)} ended with {program.returncode}: {errors.strip()}")

    def stop(self) -> None:
        """Ends all programs, which leave checkpoints where they have any, and starts no other."""
        with self._changed:
            self._stopped = True
            for program in self._programs:
                program.terminate()
            self._changed.notify_all()

    def _may_start(self, ticket: tuple[float, int], gpus: int) -> bool:
        return self._waiting[0] == ticket and len(self._with_room()) >= gpus

    def _with_room(self) -> list[str]:
        return [gpu for gpu, work in self._work.items() if len(work) < RUNS_ON_ONE_GPU]

    def _require_going(self) -> None:
        if self._stopped:
            raise TayraError("stopped")
