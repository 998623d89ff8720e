"""Films: pictures of one size, one after the other, as .mp4 (by ffmpeg) or .gif (by Pillow)."""

import shutil
import subprocess
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tayra.errors import TayraError
from tayra.files import whole_file

Pixels = NDArray[np.uint8]  # [row][column][red, green, blue]
LAST_FRAME_SHOWN = 2.0  # seconds, before a GIF begins again


def require_writable(path: Path) -> None:
    """Before anything is drawn."""
    if path.suffix == ".mp4":
        ffmpeg()


def write_film(path: Path, frames: Iterable[Pixels], rate: float) -> None:
    """`rate` frames a second. Takes one after the other: together they may exceed the memory."""
    with whole_file(path) as beside:
        (write_mp4 if path.suffix == ".mp4" else write_gif)(beside, frames, rate)


def frame_rate(frames: int) -> float:
    """So that a film takes some six seconds, and is neither a flicker nor a show of slides."""
    return min(25, max(4, round(frames / 6)))


def ffmpeg() -> str:
    """The program: that of the package imageio-ffmpeg, else the system's."""
    try:
        return str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        found = shutil.which("ffmpeg")
    if not found:
        raise TayraError(
            "an .mp4 needs ffmpeg, which is not here: pip install imageio-ffmpeg, or name a .gif"
        )
    return found


def write_mp4(path: Path, frames: Iterable[Pixels], rate: float) -> None:
    """In H.264 with colours that every player shows."""
    program = ffmpeg()
    frames = iter(frames)
    first = next(frames)
    height, width, _ = first.shape
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-"]
    made = ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"]
    command = [program, "-loglevel", "error", "-y", *raw, *made, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stderr
        _send(process.stdin, first, frames)
        said = process.stderr.read().decode(errors="replace").strip()
    if process.returncode:
        last_line = said.splitlines()[-1] if said else f"exit code {process.returncode}"
        raise TayraError(f"{program} has failed ({last_line}): name a .gif instead")


def _send(pipe: IO[bytes], first: Pixels, others: Iterable[Pixels]) -> None:
    """Its end ffmpeg takes for the film's. Where it has failed, what it said of that tells more."""
    try:
        pipe.write(first.tobytes())
        for frame in others:
            pipe.write(frame.tobytes())
        pipe.close()
    except BrokenPipeError:
        pass


def write_gif(path: Path, frames: Iterable[Pixels], rate: float) -> None:
    """All frames in the colours of the last, which has most of them, so that none of them flickers. Pillow
    makes one of frames that are then equal, and shows it for their time."""
    images = [Image.fromarray(frame) for frame in frames]
    palette = images[-1].quantize(256, dither=Image.Dither.NONE)
    reduced = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times = [round(1000 / rate)] * (len(images) - 1) + [round(1000 * LAST_FRAME_SHOWN)]
    reduced[0].save(path, "GIF", save_all=True, append_images=reduced[1:], duration=times, loop=0)
