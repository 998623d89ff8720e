"""The command `tayra compare`: runs or bench files side by side."""

import argparse
import csv
import io
import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tayra.bench_comparison import BenchComparison
from tayra.command import Parser, exit_code, parsed, picture_path, require_existing, say, warn
from tayra.comparison import Comparison
from tayra.errors import TayraError
from tayra.files import read_object
from tayra.printable import printable
from tayra.report import as_markdown, as_text, write_text
from tayra.run_charts import plain
from tayra.run_comparison import RunComparison
from tayra.run_directory import Run
from tayra.series import spans

PROGRAM = "tayra compare"
CHECKED_UNASKED = 4 << 30  # bytes of a snapshot: seconds

# Of tables that it writes as CSV and as Markdown.
OWN_BEGINNINGS = (b"label,path,", b"**Runs of ", b"**Runs**", b"**Files of ")


def parser() -> Parser:
    command = Parser(
        prog=PROGRAM,
        description="Compare runs, or files of `tayra bench ... --json`: what differs, how fast each was.",
    )
    command.add_argument("first", type=Path, metavar="A", help="what the others are held against")
    command.add_argument("others", type=Path, metavar="B", nargs="+", help="directory of a run or bench file")
    command.add_argument(
        "--anyway", action="store_true", help="compare runs of other grids, schemes, precisions, problems"
    )
    checks = command.add_mutually_exclusive_group()
    checks.add_argument(
        "--check",
        action="store_true",
        help="check the checksums of all snapshots of the runs, not only of the newest (its first 4 GiB), "
        "and compare fields of any size",
    )
    checks.add_argument("--no-check", action="store_true", help="read no snapshots")
    command.add_argument(
        "--plot", type=picture_path, metavar="FILE", help="draw the comparison as .png or .svg"
    )
    command.add_argument("--csv", type=Path, metavar="FILE", help="write a row a run, or a case and file")
    command.add_argument("--json", type=Path, metavar="FILE", help="write everything")
    command.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables on the screen")
    return command


def comparison_of(paths: Sequence[Path], anyway: bool, most_bytes: float = 0) -> Comparison:
    require_existing(paths)
    files = [path for path in paths if not path.is_dir()]
    if not files:
        return RunComparison(paths, anyway, most_bytes)
    if len(files) == len(paths):
        return BenchComparison(paths)
    raise TayraError(f"{files[0]} is a file among runs: compare directories of runs, or bench files")


def check_snapshots(paths: Sequence[Path], asked: bool) -> None:
    """All if that was asked for, else the newest ones. Raises TayraError for one that has changed since it
    was written."""
    for run in map(Run, paths):
        for snapshots in (run.snapshots, *run.parts.values()):
            try:
                without = [s.number for s in snapshots if not s.check()] if asked else []
                for newest in [] if asked else snapshots[-1:]:
                    newest.check(CHECKED_UNASKED)
            except TayraError as error:
                raise TayraError(f"{error}: --no-check compares all the same") from error
            if without:
                warn(
                    PROGRAM,
                    f"{snapshots.folder}: an older Tayra left no checksums in snapshots {spans(without)}",
                )


def as_csv(comparison: Comparison) -> str:
    rows = comparison.rows()
    text = io.StringIO()
    table = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()


def require_free(outputs: Sequence[Path], compared: Sequence[Path], picture: Path | None) -> None:
    """Each name for one file: a result in the place of another or of a measurement would be a loss. Pictures
    may replace any."""
    for path in outputs:
        if path.exists() and any(real(run) in real(path).parents for run in compared):
            raise TayraError(f"{path} is a file of what is compared: name another file")
    taken = {real(path) for path in compared}
    for path in outputs:
        if real(path) in taken:
            raise TayraError(f"{path} is named twice (it would be replaced): name another file")
        if path != picture and holds_other_results(path):
            raise TayraError(f"{path} is there and holds other results: name another file")
        taken.add(real(path))


def real(path: Path) -> Path:
    """As Path.resolve(), but of links that lead in a circle, too."""
    return Path(os.path.realpath(path))


def holds_other_results(path: Path) -> bool:
    """Or a config, or notes: anything but an earlier comparison. `--json a.json b.json c.json`
    names a.json, which most likely was to be compared."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        beginning = file.read(max(map(len, OWN_BEGINNINGS)))
    if not beginning or beginning.startswith(OWN_BEGINNINGS):
        return False
    try:
        return "compared" not in read_object(path)
    except TayraError:
        return True


def write_files(comparison: Comparison, arguments: argparse.Namespace) -> list[Path]:
    """What was asked for beside the tables on the screen."""
    written = []
    if arguments.csv:
        written.append(write_text(arguments.csv, as_csv(comparison)))
    if arguments.json:
        written.append(write_text(arguments.json, json.dumps(plain(comparison.document()), indent=2) + "\n"))
    if arguments.markdown:
        written.append(write_text(arguments.markdown, as_markdown(comparison.sections()) + "\n"))
    if arguments.plot:
        # Only here, so that tables need no matplotlib and come at once.
        from tayra.figures import save

        save(comparison.draw(), arguments.plot)
        written.append(arguments.plot)
    return written


def compare(words: Sequence[str] | None) -> None:
    arguments = parsed(parser(), words)
    paths = [arguments.first, *arguments.others]
    outputs = (arguments.csv, arguments.json, arguments.markdown, arguments.plot)
    require_free([path for path in outputs if path], paths, arguments.plot)
    most_bytes = math.inf if arguments.check else 0 if arguments.no_check else CHECKED_UNASKED
    comparison = comparison_of(paths, arguments.anyway, most_bytes)
    if not arguments.no_check:
        check_snapshots([path for path in paths if path.is_dir()], arguments.check)
    written = write_files(comparison, arguments)
    tables = as_text(comparison.sections())
    say("\n".join([tables, "", *map(printable, written)]) if written else tables)


def main(words: Sequence[str] | None = None) -> int:
    return exit_code(PROGRAM, lambda: compare(words))


if __name__ == "__main__":
    sys.exit(main())
