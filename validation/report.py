"""REPORT.md and report.html from the outcomes that are kept as JSON, with a plot for each."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib import rc_context

from tayra.errors import TayraError
from tayra.figures import STYLE as STYLE_OF_FIGURES
from tayra.figures import save
from tayra.printable import for_html, for_markdown
from tayra.report import Section, as_markdown, digits, write_text
from validation.case import Case, Check, Outcome, read_outcome
from validation.history import SOLVER, changes_since, last_change

INTRODUCTION = "Written by scripts/validate.sh from the runs named below; every number comes from them."
HOLDS, LIMIT, FAILED = "✅ holds", "🔴 missed, within the known limit", "🔴 failed"
DIRTY = "-dirty"  # at the end of the commit of a build with uncommitted changes


@dataclass(frozen=True)
class Entry:
    """One outcome of a case, with its picture."""

    case: Case
    outcome: Outcome
    picture: Path
    age: int | None  # commits that have changed the solver since

    @property
    def setting(self) -> str:
        return f"{self.outcome.effort} on {self.outcome.device}"


def write_report(folder: Path, cases: Sequence[Case]) -> Path:
    entries = [entry for case in cases for entry in find_entries(folder, case)]
    if not entries:
        raise TayraError(f"{folder / 'results'} holds no results: run cases first")
    for entry in entries:
        with rc_context(STYLE_OF_FIGURES):
            save(entry.case.draw(entry.outcome.findings.data), entry.picture)
    tables = [overview(entries), *missing(folder, cases)]
    write_text(folder / "report.html", as_html(entries, tables))
    return write_text(folder / "REPORT.md", as_page(entries, tables, folder))


def find_entries(folder: Path, case: Case) -> list[Entry]:
    """Full results first, as they say more."""
    found = sorted((folder / "results").glob(f"*/{case.name}.json"))
    return [entry_of(folder, case, path) for path in found]


def entry_of(folder: Path, case: Case, path: Path) -> Entry:
    outcome = read_outcome(path)
    picture = folder / "figures" / f"{case.name}-{path.parent.name}.png"
    return Entry(case, outcome, picture, changes_since(outcome.commit.removesuffix(DIRTY)))


def as_page(entries: Sequence[Entry], tables: Sequence[Section], folder: Path) -> str:
    parts = [
        "# Validation",
        f"{INTRODUCTION} An HTML page with the same lies beside it when `scripts/validate.sh` has run.",
        as_markdown(tables),
    ]
    for entry in entries:
        parts.append(f"## {entry.case.title}: {for_markdown(entry.setting)}")
        parts.append(entry.case.claim)
        parts.append(as_markdown([check_table(entry)]))
        parts.append(f"![{entry.case.title}]({entry.picture.relative_to(folder).as_posix()})")
        if entry.outcome.findings.tables:
            parts.append(as_markdown(entry.outcome.findings.tables))
        parts.append("\n".join(f"- {reference}" for reference in entry.case.references))
        parts.append(f"*{for_markdown(origin(entry))}*")
    return "\n\n".join(parts) + "\n"


def overview(entries: Sequence[Entry]) -> Section:
    rows = []
    for entry in entries:
        checks, missed = entry.outcome.findings.checks, entry.outcome.missed
        state = FAILED if entry.outcome.failed else LIMIT if missed else HOLDS
        count = f"{len(checks) - len(missed)} of {len(checks)}"
        age = "" if entry.age is None else str(entry.age)
        rows.append([entry.case.title, entry.setting, state, count, f"{entry.outcome.seconds:.0f}", age])
    columns = ["case", "set", "state", "checks that hold", "seconds of runs", "changes of the solver since"]
    return Section("All cases", columns, rows, 3, overview_note(entries))


def overview_note(entries: Sequence[Entry]) -> str:
    """Names the solver's last change, not the commit of this page: with another commit it stays true."""
    total = sum(entry.outcome.seconds for entry in entries)
    note = f"{total:.0f} s in all, summed over runs that mostly went side by side and slowed each other."
    if all(entry.age is None for entry in entries):
        return note
    last = last_change()  # unknown in a clone that lacks it
    up_to = f", up to {last}, the last when this page was written" if last else ""
    return (
        f"{note} The last column counts the commits that have changed the solver ({', '.join(SOLVER)}) since "
        f"the one that measured{up_to}: where it is not 0, the numbers are of an earlier solver."
    )


