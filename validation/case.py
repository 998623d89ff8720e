"""What a case is, what it measures, and how that is kept as JSON."""

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from tayra.errors import TayraError
from tayra.files import read_object
from tayra.report import Section, write_text
from validation.lab import Lab

Data = Mapping[str, Any]


@dataclass(frozen=True)
class KnownLimit:
    """Why a scheme can't meet an aim, and how far from it that leads: what lies beyond has another reason."""

    why: str
    worst: float


@dataclass(frozen=True)
class Check:
    """A measured value and the range in which it confirms the claim. It holds, or misses that range by no
    more than a known limit explains, or has failed."""

    what: str
    measured: float
    lowest: float | None = None
    highest: float | None = None
    reference: float | None = None
    known_limit: str = ""  # why the scheme can't meet it, if that is known and written down
    worst: float | None = None  # that the known limit explains; without it a limit explains nothing

    @property
    def holds(self) -> bool:
        return self._within(self.lowest, self.highest)

    @property
    def explained(self) -> bool:
        """Short of the aim, but within the known limit."""
        if self.holds or self.worst is None:
            return False
        lowest = None if self.lowest is None else min(self.lowest, self.worst)
        highest = None if self.highest is None else max(self.highest, self.worst)
        return self._within(lowest, highest)

    @property
    def failed(self) -> bool:
        return not (self.holds or self.explained)

    def _within(self, lowest: float | None, highest: float | None) -> bool:
        above = lowest is None or self.measured >= lowest
        below = highest is None or self.measured <= highest
        return above and below and not math.isnan(self.measured)


def at_most(what: str, measured: float, limit: float, known: KnownLimit | None = None) -> Check:
    return Check(what, float(measured), highest=float(limit), **_words(known))


def at_least(what: str, measured: float, limit: float, known: KnownLimit | None = None) -> Check:
    return Check(what, float(measured), lowest=float(limit), **_words(known))


def near(what: str, measured: float, reference: float, share: float) -> Check:
    """Within `share` of the reference value."""
    margin = abs(reference) * share
    return Check(
        what, float(measured), float(reference - margin), float(reference + margin), float(reference)
    )


def _words(known: KnownLimit | None) -> dict[str, Any]:
    return {} if known is None else {"known_limit": known.why, "worst": float(known.worst)}


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
    lacks: Callable[[Data], list[str]] = lambda _: []  # schemes that kept data lack, for the report to name
    for_gpus: bool = False  # too large for a CPU
    alone: bool = False  # its runs take several GPUs or wait for each other there


def measured(schemes: Iterable[str], results: Collection[str]) -> list[str]:
    """In the order of `schemes`, which may name one that came after the results that are kept."""
    return [scheme for scheme in schemes if scheme in results]


def unmeasured(schemes: Iterable[str], results: Collection[str]) -> list[str]:
    return [scheme for scheme in schemes if scheme not in results]


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

    @property
    def failed(self) -> list[Check]:
        return [check for check in self.findings.checks if check.failed]


def write_outcome(path: Path, outcome: Outcome) -> None:
    write_text(path, json.dumps(asdict(outcome), default=_plain, indent=1) + "\n")


def read_outcome(path: Path) -> Outcome:
    raw = read_object(path)
    try:
        findings = raw.pop("findings")
        return Outcome(
            **raw,
            findings=Findings(
                [Check(**check) for check in findings["checks"]],
                findings["data"],
                [Section(**table) for table in findings["tables"]],
            ),
        )
    except (KeyError, TypeError) as error:
        raise TayraError(
            f"{path} holds no results of a case ({error}): remove it and measure anew"
        ) from error


def _plain(value: Any) -> Any:  # noqa: ANN401  # numpy's numbers and arrays
    return value.tolist()
