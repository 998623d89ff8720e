"""Tables of bench files, for `tayra plot` and scripts/benchmark_page.py."""

from collections.abc import Callable, Sequence
from itertools import groupby

from tayra.bench_file import BenchFile, Row, case_text, grouped, telling_columns
from tayra.panels import byte_text
from tayra.report import Section, digits
from tayra.scaling import Family, Scaling, saved_table, scalings, strong, weak

Value = Callable[[Family, Scaling], float | None]

SCALING_COLUMNS: tuple[tuple[str, Value], ...] = (
    ("Speed [10⁹ cell-steps/s]", lambda _, row: 1e-9 * row.cell_steps_per_second),
    ("Time of a step [ms]", lambda _, row: row.ms_per_step),
    ("Speed over that with host", lambda family, row: family.speed_ratio(row)),
    ("Computation time in a step [ms]", lambda _, row: row.compute_ms),
    ("Communication time in a step [ms]", lambda _, row: row.comm_ms or None),
    ("Transfer rate [GB/s]", lambda _, row: row.gb_per_second),
)


def bench_tables(file: BenchFile) -> list[Section]:
    if file.benchmark == "scaling":
        return _scaling_tables(file.rows)
    if file.benchmark == "halo":
        return [_fastest_table(file.rows), *_halo_tables(file.rows)]
    if file.benchmark == "transfer":
        return _transfer_tables(file.rows)
    return [_all_rows(file)]


def _scaling_tables(rows: Sequence[Row]) -> list[Section]:
    every = scalings(rows)
    tables = []
    for kind, families in (("strong", strong(every)), ("weak", weak(every))):
        tables += [
            _scaling_table(f"{title}, {kind} scaling", families, value) for title, value in SCALING_COLUMNS
        ]
    filled = [table for table in tables if table.rows]
    return [*filled, saved_table(strong(every) + weak(every))]


def _scaling_table(title: str, families: Sequence[Family], value: Value) -> Section:
    """A row a box and backend, a column a number of slabs."""
    counts = sorted({row.slabs for family in families for row in family.rows})
    rows = []
    for family in families:
        for halo in family.halos:
            values = {row.slabs: value(family, row) for row in family.line(halo)}
            cells = [_number(values.get(count)) for count in counts]
            if any(cell != "-" for cell in cells):
                rows.append([family.title, halo, *cells])
    return Section(
        title, ["box", "halo", *(f"{n} slab{'s' if n > 1 else ''}" for n in counts)], rows, labels=2
    )


def _fastest_table(rows: Sequence[Row]) -> Section:
    """Where one backend takes over from another."""
    found = []
    whole = [row for row in rows if row["axis"] == "z"]
    for key, group in grouped(whole, "precision", "slabs").items():
        if len({row["halo"] for row in group}) == 1:
            continue
        ranges: list[list[Row]] = []
        by_face = sorted(group, key=lambda row: (row["face_bytes"], row["us_per_exchange"]))
        for _, same_face in groupby(by_face, key=lambda row: row["face_bytes"]):
            best = next(same_face)
            if not ranges or ranges[-1][-1]["halo"] != best["halo"]:
                ranges.append([])
            ranges[-1].append(best)
        for of_one in ranges:
            first, last = of_one[0], of_one[-1]
            found.append(
                [
                    *map(case_text, key),
                    first["halo"],
                    byte_text(first["face_bytes"]),
                    byte_text(last["face_bytes"]),
                    f"{digits(first['us_per_exchange'])} - {digits(last['us_per_exchange'])}",
                ]
            )
    columns = ["precision", "slabs", "fastest", "faces from", "to", "us"]
    note = "" if found else "one backend alone: there is no other to take over"
    return Section("The fastest exchange by size of a face", columns, found, labels=3, note=note)


def _halo_tables(rows: Sequence[Row]) -> list[Section]:
    """A row a box, a column a backend, and faces across y beside them."""
    tables = []
    for (precision, slabs), group in grouped(rows, "precision", "slabs").items():
        named = [
            row
            | {"name": row["halo"] if row["axis"] == "z" else _y_face(row), "box": case_text(row["cells"])}
            for row in group
        ]
        names = list(dict.fromkeys(row["name"] for row in named))
        body = []
        for (box, face_bytes), same in grouped(named, "box", "face_bytes").items():
            times = {row["name"]: digits(row["us_per_exchange"]) for row in same}
            body.append([box, byte_text(face_bytes), *(times.get(name, "-") for name in names)])
        title = f"Time of an exchange [us], {precision}, {slabs} slabs"
        tables.append(Section(title, ["cells", "face", *names], body, labels=2))
    return tables


def _y_face(row: Row) -> str:
    return f"{row['halo']} across y, " + ("packed" if row["packed"] else "as they lie")


def _transfer_tables(rows: Sequence[Row]) -> list[Section]:
    """A row a way; the latency is that of the smallest transfer, the rate that of the largest."""
    tables = []
    for (blocks, pairs, directions), group in grouped(rows, "blocks", "pairs", "directions").items():
        body = []
        smallest, largest = (choose(row["bytes"] for row in group) for choose in (min, max))
        for way in dict.fromkeys(row["way"] for row in group):
            mine = sorted((row for row in group if row["way"] == way), key=lambda row: row["bytes"])
            best = max(row["gb_per_second"] for row in mine)
            half = next(row["bytes"] for row in mine if row["gb_per_second"] >= best / 2)
            by_size = {row["bytes"]: row for row in mine}  # which may lack sizes that other ways have
            latency = by_size[smallest]["us_per_transfer"] if smallest in by_size else None
            rate = by_size[largest]["gb_per_second"] if largest in by_size else None
            body.append([way, _number(latency), _number(rate), digits(best), byte_text(half)])
        columns = [
            "way",
            f"us at {byte_text(smallest)}",
            f"GB/s at {byte_text(largest)}",
            "most GB/s",
            "half of it from",
        ]
        title = f"blocks {blocks}, pairs {pairs}, directions {directions}"
        tables.append(Section(title, columns, body))
    return tables


def _all_rows(file: BenchFile) -> Section:
    names = telling_columns(file.columns, file.rows)
    time = file.columns.time
    rows = [
        [
            *(case_text(row[name]) for name in names),
            digits(row[time]),
            f"{digits(row[f'{time}_least'])} - {digits(row[f'{time}_most'])}",
        ]
        for row in file.rows
    ]
    columns = [*(name.replace("_", " ") for name in names), time.replace("_", " "), "least - most"]
    return Section(f"bench {file.benchmark}", columns, rows, labels=len(names))


def _number(value: float | None) -> str:
    return "-" if value is None else digits(value)
