"""The command `tayra render`; pictures only where PyVista and OpenGL are."""

import os
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from matplotlib import image
from PIL import Image

from tayra import Run, TayraError
from tayra.film import write_gif
from tayra.render import main, two_angles
from tayra.scene import page_of_pictures, towards_viewer, view_of
from tayra.volume import Volume, read_volume, stride_for


def needs_opengl() -> None:
    pytest.importorskip("pyvista")
    from tayra.scene import require_opengl

    try:
        require_opengl()
    except TayraError as error:
        pytest.skip(str(error))


def layered(run_directory: Path, number: int, surface: float = 2.95) -> None:
    """A light fluid below a heavy one, with a wave on the interface; between heights 2 and 4."""
    x, y, z = np.meshgrid(*(np.arange(n) / n for n in (16, 12, 24)), indexing="ij")
    height = surface + 0.2 * np.cos(2 * np.pi * x) * np.cos(2 * np.pi * y)
    fraction = 0.5 + 0.5 * np.tanh((2 + 2 * z - height) / 0.05)
    with h5py.File(run_directory / "snapshots" / f"{number:06}.vtkhdf", "w") as file:
        file.attrs.update(
            time=float(number), step=number, lower=[0, 0, 2.0], spacing=[1 / 16, 1 / 12, 1 / 12]
        )
        file["density"] = 1 + 2 * fraction.T
        file["fraction"] = fraction.T


@pytest.fixture
def layers(run_directory: Path) -> Path:
    for number in range(3):
        layered(run_directory, number, 2.8 + 0.2 * number)
    return run_directory


def coloured(pixels: np.ndarray) -> float:
    """The share of the picture that is neither white nor grey."""
    rgb = pixels[..., :3]
    return float((np.ptp(rgb, axis=2) > 0.2).mean())


