"""What `tayra render` draws: pictures in three dimensions with their time and scale, and films of them."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib import rc_context
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from tayra.command import warn
from tayra.errors import TayraError
from tayra.figures import PIXELS_PER_INCH, STYLE, Picture, pixels_of, save, whole_page
from tayra.film import Pixels, frame_rate, require_writable, write_film
from tayra.flow_figures import colour_limits, field_label, telling_digits
from tayra.plot import chosen, holding
from tayra.render import PROGRAM
from tayra.run_directory import Run
from tayra.scene import (
    SIDE,
    SIDE_OF_FILMS,
    Angles,
    Scene,
    View,
    imported_pyvista,
    page_of_pictures,
    soft_colours,
    towards_viewer,
    view_of,
)
from tayra.snapshot import AXES, Snapshot
from tayra.volume import Volume, read_volume

FRAMES_AROUND = 72  # of a film around one snapshot
LETTERS = 0.017  # their size, of the picture's height


@dataclass(frozen=True)
class Look:
    """What all pictures of a film have in common."""

    field: str
    label: str
    view: View
    digits: int  # of times
    angles: Angles
    cut: tuple[str, float | None] | None
    plain: bool

    def scene(self, volume: Volume, side: int) -> Scene:
        return Scene(self.kept(volume), volume.bounds, self.view, side)

    def kept(self, volume: Volume) -> Volume:
        if self.cut is None:
            return volume
        axis, position = self.cut
        before_is_low = towards_viewer(self.angles)[AXES.index(axis)] <= 0
        return volume.beyond(axis, position, upwards=before_is_low)

    def figure(self, pixels: Pixels, time: float) -> Picture:
        return framed(pixels, self, f"t = {time:.{self.digits}g}")


def framed(pixels: Pixels, look: Look, title: str) -> Picture:
    """The picture, pixel by pixel, below its time and beside its scale of colours."""
    height, width = (side / PIXELS_PER_INCH for side in pixels.shape[:2])
    letters = 0.0 if look.plain else max(8, 72 * LETTERS * height)
    line = letters / 72
    with rc_context(STYLE | {"font.size": letters or 10}):
        size = _even(width + 6.5 * line), _even(height + 2 * line)
        figure = Picture(figsize=size)
        axes = figure.add_axes((0, 0, width / size[0], height / size[1]))
        axes.imshow(pixels, interpolation="none", aspect="auto")
        axes.axis("off")
        if not look.plain:
            figure.text(width / 2 / size[0], 1 - line / size[1], title, ha="center", va="center")
            beside = (
                (width + line) / size[0],
                0.3 * height / size[1],
                0.6 * line / size[0],
                0.4 * height / size[1],
            )
            colours = ScalarMappable(Normalize(look.view.low, look.view.high), soft_colours())
            bar = figure.colorbar(colours, cax=figure.add_axes(beside))
            bar.set_label(look.label)
            bar.outline.set_visible(False)
    return figure


def _even(inches: float) -> float:
    return (2 * round(inches * PIXELS_PER_INCH / 2) + 0.01) / PIXELS_PER_INCH


def render_run(arguments: argparse.Namespace) -> list[Path]:
    """Draws what was asked for; the files it has written."""
    imported_pyvista()
    if arguments.movie:
        require_writable(arguments.movie)
    run = Run(arguments.run, check=not arguments.no_check)
    series = run.parts[arguments.part] if arguments.part else run.snapshots
    choice = arguments.snapshot or ("all" if arguments.movie else "last")
    snapshots = chosen(series, choice, arguments.output)
    field = arguments.field or ("fraction" if snapshots[-1].holds("fraction") else "density")
    snapshots = holding(PROGRAM, field, snapshots)
    look = look_of(snapshots, field, arguments)
    if arguments.movie:
        frames = around(snapshots[0], look) if choice != "all" else over_time(snapshots, look)
        count = FRAMES_AROUND if choice != "all" else len(snapshots)
        write_film(arguments.movie, frames, frame_rate(count))
        return [arguments.movie]
    folder = (series.folder if arguments.part else run.directory) / "pictures"
    written = []
    for snapshot, pixels in pictures(snapshots, look, SIDE):
        path = arguments.output or folder / f"{field}_3d_{snapshot.number:06}.png"
        figure = look.figure(pixels, snapshot.time)
        save(figure, path, whole_page(figure))
        written.append(path)
    return written


def look_of(snapshots: Sequence[Snapshot], field: str, arguments: argparse.Namespace) -> Look:
    """With one scale for all. Takes one volume after the other: together they may exceed the memory."""
    lows, highs = [], []
    view_from = None
    for snapshot in snapshots:
        volume = read_volume(snapshot, field)
        low, high = volume.extremes
        lows.append(low)
        highs.append(high)
        view_from = view_from or volume
    assert view_from
    if arguments.iso is not None and not min(lows) <= arguments.iso <= max(highs):
        raise TayraError(
            f"{field} nowhere is {arguments.iso:g}: choose --iso from {min(lows):.6g} to {max(highs):.6g}"
        )
    if view_from.stride > 1:
        cells = " x ".join(map(str, snapshots[0].grid.cells))
        n = view_from.stride
        warn(PROGRAM, f"{cells} cells are drawn as means over {n} x {n} x {n} of them")
    return Look(
        field=field,
        label=field_label(field, snapshots[0].slice(field, "z").units),
        view=view_of(view_from, colour_limits(min(lows), max(highs)), arguments.iso, arguments.volume),
        digits=telling_digits({snapshot.time for snapshot in snapshots}),
        angles=arguments.angle,
        cut=arguments.cut,
        plain=arguments.plain,
    )


def pictures(snapshots: Sequence[Snapshot], look: Look, side: int) -> Iterator[tuple[Snapshot, Pixels]]:
    """From one side, so that all have the margins of the first: they hold the same box."""
    page = None
    for snapshot in snapshots:
        scene = look.scene(read_volume(snapshot, look.field), side)
        drawn = scene.picture(look.angles)
        scene.close()
        page = page or page_of_pictures([drawn])
        yield snapshot, drawn[page]


def over_time(snapshots: Sequence[Snapshot], look: Look) -> Iterator[Pixels]:
    for snapshot, pixels in pictures(snapshots, look, SIDE_OF_FILMS):
        yield pixels_of(look.figure(pixels, snapshot.time))


def around(snapshot: Snapshot, look: Look) -> Iterator[Pixels]:
    """A turn of the camera about one snapshot."""
    scene = look.scene(read_volume(snapshot, look.field), SIDE_OF_FILMS)
    start, above = look.angles
    sides = [(start + 360 * frame / FRAMES_AROUND, above) for frame in range(FRAMES_AROUND)]
    drawn = [scene.picture(side, turning=True) for side in sides]
    scene.close()
    page = page_of_pictures(drawn)
    for picture in drawn:
        yield pixels_of(look.figure(picture[page], snapshot.time))
