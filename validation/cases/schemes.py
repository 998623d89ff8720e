"""The program's schemes and what they say of themselves, by their names: `tayra info --json` tells it."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Scheme:
    """What each means: src/physics/scheme.hpp."""

    order: int
    growth_error: float
    keeps_contacts: bool
    keeps_crests: bool
    captures_shocks: bool
    lacks_of_order: float
    lets_sound_grow: bool

    @property
    def is_accurate(self) -> bool:
        """Of such schemes checks ask for small errors."""
        return self.growth_error <= ACCURATE


ACCURATE = 0.01
SCHEMES: dict[str, Scheme] = {}  # once the program has been asked


def learn(told: Iterable[dict[str, Any]]) -> None:
    names = [field.name for field in fields(Scheme)]
    SCHEMES.clear()
    SCHEMES.update({each["name"]: Scheme(**{name: each[name] for name in names}) for each in told})


def those(claim: str) -> list[str]:
    """Names of the schemes that say so, for example `those("keeps_contacts")`."""
    return [name for name, scheme in SCHEMES.items() if getattr(scheme, claim)]
