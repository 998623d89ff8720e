"""What `tayra render` shows of a volume, drawn by PyVista without a screen."""

import ctypes
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import Colormap, ListedColormap
from numpy.typing import NDArray

from tayra.errors import TayraError
from tayra.film import Pixels
from tayra.volume import Volume

SIDE, SIDE_OF_FILMS = 1600, 1000  # of a picture before its white margins are cut off, in pixels
MARGIN = 12  # of white that stays, in pixels
WHITE = 250
DISTANCE = 3.5  # of the camera, in diagonals of the box
OUTLINE = "#777777"
BINS = 64  # of values, in which opacity is chosen
COMMON = 4.0  # so many times the mean share of a bin: then it is transparent
LAYERED = 0.2  # of the range: by so much the top differs from the bottom of a layered flow
SHORT_OF_TOP = 0.05  # of that difference
# As if lit from above the viewer's left shoulder; nowhere black.
LIGHTING = {"ambient": 0.3, "diffuse": 0.75, "specular": 0.12, "specular_power": 12}

Numbers = NDArray[np.float64]
Angles = tuple[float, float]  # of the camera around the box, 0 before it, and above it; degrees


def imported_pyvista() -> Any:  # noqa: ANN401
    try:
        pyvista = import_module("pyvista")
    except ImportError as error:
        raise TayraError(
            "tayra render draws with PyVista, which is not installed: pip install pyvista "
            "(in a clone: scripts/install_dependencies.sh --render)"
        ) from error
    require_opengl()
    # VTK warns that there is no X server before it does without.
    logger = import_module("vtkmodules.vtkCommonCore").vtkLogger
    logger.SetStderrVerbosity(logger.VERBOSITY_ERROR)
    return pyvista


def require_opengl() -> None:
    """Without a screen VTK crashes where there is none."""
    if not (
        os.environ.get("DISPLAY") or has_egl() or has_library("libOSMesa.so.8") or has_library("libOSMesa.so")
    ):
        raise TayraError(
            "OpenGL without a screen is needed, and there is neither libEGL.so.1 with a driver nor libOSMesa "
            "here: apt-get install libegl1 libgl1-mesa-dri, or a module 'mesa' of your cluster"
        )


def has_library(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def has_egl() -> bool:
    """With a device: a GPU, or Mesa's own."""
    if not has_library("libEGL.so.1"):
        return False
    find = ctypes.CDLL("libEGL.so.1").eglGetProcAddress
    find.restype = ctypes.c_void_p
    address = find(b"eglQueryDevicesEXT")
    if not address:
        return False
    count = ctypes.c_int(0)
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address)
    return bool(query(0, None, ctypes.addressof(count))) and count.value > 0


def soft_colours() -> Colormap:
    """From blue over a light middle to red, without the dark ends, on which no shading is seen."""
    return ListedColormap(colormaps["RdYlBu_r"](np.linspace(0.1, 0.87, 256)), "tayra")


@dataclass(frozen=True)
class View:
    """What all pictures of a film have in common."""

    low: float
    high: float
    iso: float | None  # None: a cloud
    solid: str  # what is filled up to the faces of the box: "below" iso, "above" it, or "none"


def view_of(volume: Volume, limits: tuple[float, float], iso: float | None, cloud: bool) -> View:
    """Of layers the lower one is solid, and all that has mixed with it: what is left out is the upper one.
    Of other flows nothing is, as it would hide what is inside: a surface halfway between the extremes."""
    low, high = limits
    lowest, highest = (float(np.mean(volume.values[plane], dtype=float)) for plane in (0, -1))
    if cloud:
        return View(low, high, None, "none")
    if abs(highest - lowest) < LAYERED * (high - low):
        return View(low, high, (low + high) / 2 if iso is None else iso, "none")
    upper = highest - SHORT_OF_TOP * (highest - lowest)
    return View(low, high, upper if iso is None else iso, "below" if highest > lowest else "above")


def towards_viewer(angles: Angles) -> Numbers:
    """A unit vector from the box; at angle 0 along -y, from where x runs to the right and z upwards."""
    around, above = np.radians(angles)
    return np.array(
        [-math.sin(around) * math.cos(above), -math.cos(around) * math.cos(above), math.sin(above)]
    )


def fitting_lens(box: Numbers, to_camera: Numbers) -> float:
    """The camera's angle in which the whole box is seen; degrees."""
    forwards = -to_camera / np.linalg.norm(to_camera)
    corners = np.array(np.meshgrid(*box)).reshape(3, -1).T - box.mean(axis=1) - to_camera
    aside = np.cross(forwards, (0, 0, 1))
    aside = aside / np.linalg.norm(aside)
    most = max(
        np.abs(corners @ axis / (corners @ forwards)).max() for axis in (aside, np.cross(aside, forwards))
    )
    return 2.04 * math.degrees(math.atan(float(most)))


