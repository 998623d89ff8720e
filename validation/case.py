"""What a case is, what it measures, and how that is kept as JSON."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from tayra.json_file import read_object
from tayra.report import Section
from validation.lab import Lab

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """A measured value and the range in which it confirms the claim."""

    what: str
    measured: float
    lowest: float | None = None
    highest: float | None = None
    reference: float | None = None
    known_limit: str = ""  # why the scheme can't meet it, if that is known and written down

    @property
    def holds(self) -> bool:
        above = self.lowest is None or self.measured >= self.lowest
        below = self.highest is None or self.measured <= self.highest
        return above and below and not math.isnan(self.measured)


def at_most(what: str, measured: float, limit: float, known_limit: str = "") -> Check:
    return Check(what, float(measured), highest=float(limit), known_limit=known_limit)


def at_least(what: str, measured: float, limit: float, known_limit: str = "") -> Check:
    return Check(what, float(measured), lowest=float(limit), known_limit=known_limit)


def near(what: str, measured: float, reference: float, share: float, known_limit: str = "") -> Check:
    """Within `share` of the reference value."""
    margin = abs(reference) * share
    return Check(
        what,
        float(measured),
        float(reference - margin),
        float(reference + margin),
        float(reference),
        known_limit,
    )


@dataclass(frozen=True)
class Findings:
    """What a case found: checks, tables for the reader and the numbers that its plot is drawn from."""

    checks: Sequence[Check]
    data: dict[str, Any]
    tables: Sequence[Section] = field(default_factory=list)


@dataclass(frozen=True)
class Case:
    name: str
    title: str
    claim: str
    references: Sequence[str]
    measure: Callable[[Lab], Findings]
    draw: Callable[[Data], Figure]
    for_gpus: bool = False  # too large for a CPU
    alone: bool = False  # its runs take several GPUs or wait for each other there


@dataclass(frozen=True)
class Outcome:
    """A case's findings with where and how they came about."""

    case: str
    effort: str  # quick or full
    device: str
    commit: str
    date: str
    seconds: float  # that runs took, summed over all
    runs: int
    findings: Findings = field(repr=False)

    @property
    def missed(self) -> list[Check]:
        return [check for check in self.findings.checks if not check.holds]


def write_outcome(path: Path, outcome: Outcome) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".tmp")
    beside.write_text(json.dumps(asdict(outcome), default=_plain, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


def read_outcome(path: Path) -> Outcome:
    raw = read_object(path)
    findings = raw.pop("findings")
    return Outcome(
        **raw,
        findings=Findings(
            [Check(**check) for check in findings["checks"]],
            findings["data"],
            [Section(**table) for table in findings["tables"]],
        ),
    )


def _plain(value: Any) -> Any:  # noqa: ANN401  # numpy's numbers and arrays
    return value.tolist()
