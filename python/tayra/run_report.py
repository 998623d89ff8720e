"""The command `tayra report`: runs on one page that needs nothing else, to send and to keep."""

import base64
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tayra.command import Parser, exit_code, parsed, say
from tayra.compared_run import facts_of
from tayra.comparison import differences, same_final_bits
from tayra.errors import TayraError
from tayra.files import read_ordinary
from tayra.printable import printable
from tayra.report import digits, write_text
from tayra.run_summary import columns_of, curve_of, detail_of, summary_of, usual_column
from tayra.series import Series
from tayra.settings import read_settings
from tayra.watched_run import Look, WatchedRun, watched_runs
from tayra.watching import require_directories

PROGRAM = "tayra report"
BEGINNING = "<!doctype html>\n<!-- tayra report -->\n"  # by which an earlier report is known
MOMENTS = 6  # of the whole box that are shown
MOST_CELLS = 256  # along a side of a picture


def parser() -> Parser:
    command = Parser(
        prog=PROGRAM,
        description="Write one HTML file that shows runs: pictures, curves, times, machine, config; of "
        "several runs also how they differ. It loads nothing from elsewhere.",
    )
    command.add_argument("paths", type=Path, metavar="RUN", nargs="+", help="directory of a run")
    command.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="the page (of one run RUN/report.html; of several name it)",
    )
    return command


def report(words: Sequence[str] | None) -> None:
    arguments = parsed(parser(), words)
    paths: list[Path] = arguments.paths
    require_directories(paths)
    if arguments.output is None and len(paths) > 1:
        raise TayraError("a report of several runs lies in none of them: name its file, --output FILE")
    target = arguments.output or paths[0] / "report.html"
    require_free(target)
    say(printable(write_text(target, page_of(watched_runs(paths)))))


def require_free(path: Path) -> None:
    if path.exists() and not read_ordinary(path).startswith(BEGINNING.encode()):
        raise TayraError(f"{path} is there and is no report: name another file")


def page_of(runs: Sequence[WatchedRun]) -> str:
    """The page of `tayra watch`, with all that it would ask for inside."""
    from tayra.watch_server import page_file  # only here: what completes a line comes at once

    page, style, script = (page_file(name).decode() for name in ("index.html", "page.css", "page.js"))
    # No mark-up can end the block: JSON reads \u003c as the same letter.
    data = json.dumps(data_of(runs)).replace("<", "\\u003c")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "<!doctype html>\n": BEGINNING,
        '<meta charset="utf-8">\n': '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
        '<link rel="stylesheet" href="page.css">\n': f"<style>{style}</style>\n",
        '<script src="page.js" defer></script>\n': "",
        "</body>\n": "<noscript>This report is drawn by its own script.</noscript>\n"
        f'<script type="application/json" id="inside">{data}</script>\n'
        f"<script>{script}</script>\n</body>\n",
    }
    for old, new in parts.items():
        assert page.count(old) == 1, old
        page = page.replace(old, new)
    return page


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def data_of(runs: Sequence[WatchedRun]) -> dict[str, Any]:
    looks = [run.look() for run in runs]
    details = [detail_of(run, look) for run, look in zip(runs, looks, strict=True)]
    planes = []
    for number, (run, detail) in enumerate(zip(runs, details, strict=True)):
        detail["facts"] = [*_reproduction(run, looks[number]), *detail["facts"]]
        planes += [{"run": number, **plane} for plane in _planes(run, detail["pictures"])]
    data: dict[str, Any] = {
        "written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "runs": [summary_of(run, look) for run, look in zip(runs, looks, strict=True)],
        "details": details,
        "planes": planes,
    }
    if len(runs) > 1:
        columns = list(dict.fromkeys(name for look in looks for name in columns_of(look)))
        data["compared"] = {
            "column": usual_column(columns),
            "columns": columns,
            "curves": {column: [curve_of(look, column) for look in looks] for column in columns},
            "tables": [_differing(runs, looks), *_apart(runs)],
        }
    return data


