"""The command `tayra plot`: slices and curves of a run, or all figures of bench files."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tayra.command import Parser, exit_code, movie_path, parsed, picture_path, require_existing, say, warn
from tayra.errors import TayraError
from tayra.printable import printable
from tayra.run_directory import Run
from tayra.series import Series, spans
from tayra.snapshot import AXES, Snapshot

PROGRAM = "tayra plot"


def slice_position(text: str) -> tuple[str, float | None]:
    """'y=0.5' or 'y', the latter for the middle."""
    axis, _, value = text.partition("=")
    try:
        position = float(value) if value else None
    except ValueError:
        position = None
        axis = ""
    if axis not in AXES:
        raise argparse.ArgumentTypeError(f"'{text}' is no slice: write x, y or z, as in y or y=0.5")
    return axis, position


def snapshot_choice(text: str) -> int | str:
    if text in ("last", "all"):
        return text
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no snapshot: write last, all or a number")


def parser() -> Parser:
    command = Parser(
        prog=PROGRAM,
        description="Draw slices (a 1-D flow as a line) and curves of a run, curves of several runs over "
        "each other, or figures and tables of any `tayra bench ... --json`.",
    )
    command.add_argument(
        "paths",
        type=Path,
        metavar="RUN",
        nargs="+",
        help="directory of a run, or of several; or file of any `tayra bench ... --json`; of several such "
        "files, as a sweep leaves them, all rows are drawn together",
    )
    command.add_argument(
        "--field",
        default="density",
        help="scalar, vector (its magnitude) or component such as velocity_z (%(default)s)",
    )
    command.add_argument(
        "--slice",
        type=slice_position,
        metavar="AXIS[=POSITION]",
        help="plane (in the middle, across y or the axis along which the box is thin)",
    )
    command.add_argument(
        "--snapshot",
        type=snapshot_choice,
        default="last",
        metavar="last|N|all",
        help="which ones (%(default)s); all: as frames of a film, with the same colours and size",
    )
    command.add_argument(
        "--part", metavar="NAME", help="of a part of the box that the config names (output.parts)"
    )
    command.add_argument("--smooth", action="store_true", help="smooth between cells instead of showing each")
    command.add_argument(
        "--no-check",
        action="store_true",
        help="read only what is drawn, and no checksums",
    )
    command.add_argument(
        "--curves",
        action="store_true",
        help="draw diagnostics over time instead of a slice; with --part, the field there over time",
    )
    command.add_argument(
        "--sweep",
        nargs="?",
        const="",
        metavar="KEY",
        help="draw what several runs have reached over the key of the config in which they differ",
    )
    command.add_argument(
        "--profiles", action="store_true", help="draw means over planes (output.statistics) along z"
    )
    command.add_argument(
        "--spectra", action="store_true", help="draw horizontal waves (output.statistics.spectra)"
    )
    command.add_argument("--pdf", action="store_true", help="draw histograms (output.statistics.pdf)")
    command.add_argument(
        "--budget", action="store_true", help="draw where energy goes over time (output.statistics)"
    )
    command.add_argument(
        "--movie",
        type=movie_path,
        metavar="FILE",
        help="a film of all snapshots, .mp4 or .gif, with the same colours in all frames",
    )
    command.add_argument(
        "--output", type=picture_path, metavar="FILE", help="the picture, .png or .svg (RUN/pictures/...)"
    )
    command.values = {
        "--field": fields_of,
        "--part": lambda words: parts_of(run_among(words)),
        "--slice": lambda _: AXES,
        "--snapshot": lambda _: ("all", "last"),
        "--sweep": lambda words: run_among(words).settings,
    }
    return command


def run_among(words: Sequence[str]) -> Run:
    """The first word that names one."""
    return next(Run(word, check=False) for word in words if (Path(word) / "run.json").is_file())


def parts_of(run: Run) -> list[str]:
    return [*run.parts, *sorted(path.stem for path in (run.directory / "parts").glob("*.h5"))]


def fields_of(words: Sequence[str]) -> list[str]:
    fields = run_among(words).snapshot().fields
    vectors = [name for name, components in fields.items() if components > 1]
    return [*fields, *(f"{name}_{axis}" for name in vectors for axis in AXES)]


def refuse(arguments: argparse.Namespace, names: Sequence[str], why: str) -> None:
    """Options that would change nothing were meant for something else."""
    command = parser()
    for name in names:
        if getattr(arguments, name) != command.get_default(name):
            raise TayraError(f"{why}: leave out --{name.replace('_', '-')}")


def chosen(series: Series, choice: int | str, output: Path | None) -> list[Snapshot]:
    """By `snapshot_choice`."""
    if choice != "all" or not series:
        return [series.snapshot(choice if isinstance(choice, int) else None)]
    if output and len(series) > 1:
        raise TayraError("--snapshot all draws several pictures: leave out --output, or make it --movie")
    return series


def holding(program: str, field: str, snapshots: list[Snapshot]) -> list[Snapshot]:
    """Those with the field; names the others. If none has it, all: then the first says what it has."""
    found = [snapshot for snapshot in snapshots if snapshot.holds(field)]
    others = [snapshot.number for snapshot in snapshots if not snapshot.holds(field)]
    if found and others:
        warn(program, f"left out, as they hold no field '{field}': snapshots {spans(others)}")
    return found or snapshots


def plot(words: Sequence[str] | None) -> None:
    arguments = parsed(parser(), words)
    require_existing(arguments.paths)
    # Only here: what completes a command line comes at once.
    from tayra.drawing import draw_bench_files, draw_run, draw_several_runs

    directories = sum(path.is_dir() for path in arguments.paths)
    if directories < len(arguments.paths):
        draw = draw_bench_files
    else:
        draw = draw_run if directories == 1 else draw_several_runs
    say("\n".join(map(printable, draw(arguments))))


def main(words: Sequence[str] | None = None) -> int:
    return exit_code(PROGRAM, lambda: plot(words))


if __name__ == "__main__":
    sys.exit(main())