class Scene:
    """Made once; seen from any side."""

    def __init__(self, volume: Volume, box: Numbers, view: View, side: int = SIDE) -> None:
        self.pyvista = imported_pyvista()
        self.volume, self.box, self.view = volume, box, view
        self.plotter = self.pyvista.Plotter(off_screen=True, window_size=(side, side), lighting="none")
        self.plotter.set_background("white")
        for place, strength in (((-2, 1.5, 4), 0.85), ((3, 0.5, 2), 0.35)):  # from the camera
            light = self.pyvista.Light(position=place, intensity=strength, light_type="camera light")
            self.plotter.add_light(light)
        outline = self.pyvista.Box(bounds=tuple(box.ravel())).extract_all_edges()
        self.plotter.add_mesh(outline, color=OUTLINE, line_width=1.5, lighting=False)
        if view.iso is None:
            self._add_cloud()
        else:
            self.plotter.enable_anti_aliasing("ssaa")  # clouds would vanish
            self._add_surface(view.iso)

    def picture(self, angles: Angles, turning: bool = False) -> Pixels:
        """`turning`: the box has the same size from all sides."""
        towards = towards_viewer(angles)
        if self.view.iso is not None and self.view.solid != "none":
            for axis in range(3):
                self._add_face(axis, bool(towards[axis] > 0), self.view.iso)
        middle, away = self.box.mean(axis=1), DISTANCE * float(np.linalg.norm(np.ptp(self.box, axis=1)))
        sides = [(around, angles[1]) for around in range(0, 180, 15)] if turning else [angles]
        camera = self.plotter.camera
        camera.position = tuple(middle + away * towards)
        camera.focal_point = tuple(middle)
        camera.up = (0, 0, 1)
        camera.view_angle = max(fitting_lens(self.box, away * towards_viewer(side)) for side in sides)
        self.plotter.reset_camera_clipping_range()
        return np.array(self.plotter.screenshot(return_img=True), np.uint8)

    def close(self) -> None:
        self.plotter.close()

    def _image(self, values: NDArray[np.float32], lower: Numbers) -> Any:  # noqa: ANN401
        cells = values.shape[::-1]
        image = self.pyvista.ImageData(
            dimensions=cells, spacing=tuple(self.volume.spacing), origin=tuple(lower)
        )
        image.point_data["field"] = values.ravel()
        return image

    @cached_property
    def _colours(self) -> dict[str, Any]:
        return {
            "scalars": "field",
            "cmap": soft_colours(),
            "clim": (self.view.low, self.view.high),
            "show_scalar_bar": False,
        }

    def _add_surface(self, iso: float) -> None:
        image = self._image(self.volume.values, self.volume.lower)
        surface = image.contour([iso], scalars="field", method="flying_edges", compute_normals=True)
        if surface.n_points:
            surface["field"] = np.full(surface.n_points, iso, np.float32)
            self.plotter.add_mesh(surface, name="surface", smooth_shading=True, **self._colours, **LIGHTING)

    def _add_face(self, axis: int, upper: bool, iso: float) -> None:
        """Of the box, as far as it is solid."""
        at = [slice(None)] * 3
        at[2 - axis] = slice(-1, None) if upper else slice(0, 1)
        lower = self.volume.lower.copy()
        lower[axis] = self.volume.bounds[axis][1 if upper else 0]
        face = self._image(np.ascontiguousarray(self.volume.values[tuple(at)]), lower)
        solid = face.clip_scalar(scalars="field", value=iso, invert=self.view.solid == "below")
        self.plotter.remove_actor(f"face {axis}")
        if solid.n_points:
            self.plotter.add_mesh(solid, name=f"face {axis}", lighting=False, **self._colours)

    def _add_cloud(self) -> None:
        """What is common in the box is transparent: fluids that have not mixed, gas at rest."""
        limits = (self.view.low, self.view.high)
        shares, _ = np.histogram(self.volume.values, BINS, limits)
        shares = shares / max(1, self.volume.values.size)
        opacity = np.clip(1 - shares * BINS / COMMON, 0, 1)
        self.plotter.add_volume(
            self._image(self.volume.values, self.volume.lower),
            name="cloud",
            opacity=list(0.8 * opacity),
            opacity_unit_distance=float(np.ptp(self.box, axis=1).min() / 12),
            **self._colours,
        )


def page_of_pictures(pictures: Sequence[Pixels]) -> tuple[slice, slice]:
    """Rows and columns in which any of them is drawn; even numbers of both, as most films require."""
    drawn = np.any([(picture < WHITE).any(axis=2) for picture in pictures], axis=0)
    return _span(drawn.any(axis=1)), _span(drawn.any(axis=0))


def _span(drawn: NDArray[np.bool_]) -> slice:
    places = np.flatnonzero(drawn)
    first = max(0, int(places[0]) - MARGIN)
    last = min(drawn.size, int(places[-1]) + 1 + MARGIN)
    return slice(first, first + (last - first) // 2 * 2)