def _planes(run: WatchedRun, pictures: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The usual field at some moments, the newest with all its fields. `pictures` keeps what can be read."""
    from tayra.page_plane import field_names, plane_for_page  # only here, as HDF5 with it

    for place, (view, picture) in enumerate(zip(run.views(), pictures, strict=False)):
        last = len(view.snapshots) - 1
        chosen = sorted({round(i * last / (MOMENTS - 1)) for i in range(MOMENTS)})
        chosen = chosen if place == 0 else chosen[-1:]
        picture["numbers"] = []
        for index in chosen:
            snapshot, number = view.snapshots[index], view.numbers[index]
            with suppress(TayraError):
                first = json.loads(plane_for_page(snapshot, most=MOST_CELLS).partition(b"\n")[0])["field"]
                others = range(len(field_names(snapshot))) if index == last else ()
                for field in [first, *(field for field in others if field != first)]:
                    plane = plane_for_page(snapshot, field, most=MOST_CELLS)
                    data = base64.b64encode(plane).decode()
                    yield {"series": place, "number": number, "field": field, "data": data}
                picture["numbers"].append(number)


def _reproduction(run: WatchedRun, look: Look) -> Iterator[dict[str, Any]]:
    with suppress(OSError):
        config = read_ordinary(run.directory / "config.yaml").decode("utf-8", errors="backslashreplace")
        version = look.of_record("tayra")
        built = " ".join(map(str, version.values())) if isinstance(version, dict) else "?"
        text = (
            f"# Tayra {built}; the same bits on any number of slabs, ranks and GPUs\n"
            f"# tayra run config.yaml --output NAME, with this config.yaml:\n\n{config}"
        )
        yield {"title": "How to reproduce it", "text": "\n".join(map(printable, text.split("\n")))}


def _differing(runs: Sequence[WatchedRun], looks: Sequence[Look]) -> dict[str, Any]:
    """Keys of config and machine that are not the same in all."""
    facts = []
    for run, look in zip(runs, looks, strict=True):
        settings: dict[str, str] = {}
        with suppress(TayraError):
            settings = read_settings(run.directory / "config.yaml")
        facts.append(facts_of(settings, look.record))
    rows = [[key, *(value[:500] for value in values)] for key, values in differences(facts).items()]
    note = ("" if rows else "Config and machine are the same. ") + _bits(looks)
    return _table("What differs", ["", *(run.name for run in runs)], rows, note)


def _bits(looks: Sequence[Look]) -> str:
    same = same_final_bits(str(look.of_record("totals", "fingerprint") or "") for look in looks)
    if same is None:
        return "Whether the final bits are the same is not known: not every run.json has a fingerprint."
    return "The final bits are the same." if same else "The final bits differ."


def _apart(runs: Sequence[WatchedRun]) -> Iterator[dict[str, Any]]:
    """Of each other run from the first one."""
    from tayra.compare import CHECKED_UNASKED
    from tayra.field_differences import fields_apart

    first, *others = [Series(run.directory / "snapshots", check=True) for run in runs]
    for run, other in zip(runs[1:], others, strict=True):
        title = f"Fields of {run.name} less those of {runs[0].name}"
        try:
            found = fields_apart(first, other, CHECKED_UNASKED)
        except TayraError as error:
            yield _table(title, [], [], f"Not compared: {error}.")
            continue
        rows = [[a.field, *map(digits, (a.mean, a.rms, a.most, a.spread))] for a in found.fields]
        note = f"At time {found.time:.6g}, over all cells. Spread: of the first run's field, about its mean."
        yield _table(title, ["", "mean", "root mean square", "most", "spread"], rows, note)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str) -> dict[str, Any]:
    return {
        "title": printable(title),
        "columns": [*map(printable, columns)],
        "rows": [[*map(printable, row)] for row in rows],
        "note": printable(note),
    }


def main(words: Sequence[str] | None = None) -> int:
    return exit_code(PROGRAM, lambda: report(words))


if __name__ == "__main__":
    sys.exit(main())