def missing(folder: Path, cases: Sequence[Case]) -> list[Section]:
    """Cases of which an effort that others were made with has no results, on whatever device."""
    sets = [path for path in (folder / "results").iterdir() if path.is_dir()]
    rows = []
    for effort in sorted({path.name.split("-")[0] for path in sets}):
        made = {file.stem for path in sets if path.name.startswith(effort) for file in path.glob("*.json")}
        names = [
            case.title + (" (for GPUs only)" if case.for_gpus else "")
            for case in cases
            if case.name not in made
        ]
        if names:
            rows.append([effort, "; ".join(names)])
    return [Section("Not measured yet", ["set", "cases"], rows, 2)] if rows else []


def check_table(entry: Entry) -> Section:
    outcome = entry.outcome
    rows = [
        [check.what, state_of(check), number(check.measured), allowed(check)]
        for check in outcome.findings.checks
    ]
    notes = sorted({check.known_limit for check in outcome.missed if check.explained})
    lacking = entry.case.lacks(outcome.findings.data)
    if lacking:
        notes.append(f"Not measured here: {', '.join(lacking)}.")
    return Section("Checks", ["what", "state", "measured", "allowed"], rows, 2, " ".join(notes))


def state_of(check: Check) -> str:
    if check.holds:
        return HOLDS
    return FAILED if check.failed else LIMIT


def allowed(check: Check) -> str:
    return aim(check) + ("" if check.worst is None else f", known limit {number(check.worst)}")


def aim(check: Check) -> str:
    if check.highest is None:
        return f"at least {number(check.lowest)}"
    if check.lowest is None:
        return f"at most {number(check.highest)}"
    if check.reference is None:
        return f"{number(check.lowest)} to {number(check.highest)}"
    return f"{number(check.reference)} ± {number(check.highest - check.reference)}"


def number(value: float | None) -> str:
    if value is None:
        return "anything"
    small = value != 0 and abs(value) < 1e-3
    return f"{value:.2e}" if small else digits(value)


def origin(entry: Entry) -> str:
    outcome = entry.outcome
    return (
        f"{outcome.runs} runs, together {outcome.seconds:.0f} s, {outcome.effort} set on {outcome.device}, "
        f"{outcome.date}; measured by {build(outcome.commit)}{since(entry.age)}."
    )


def build(commit: str) -> str:
    clean = commit.removesuffix(DIRTY)
    return clean if clean == commit else f"{clean} with uncommitted changes"


def since(age: int | None) -> str:
    if age is None:
        return ""
    commits = {0: "no commit has", 1: "one commit has"}.get(age, f"{age} commits have")
    return f"; {commits} changed the solver since"


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; color: #222 }
table { border-collapse: collapse; margin: 1rem 0; font-size: 14px }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #ddd; text-align: right }
th.label, td.label { text-align: left }
.holds { color: #00694e } .missed { color: #c00000; font-weight: bold }
img { max-width: 100% } li, .origin { font-size: 14px; color: #555 }
"""


def as_html(entries: Sequence[Entry], tables: Sequence[Section]) -> str:
    body = "\n".join(_html_parts(entries, tables))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Tayra: validation</title>'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _html_parts(entries: Sequence[Entry], tables: Sequence[Section]) -> Iterator[str]:
    yield "<h1>Validation</h1>"
    yield f"<p>{INTRODUCTION}</p>"
    yield from map(_html_table, tables)
    for entry in entries:
        outcome = entry.outcome
        yield f"<h2>{for_html(f'{entry.case.title}: {entry.setting}')}</h2>"
        yield f"<p>{for_html(entry.case.claim)}</p>"
        yield _html_table(check_table(entry))
        image = base64.b64encode(entry.picture.read_bytes()).decode()
        yield f'<img alt="{for_html(entry.case.title)}" src="data:image/png;base64,{image}">'
        yield from (_html_table(table) for table in outcome.findings.tables)
        references = "".join(f"<li>{for_html(reference)}</li>" for reference in entry.case.references)
        yield f'<ul>{references}</ul><p class="origin">{for_html(origin(entry))}</p>'


def _html_table(section: Section) -> str:
    lines = [f"<p><b>{for_html(section.title)}</b></p><table>"]
    for tag, row in [("th", section.columns), *(("td", row) for row in section.rows)]:
        cells = [_html_cell(tag, text, column < section.labels) for column, text in enumerate(row)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, f"</table><p>{for_html(section.note)}</p>"])


def _html_cell(tag: str, text: str, is_label: bool) -> str:
    classes = ["label"] if is_label else []
    if text in (HOLDS, LIMIT, FAILED):
        classes.append("holds" if text == HOLDS else "missed")
    return f'<{tag} class="{" ".join(classes)}">{for_html(text)}</{tag}>'
