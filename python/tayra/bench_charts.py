"""What the figures of each benchmark show, but for `bench scaling` (scaling_figures.py)."""

import math
from collections.abc import Callable, Iterator, Sequence

from matplotlib.figure import Figure

from tayra.bench_figure import caption
from tayra.bench_file import BenchFile, Row, case_text, grouped
from tayra.panels import Chart, Line, Panel, byte_text, draw_chart

Charts = Iterator[tuple[str, Chart]]


def draw_bench_charts(file: BenchFile) -> Iterator[tuple[str, Figure]]:
    for name, chart in CHARTS[file.benchmark](file.rows):
        yield name, draw_chart(chart, caption("data", file))


def transfer_charts(rows: Sequence[Row]) -> Charts:
    kinds = grouped(rows, "blocks", "directions", "pairs").values()
    for name, column, label, spread in (
        ("rate", "gb_per_second", "rate of a pair, each direction [GB/s]", False),
        ("time", "us_per_transfer", "time of a transfer [µs]", True),
    ):
        panels = [
            Panel(_transfer_title(group[0]), _lines(group, "way", "bytes", column, spread)) for group in kinds
        ]
        yield name, Chart(f"transfers: {name}", "bytes", label, panels, bytes_below=True)


def halo_charts(rows: Sequence[Row]) -> Charts:
    across_z = [row for row in rows if row["axis"] == "z"]
    beside = "" if across_z else " side by side"
    backends = _with_shapes(across_z or rows, "face_bytes")
    titles = [
        (f"{precision}, {slabs} slabs{beside}{shape}", group)
        for (precision, slabs, shape), group in grouped(backends, "precision", "slabs", "shape").items()
    ]
    several = [(title, group) for title, group in titles if len({row["halo"] for row in group}) > 1]
    shown = several or titles
    for name, column, label, spread in (
        ("time", "us_per_exchange", "time of an exchange [µs]", True),
        ("rate", "gb_per_second", "bytes of a face over time [GB/s]", False),
    ):
        panels = [Panel(t, _lines(g, "halo", "face_bytes", column, spread)) for t, g in shown]
        yield (
            name,
            Chart(f"exchange of all halos: {name}", "bytes of a face", label, panels, bytes_below=True),
        )
    stepped = [(t, [row for row in g if "exposed_share" in row]) for t, g in shown]
    exposed = [Panel(t, _lines(g, "halo", "face_bytes", "exposed_share", False)) for t, g in stepped if g]
    if exposed:
        label = "exposed / communication time"
        yield (
            "exposed",
            Chart("share of communication left exposed", "bytes of a face", label, exposed, True, True),
        )
    yield from _face_charts(rows)


def _face_charts(rows: Sequence[Row]) -> Charts:
    """Faces across y beside those across z that were carried the same way."""
    carried = grouped(rows, "precision", "halo", "slabs").values()
    like = [row for group in carried if {row["axis"] for row in group} == {"y", "z"} for row in group]
    if not like:
        return
    panels = []
    for words, group in grouped(_with_shapes(like, "face_bytes"), "precision", "shape").items():
        named = [row | {"face": _face_name(row)} for row in group]
        panels.append(Panel("".join(words), _lines(named, "face", "face_bytes", "us_per_exchange", True)))
    title = "planes to a neighbour above or below, rows to both sides"
    yield "faces", Chart(title, "bytes of a face", "time of an exchange [µs]", panels, bytes_below=True)


def _face_name(row: Row) -> str:
    if row["axis"] == "z":
        return "z: planes"
    return "y: rows, packed" if row["packed"] else "y: rows as they lie"


def cadence_charts(rows: Sequence[Row]) -> Charts:
    panels = []
    for group in grouped(rows, "way", "bytes").values():
        words = {True: "with keep-alives", False: "without"}
        named = [row | {"kept": words[row["keep_alive"]]} for row in group]
        title = f"{group[0]['way']}, {byte_text(group[0]['bytes'])}"
        panels.append(Panel(title, _lines(named, "kept", "interval_ms", "us_per_transfer", True)))
    yield "time", Chart("transfers after a pause", "pause [ms]", "time of a transfer [µs]", panels)


def overheads_charts(rows: Sequence[Row]) -> Charts:
    sized = [group for group in grouped(rows, "what").values() if len({row["bytes"] for row in group}) > 1]
    panels = [
        Panel(
            group[0]["what"].replace("_", " ").replace("gpu", "GPU"),
            _lines(
                [r | {"rate": 1e-3 * r["bytes"] / r["us_per_call"]} for r in group],
                "variant",
                "bytes",
                "rate",
                False,
            ),
        )
        for group in sized
    ]
    if panels:
        yield "rate", Chart("copies", "bytes", "rate [GB/s]", panels, bytes_below=True)


def step_charts(rows: Sequence[Row]) -> Charts:
    # Boxes that are as wide would stand above each other.
    boxes = {(row["slabs"], *row["cells"]) for row in rows}
    tell_by_width = len({box[:2] for box in boxes}) == len(boxes)
    named = [
        row
        | {"scheme": row["scheme"] + (", limiter" if row["positivity"] else "")}
        | {"size": row["cells"][0] if tell_by_width else math.prod(row["cells"])}
        | {"speed": 1e-9 * row["cell_steps_per_second"]}
        for row in rows
    ]
    panels = [
        Panel(f"{precision}, {_slabs_text(slabs)}{shape}", _lines(group, "scheme", "size", "speed", False))
        for (precision, slabs, shape), group in grouped(
            _with_shapes(named, "size"), "precision", "slabs", "shape"
        ).items()
    ]
    label = "cells along x" if tell_by_width else "cells"
    yield "speed", Chart("steps: speed", label, "speed [10⁹ cell-steps/s]", panels, from_zero=True)


CHARTS: dict[str, Callable[[Sequence[Row]], Charts]] = {
    "transfer": transfer_charts,
    "halo": halo_charts,
    "cadence": cadence_charts,
    "overheads": overheads_charts,
    "step": step_charts,
}


def _lines(rows: Sequence[Row], label: str, x: str, y: str, spread: bool) -> list[Line]:
    """A line for each value of the column `label`, in the order of the rows; with or without extremes."""
    lines = []
    for name in dict.fromkeys(row[label] for row in rows):
        mine = sorted((row for row in rows if row[label] == name), key=lambda row: row[x])
        extremes = [(row[f"{y}_least"], row[f"{y}_most"]) for row in mine] if spread else []
        lines.append(Line(case_text(name), [row[x] for row in mine], [row[y] for row in mine], extremes))
    return lines


def _with_shapes(rows: Sequence[Row], x: str) -> list[Row]:
    """With what a panel's title says of its boxes' shape: something only where boxes would share a place."""
    boxes = {(row["precision"], row["slabs"], row[x], *row["cells"]) for row in rows}
    share = len({box[:3] for box in boxes}) < len(boxes)
    return [row | {"shape": f", box {_shape(row['cells'])}" if share else ""} for row in rows]


def _shape(cells: Sequence[int]) -> str:
    """'8 : 8 : 1'."""
    return " : ".join(str(count // math.gcd(*cells)) for count in cells)


def _slabs_text(count: int) -> str:
    return "1 slab" if count == 1 else f"{count} slabs"


def _transfer_title(row: Row) -> str:
    blocks = "1 block" if row["blocks"] == 1 else f"{row['blocks']} blocks"
    pairs = "1 pair" if row["pairs"] == 1 else f"{row['pairs']} pairs"
    return f"{blocks}, {pairs}, {row['directions']} way{'s' if row['directions'] == 'both' else ''}"
