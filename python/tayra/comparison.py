"""What every comparison has, be it of runs or of bench files."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tayra.report import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Comparison(ABC):
    """Things of one kind side by side, in the order given; the first is what the others are held against."""

    @abstractmethod
    def sections(self) -> list[Section]:
        """For people."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """For CSV: one dictionary a row, all with the same keys."""

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """For JSON."""

    @abstractmethod
    def draw(self) -> "Figure":
        """For the eye."""


def label(index: int) -> str:
    """A … Z, then A2 … Z2 and on."""
    turn, letter = divmod(index, 26)
    return chr(ord("A") + letter) + (str(turn + 1) if turn else "")


def differences(facts: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Facts that are not the same everywhere, one value for each; '-' where one is not there."""
    keys = dict.fromkeys(key for each in facts for key in each)
    found = {key: [each.get(key, "-") for each in facts] for key in keys}
    return {key: values for key, values in found.items() if len(set(values)) > 1}


def same_final_bits(fingerprints: Iterable[str]) -> bool | None:
    """None: not known, as one is empty and no two others differ."""
    found = set(fingerprints)
    if len(found - {""}) > 1:
        return False
    return None if "" in found else True


def differences_section(labels: Sequence[str], differing: Mapping[str, Sequence[str]]) -> Section:
    rows = [[key, *values] for key, values in differing.items()]
    note = "" if rows else "nothing: config and machine are the same"
    return Section("What differs", ["", *labels], rows, note=note)
