"""What all figures share: readable in grey and by the colour-blind, the same file for the same data.

They are made without pyplot, whose state and whose choice of a window belong to whoever imports this package.
"""

import io
import math
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ticker import LogLocator, NullLocator
from matplotlib.transforms import Bbox
from numpy.typing import NDArray
from PIL import Image

from tayra.errors import TayraError
from tayra.files import whole_file

Numbers = NDArray[np.floating[Any]]
MARGIN = 0.1  # around a picture, in inches
PIXELS_PER_INCH = 150
CAPTION_LETTERS_PER_INCH = 18
MARKERS_A_LINE = 8
# Okabe & Ito's palette, which the colour-blind tell apart.
BLUE, ORANGE, GREEN, BLACK = "#0072B2", "#D55E00", "#009E73", "#222222"
# One after the other for things of one kind; dashes and markers tell them apart in grey.
COLOURS = (BLUE, ORANGE, GREEN, BLACK, "#CC79A7", "#56B4E9", "#E69F00")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 3)))
MARKERS = ("o", "s", "^", "D", "v", "X", "P")

# Of whoever draws: @rc_context(STYLE).
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "tayra",
}


class Picture(Figure):
    """A figure of matplotlib that notebooks show as it is saved."""

    def _repr_png_(self) -> bytes:
        png = io.BytesIO()
        self.savefig(png, format="png", dpi=PIXELS_PER_INCH, bbox_inches="tight", pad_inches=MARGIN)
        return png.getvalue()


def subplots(
    rows: int = 1, columns: int = 1, *, figsize: tuple[float, float], squeeze: bool = True
) -> tuple[Picture, Any]:
    """A figure and its axes, as pyplot's function of this name gives them."""
    figure = Picture(figsize=figsize, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=squeeze)


def page_of(figure: Figure) -> Bbox:
    """What `save` would keep of it, in even numbers of pixels, as most formats of films require."""
    figure.set_dpi(PIXELS_PER_INCH)
    figure.draw_without_rendering()
    drawn = figure.get_tightbbox().padded(MARGIN)
    # The hundredth keeps rounding from losing a pixel.
    width, height = (
        (2 * math.ceil(side * PIXELS_PER_INCH / 2) + 0.01) / PIXELS_PER_INCH for side in drawn.size
    )
    return Bbox.from_bounds(drawn.x0, drawn.y0, width, height)


def whole_page(figure: Figure) -> Bbox:
    """All of it, also what is white."""
    return Bbox.from_bounds(0, 0, *figure.get_size_inches())


def pixels_of(figure: Figure, page: Bbox | None = None) -> NDArray[np.uint8]:
    """What `save` would keep of `page`, or of the whole figure: [row][column][red, green, blue]."""
    png = io.BytesIO()
    with rc_context(STYLE):
        figure.savefig(png, format="png", dpi=PIXELS_PER_INCH, bbox_inches=page or whole_page(figure))
    with Image.open(png) as image:
        return np.asarray(image.convert("RGB"))


def save(figure: Figure, path: Path, page: Bbox | None = None) -> None:
    """As PNG or SVG without the date and program that would make equal pictures differ; cut to `page`, or
    around what is drawn."""
    kind = path.suffix.removeprefix(".")
    stamp = {"Date" if kind == "svg" else "Software": None}
    try:
        with whole_file(path) as beside, rc_context(STYLE):
            figure.savefig(
                beside,
                format=kind,
                dpi=PIXELS_PER_INCH,
                bbox_inches=page or "tight",
                pad_inches=MARGIN,
                metadata=stamp,
            )
    except ValueError as error:
        raise TayraError(f"cannot draw {path} ({error})") from error


def use_plain_logarithm(axis: Axis) -> None:
    """A logarithmic axis with ticks at 1, 2, 5, 10 … as people write them; at 1, 10, 100 where it is long."""
    sideways = axis is axis.axes.xaxis
    axis.axes.set(**{"xscale" if sideways else "yscale": "log"})
    low, high = axis.get_view_interval()
    long = high > (100 if sideways else 1000) * low  # numbers side by side crowd earlier
    axis.set_major_locator(LogLocator(subs=(1,) if long else (1, 2, 5)))
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_locator(NullLocator())


def line_style(index: int) -> dict[str, Any]:
    """Of the line `index` of several: colour, dashes and marker all differ. From the eighth on each comes
    again, never with the same others: lines differ without colour, too."""
    turn = index // len(COLOURS)
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": DASHES[(index + turn) % len(DASHES)],
        "marker": MARKERS[(index + 2 * turn) % len(MARKERS)],
        "markersize": 5,
    }


def marker_places(index: int, points: int) -> tuple[int, int]:
    """For `markevery`: few markers, on each line elsewhere, so that lines on top of each other show."""
    apart = max(1, points // MARKERS_A_LINE)
    return (index * apart // 3) % apart, apart


def mark_points(axes: Axes) -> None:
    """Lines of one point would be invisible. Hollow, since they may lie on each other."""
    for line, marker in zip(axes.lines, MARKERS, strict=False):
        if np.size(line.get_xdata()) == 1:
            line.set(marker=marker, markerfacecolor="none", clip_on=False)


def error_bars(middle: Numbers, least: Numbers, most: Numbers) -> Numbers:
    """To both sides. Rounding may put a median beyond its extremes."""
    return np.maximum(0, [middle - least, most - middle])


def add_title(figure: Figure, text: str) -> None:
    """At the left: in the middle it would run into the legend. A name with $ in it is no formula."""
    figure.suptitle(drawable(text), x=0.01, ha="left", parse_math=False)


def add_caption(figure: Figure, lines: Sequence[str]) -> None:
    """Below the panels: which machine and command gave this."""
    width = int(figure.get_figwidth() * CAPTION_LETTERS_PER_INCH)
    text = "\n".join(textwrap.fill(line, width, subsequent_indent="     ") for line in lines)
    # A name with $ in it is no formula.
    figure.supxlabel(drawable(text), x=0.01, ha="left", fontsize=7, color=BLACK, parse_math=False)


def drawable(text: str) -> str:
    """Bytes of names that are no letters as codes, letters that the font lacks as one sign for all."""
    letters = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(
        letter if letter == "\n" or ord(letter) in _font_letters() else "\ufffd" for letter in letters
    )


@cache
def _font_letters() -> Mapping[int, int]:
    return get_font(findfont(FontProperties())).get_charmap()