def test_the_last_snapshot_is_drawn_by_default_with_its_fraction(
    layers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_opengl()
    assert main([str(layers)]) == 0
    picture = layers / "pictures" / "fraction_3d_000002.png"
    assert capsys.readouterr().out == f"{picture}\n"
    pixels = image.imread(picture)
    height, width, _ = pixels.shape
    assert height > width > 400, "the box is higher than wide"
    assert 0.15 < coloured(pixels) < 0.8, "the light fluid alone"
    upper, lower = pixels[: height // 3, : width // 2], pixels[-height // 2 :, : width // 2]
    assert coloured(upper) < 0.1 < coloured(lower)
    blue = lower[..., 2] - lower[..., 0]
    assert blue.max() > 0.4, "the light fluid is blue"


def test_kinds_of_pictures_differ_and_each_shows_something(layers: Path, tmp_path: Path) -> None:
    needs_opengl()
    shown = {}
    for name, words in {
        "cloud": ["--volume"],
        "cut": ["--cut", "y"],
        "surface": ["--field", "density", "--iso", "1.5"],
        "plain": ["--plain"],
        "aside": ["--angle", "-60,40"],
    }.items():
        assert main([str(layers), *words, "--output", str(tmp_path / f"{name}.png")]) == 0
        shown[name] = (tmp_path / f"{name}.png").read_bytes()
        assert coloured(image.imread(tmp_path / f"{name}.png")) > 0.02, name
    assert len(set(shown.values())) == len(shown)


def test_a_film_over_time_has_a_frame_for_each_snapshot_with_the_same_box(
    layers: Path, tmp_path: Path
) -> None:
    needs_opengl()
    film = tmp_path / "film.gif"
    assert main([str(layers), "--movie", str(film)]) == 0
    with Image.open(film) as frames:
        assert frames.n_frames == 3
        assert all(side % 2 == 0 for side in frames.size)
        shares = []
        for number in range(3):
            frames.seek(number)
            shares.append(coloured(np.asarray(frames.convert("RGB")) / 255))
    assert shares[0] < shares[1] < shares[2], "the layer rises"


def test_a_gif_lasts_as_long_as_all_its_frames_also_where_two_are_equal(tmp_path: Path) -> None:
    """Pillow shows the first of them for longer instead: 72 frames may be 71 in the file."""
    pixels = np.zeros((4, 8, 8, 3), np.uint8)
    pixels[:, :, :4] = 255  # in the last frame are all colours
    pixels[0, 0] = 255
    pixels[3, 7] = 255
    write_gif(tmp_path / "film.gif", pixels, 10)  # the second is as the third
    with Image.open(tmp_path / "film.gif") as film:
        times = []
        for number in range(film.n_frames):
            film.seek(number)
            times.append(film.info["duration"])
    assert times == [100, 200, 2000]


def test_without_pyvista_the_error_names_what_to_install(
    layers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyvista", None)
    assert main([str(layers)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("tayra render: ")
    assert "pip install pyvista" in said
    assert "scripts/install_dependencies.sh --render" in said


def test_without_opengl_the_error_names_what_to_install(
    layers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyvista")
    monkeypatch.delitem(os.environ, "DISPLAY", raising=False)
    monkeypatch.setattr("tayra.scene.has_library", lambda _: False)
    assert main([str(layers)]) == 2
    assert "apt-get install libegl1" in capsys.readouterr().err


def test_a_surface_where_the_field_never_is_is_refused(
    layers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyvista")
    assert main([str(layers), "--iso", "7"]) == 2
    assert "fraction nowhere is 7: choose --iso from" in capsys.readouterr().err


def test_a_surface_lies_between_the_extremes_of_a_signed_field(
    layers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyvista")
    with h5py.File(layers / "snapshots/000002.vtkhdf", "a") as file:
        file["fraction"][:] -= 0.25
    assert main([str(layers), "--iso", "-0.5"]) == 2
    assert "fraction nowhere is -0.5: choose --iso from -0.25 to 0.75" in capsys.readouterr().err


def test_a_film_leaves_out_and_names_snapshots_without_the_field(
    layers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_opengl()
    with h5py.File(layers / "snapshots/000000.vtkhdf", "a") as file:
        del file["fraction"]
    assert main([str(layers), "--movie", str(tmp_path / "film.gif")]) == 0
    said = capsys.readouterr().err
    assert said == "tayra render: left out, as they hold no field 'fraction': snapshots 0\n"
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == 2


def test_a_large_volume_is_drawn_as_means_of_blocks(layers: Path) -> None:
    snapshot = Run(layers).snapshot(1)
    whole = read_volume(snapshot, "density")
    assert whole.stride == 1
    assert np.allclose(whole.values, snapshot["density"])
    assert whole.lower.tolist() == pytest.approx([1 / 32, 1 / 24, 2 + 1 / 24])
    coarse = read_volume(snapshot, "density", most_cells=1000)
    assert coarse.stride == 2
    blocks = snapshot["density"].reshape(12, 2, 6, 2, 8, 2).mean(axis=(1, 3, 5))
    assert np.allclose(coarse.values, blocks)
    assert coarse.lower.tolist() == pytest.approx([1 / 16, 1 / 12, 2 + 1 / 12])
    assert stride_for((512, 512, 1024)) == 2
    assert stride_for((2048, 2048, 4096)) == 8


def test_a_cut_keeps_what_lies_beyond_it() -> None:
    volume = Volume(np.zeros((4, 6, 8), np.float32), np.zeros(3), np.ones(3), 1)
    assert volume.beyond("x", 3, upwards=True).bounds[0].tolist() == [3, 7]
    assert volume.beyond("y", 2, upwards=False).bounds[1].tolist() == [0, 2]
    with pytest.raises(TayraError, match="z = 9 lies outside the box"):
        volume.beyond("z", 9, upwards=True)


def test_of_layers_the_lower_is_solid_and_of_other_flows_nothing() -> None:
    def view(values: list[float]) -> tuple[float | None, str]:
        planes = np.broadcast_to(np.reshape(values, (-1, 1, 1)), (len(values), 2, 2)).astype(np.float32)
        found = view_of(Volume(planes, np.zeros(3), np.ones(3), 1), (0, 1), None, cloud=False)
        return found.iso, found.solid

    assert view([0, 0, 1, 1]) == (pytest.approx(0.95), "below")
    assert view([1, 1, 0, 0]) == (pytest.approx(0.05), "above")
    assert view([0, 1, 0, 0]) == (0.5, "none")


def test_angles_turn_the_viewer_around_the_box() -> None:
    assert towards_viewer((0, 0)) == pytest.approx([0, -1, 0])
    assert towards_viewer((90, 0)) == pytest.approx([-1, 0, 0])
    assert towards_viewer((0, 30))[2] == pytest.approx(0.5)
    assert two_angles("35") == (35, 20)
    assert two_angles("-10,45") == (-10, 45)


def test_a_page_holds_what_any_picture_shows_in_even_numbers_of_pixels() -> None:
    one, two = np.full((2, 100, 100, 3), 255, np.uint8)
    one[40, 50] = 0
    two[61, 20] = 0
    rows, columns = page_of_pictures([one, two])
    assert rows.start <= 40 < 61 < rows.stop
    assert columns.start <= 20 < 50 < columns.stop
    assert (rows.stop - rows.start) % 2 == (columns.stop - columns.start) % 2 == 0
