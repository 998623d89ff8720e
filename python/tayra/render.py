"""The command `tayra render`: a snapshot in three dimensions, or a film."""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tayra.command import Parser, exit_code, movie_path, parsed, picture_path, require_existing, say
from tayra.errors import TayraError
from tayra.plot import fields_of, run_among, slice_position, snapshot_choice
from tayra.printable import printable
from tayra.snapshot import AXES

PROGRAM = "tayra render"


def two_angles(text: str) -> tuple[float, float]:
    """'35' or '35,20': around the box, and above it."""
    around, _, above = text.partition(",")
    try:
        angles = float(around), float(above or 20)
    except ValueError:
        angles = (0, 90)
    if not abs(angles[1]) <= 80:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no angle: write degrees around the box and above it (-80 to 80), as in 35,20"
        )
    return angles


def parser() -> Parser:
    command = Parser(
        prog=PROGRAM,
        description="Draw a snapshot in three dimensions: of layers the lower one with all that has mixed "
        "with it, of other flows a surface, or a cloud. Needs PyVista; no screen.",
    )
    command._negative_number_matcher = re.compile(r"-\d[\d.,-]*$")  # --angle -35,20 names no option
    command.add_argument("run", type=Path, metavar="RUN", help="directory of a run")
    command.add_argument(
        "--field",
        help="scalar, vector (its magnitude) or component (fraction where the run carries it, else density)",
    )
    kinds = command.add_mutually_exclusive_group()
    kinds.add_argument(
        "--iso",
        type=float,
        metavar="VALUE",
        help="where the surface lies (short of what the upper layer has; else halfway between the extremes)",
    )
    kinds.add_argument(
        "--volume", action="store_true", help="a cloud, clear where the field has common values"
    )
    command.add_argument(
        "--cut", type=slice_position, metavar="AXIS[=POSITION]", help="take away what is before this plane"
    )
    command.add_argument(
        "--angle",
        type=two_angles,
        default=(35.0, 20.0),
        metavar="AROUND[,ABOVE]",
        help="from where it is seen, in degrees; 0,0: x to the right, z upwards (35,20)",
    )
    command.add_argument(
        "--snapshot", type=snapshot_choice, metavar="last|N|all", help="which ones (last; all for a film)"
    )
    command.add_argument(
        "--part", metavar="NAME", help="of a part of the box that the config names (output.parts)"
    )
    command.add_argument("--plain", action="store_true", help="without time and scale of colours")
    command.add_argument("--no-check", action="store_true", help="read no checksums")
    command.add_argument(
        "--output", type=picture_path, metavar="FILE", help="the picture, .png or .svg (RUN/pictures/...)"
    )
    command.add_argument(
        "--movie",
        type=movie_path,
        metavar="FILE",
        help="a film, .mp4 or .gif: over all snapshots, or around the one that --snapshot names",
    )
    command.values = {
        "--field": fields_of,
        "--part": lambda words: run_among(words).parts,
        "--cut": lambda _: AXES,
        "--snapshot": lambda _: ("all", "last"),
    }
    return command


def render(words: Sequence[str] | None) -> None:
    arguments = parsed(parser(), words)
    require_existing([arguments.run])
    if arguments.movie and arguments.output:
        raise TayraError("--movie and --output are two names for what is drawn: leave out one")
    # Only here: what completes a command line comes at once.
    from tayra.rendering import render_run

    say("\n".join(map(printable, render_run(arguments))))


def main(words: Sequence[str] | None = None) -> int:
    return exit_code(PROGRAM, lambda: render(words))


if __name__ == "__main__":
    sys.exit(main())
