"""Rows of `bench scaling`: families of equal boxes or equal slabs, and what follows from them."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

from tayra.bench_file import Row
from tayra.report import Section

# The plain way through the host's memory: what the other halo backends are held against.
REFERENCE = "host"
# Sends nothing, whatever `bytes_sent` of older files says: so it has no rate, and saves what a flow needs.
NO_EXCHANGE = "none"


@dataclass(frozen=True)
class Scaling:
    """One row: medians over the runs that were kept, a step each."""

    scheme: str
    precision: str
    cells: tuple[int, int, int]
    slabs: int
    cut_y: int
    halo: str
    ms_per_step: float
    ms_per_step_least: float
    ms_per_step_most: float
    compute_ms: float
    comm_ms: float
    bytes_sent: float

    @property
    def cell_steps_per_second(self) -> float:
        return 1e3 * math.prod(self.cells) / self.ms_per_step

    @property
    def gb_per_second(self) -> float | None:
        """What all slabs sent in a step over the time that it took."""
        sends = self.comm_ms > 0 and self.halo != NO_EXCHANGE
        return 1e-6 * self.bytes_sent / self.comm_ms if sends else None


@dataclass(frozen=True)
class Family:
    """Rows of one box cut into more and more slabs (strong scaling), or of equal slabs (weak)."""

    title: str
    rows: list[Scaling]

    @property
    def halos(self) -> list[str]:
        return halos_of(self.rows)

    def line(self, halo: str) -> list[Scaling]:
        """By slabs. One slab exchanges nothing: its row may be of any backend and begins every line."""
        several = sorted((r for r in self.rows if r.halo == halo and r.slabs > 1), key=lambda r: r.slabs)
        one = self._one_slab(halo)
        return [one, *several] if one else several

    def _one_slab(self, halo: str) -> Scaling | None:
        every = [row for row in self.rows if row.slabs == 1]
        return next((row for row in every if row.halo == halo), every[0] if every else None)

    def speed_ratio(self, row: Scaling) -> float | None:
        """Against the reference backend on the same box and slabs; 1 is as fast."""
        reference = self._reference(row)
        return reference.ms_per_step / row.ms_per_step if reference else None

    def saved(self, row: Scaling) -> float | None:
        """Share of the reference's communication time; below 0 the backend takes longer."""
        reference = self._reference(row)
        return 1 - row.comm_ms / reference.comm_ms if reference and reference.comm_ms else None

    def efficiency(self, row: Scaling) -> float | None:
        """Speed of a slab, against that of one slab alone."""
        one = self._one_slab(row.halo)
        return row.cell_steps_per_second / row.slabs / one.cell_steps_per_second if one else None

    def _reference(self, row: Scaling) -> Scaling | None:
        same = (r for r in self.rows if (r.halo, r.cells, r.slabs) == (REFERENCE, row.cells, row.slabs))
        return next(same, None) if row.slabs > 1 else None


def halos_of(rows: Iterable[Scaling]) -> list[str]:
    """Backends that something was sent with, the reference first."""
    return sorted({row.halo for row in rows if row.slabs > 1}, key=lambda halo: (halo != REFERENCE, halo))


def scalings(rows: Sequence[Row]) -> list[Scaling]:
    """Of rows as bench_file has checked them."""
    names = [field.name for field in fields(Scaling)]
    return [Scaling(**{name: row[name] for name in names} | {"cells": tuple(row["cells"])}) for row in rows]


def strong(rows: Sequence[Scaling]) -> list[Family]:
    """A family a box."""
    families = _families(rows, lambda row: row.cells, _size)
    return [family for family in families if _grows(family)]


def weak(rows: Sequence[Scaling]) -> list[Family]:
    """A family a size of slabs."""
    families = _families(rows, _cells_of_a_slab, lambda cells: f"{_size(cells)} a slab")
    return [family for family in families if _grows(family)]


def equal_slabs(rows: Sequence[Scaling]) -> list[Family]:
    """A family a number of slabs."""
    return _families(rows, lambda row: (row.slabs,), lambda slabs: f"{slabs[0]:g} slabs")


def _families(
    rows: Sequence[Scaling],
    common: Callable[[Scaling], tuple[float, ...]],
    title: Callable[[tuple[float, ...]], str],
) -> list[Family]:
    """Rows with the same scheme, precision and cut along y and the same `common`, the smallest first.

    One slab alone is not cut: it begins the lines of every cut.
    """
    found: dict[tuple[tuple[float, ...], int, str, str], list[Scaling]] = {}
    alone = [row for row in rows if row.slabs == 1]
    for row in rows:
        found.setdefault((common(row), row.cut_y, row.scheme, row.precision), []).append(row)
    for (same, cut_y, scheme, precision), members in found.items():
        if cut_y > 1:
            members += [r for r in alone if (common(r), r.scheme, r.precision) == (same, scheme, precision)]
    several_kinds = len({key[2:] for key in found}) > 1
    return [
        Family(", ".join((title(key[0]), *_beside(key[1]), *(key[2:] if several_kinds else ()))), members)
        for key, members in sorted(found.items(), key=lambda item: (math.prod(item[0][0]), item[0][1]))
    ]


def _beside(cut_y: int) -> list[str]:
    return [f"{cut_y} side by side"] if cut_y > 1 else []


def _grows(family: Family) -> bool:
    return len({row.slabs for row in family.rows}) > 1


def _cells_of_a_slab(row: Scaling) -> tuple[float, ...]:
    columns, lines, planes = row.cells
    return columns, lines, planes / row.slabs


def _size(cells: Sequence[float]) -> str:
    cube = len(set(cells)) == 1
    return f"{cells[0]:g}³" if cube else " × ".join(f"{count:g}" for count in cells)


def saved_table(families: Sequence[Family]) -> Section:
    """Share of the reference's communication time that a backend saves, a column a number of slabs."""
    counts = sorted({row.slabs for family in families for row in family.rows if row.slabs > 1})
    rows = []
    for family in families:
        for halo in family.halos:
            if halo in (REFERENCE, NO_EXCHANGE):
                continue
            saved = {row.slabs: family.saved(row) for row in family.line(halo)}
            rows.append([family.title, halo, *(_percent(saved.get(count)) for count in counts)])
    title = f"Communication time saved against {REFERENCE}"
    note = "" if rows else f"nothing to compare: measure {REFERENCE} and another backend on several slabs"
    return Section(title, ["box", "halo", *(f"{count} slabs" for count in counts)], rows, labels=2, note=note)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:+.1f} %"
