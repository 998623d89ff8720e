"""A table of what code costs, committed, and its comparison with what was measured now."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

Costs = dict[str, dict[str, float]]

SKIPPED = 77  # ctest shows the test as skipped


def skip(reason: str) -> int:
    print(f"skipped: {reason}")
    return SKIPPED


def check(
    table: Path,
    compiler: str,
    costs: Costs,
    tolerance: float = 0,
    counts: Callable[[str], bool] = lambda case: True,
) -> int:
    """Compares what counts of the table, or renews it, with TAYRA_RENEW_COSTS set. Returns the exit code."""
    if os.environ.get("TAYRA_RENEW_COSTS"):
        return renew(table, compiler, costs, counts)
    expected = json.loads(table.read_text(encoding="utf-8"))
    if expected["compiler"] != compiler:
        return skip(f"{table.name} holds what {expected['compiler']} makes of the code, this is {compiler}")
    wanted = {case: figures for case, figures in expected["costs"].items() if counts(case)}
    found = differences(wanted, costs, tolerance)
    for line in found:
        print(line, file=sys.stderr)
    if found:
        print(
            f"The code costs something else than {table.name} says. If that is meant, renew the table with\n"
            f"  TAYRA_RENEW_COSTS=1 ctest --preset PRESET -R {table.stem}\n"
            "and say in the commit what it buys.",
            file=sys.stderr,
        )
    else:
        print(f"{len(costs)} cases as in {table.name}, {compiler}")
    return 1 if found else 0


def renew(table: Path, compiler: str, costs: Costs, counts: Callable[[str], bool]) -> int:
    """Rows that do not count were not measured and stay, if the same compiler made them."""
    old = json.loads(table.read_text(encoding="utf-8")) if table.exists() else {"costs": {}}
    kept = {case: figures for case, figures in old["costs"].items() if not counts(case)}
    if kept and old["compiler"] != compiler:
        print(
            f"{table.name} has rows by {old['compiler']} that this build with {compiler} did not measure, as "
            f"{min(kept)}: build for all architectures of the table (-DCMAKE_CUDA_ARCHITECTURES)",
            file=sys.stderr,
        )
        return 1
    write(table, compiler, kept | costs)
    print(f"wrote {table}")
    return 0


def differences(expected: Costs, costs: Costs, tolerance: float) -> list[str]:
    """A line for every figure that only one side has, or that is off by more than the tolerated share."""
    found = []
    for case in sorted(expected.keys() | costs.keys()):
        wanted, measured = expected.get(case, {}), costs.get(case, {})
        for figure in sorted(wanted.keys() | measured.keys()):
            difference = difference_of(wanted.get(figure), measured.get(figure), tolerance)
            if difference:
                found.append(f"{case}: {figure} {difference}")
    return found


def difference_of(wanted: float | None, measured: float | None, tolerance: float) -> str | None:
    if wanted is None:
        return f"{measured}, not in the table"
    if measured is None:
        return f"{wanted} in the table, not measured"
    if abs(measured - wanted) <= tolerance * wanted:
        return None
    return f"{wanted} -> {measured}" + (f" ({100 * (measured / wanted - 1):+.1f} %)" if wanted else "")


def write(table: Path, compiler: str, costs: Costs) -> None:
    rows = [f"    {json.dumps(case)}: {json.dumps(figures)}" for case, figures in sorted(costs.items())]
    head = f'{{\n  "compiler": {json.dumps(compiler)},\n  "costs": {{\n'
    table.write_text(head + ",\n".join(rows) + "\n  }\n}\n", encoding="utf-8")
