"""Reading runs."""

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from tayra import Run, Snapshot, TayraError, read_table


def test_snapshots_are_the_whole_ones_in_order(run_directory: Path) -> None:
    run = Run(run_directory)
    assert [snapshot.number for snapshot in run.snapshots] == [0, 1, 2]
    assert run.snapshot().number == 2
    assert run.snapshot(1).time == 0.5


def test_snapshots_beyond_a_million_come_last(run_directory: Path) -> None:
    for number in (1000000, 999999):
        (run_directory / "snapshots" / f"{number:06}.vtkhdf").touch()
    assert [s.number for s in Run(run_directory).snapshots] == [0, 1, 2, 999999, 1000000]


def test_a_missing_snapshot_is_refused_with_those_that_are_there(run_directory: Path) -> None:
    for number in (5, 7, 8):
        (run_directory / "snapshots" / f"{number:06}.vtkhdf").touch()
    with pytest.raises(TayraError, match="holds no snapshot 6: it has 0 to 2, 5, 7 to 8$"):
        Run(run_directory).snapshot(6)


def test_a_snapshot_may_be_named_by_a_path_or_a_text(run_directory: Path) -> None:
    path = run_directory / "snapshots" / "000001.vtkhdf"
    for named in (path, str(path)):
        assert Snapshot(named).number == 1
        assert Snapshot(named).time == 0.5


def test_a_snapshot_of_another_name_is_read_as_well(run_directory: Path) -> None:
    path = run_directory / "snapshots" / "000001.vtkhdf"
    other = Snapshot(path.rename(path.with_name("last.vtkhdf")))
    assert other.time == 0.5
    with pytest.raises(TayraError, match="last.vtkhdf has no number in its name"):
        assert other.number


def test_the_upper_face_of_a_box_belongs_to_it_however_it_is_rounded(run_directory: Path) -> None:
    with h5py.File(run_directory / "snapshots" / "000001.vtkhdf", "a") as file:
        del file["density"], file["velocity"]
        file["density"] = np.ones((8, 6, 49))
        file.attrs["lower"], file.attrs["spacing"] = [0.0, 0, 0], [1 / 49, 1, 1]
    snapshot = Run(run_directory).snapshot(1)
    assert snapshot.grid.upper[0] < 1
    assert snapshot.slice("density", "x", 1.0).position == pytest.approx(48.5 / 49)
    with pytest.raises(TayraError, match="x = 1.001 lies outside the box: from 0 to 1$"):
        snapshot.slice("density", "x", 1.001)
    with h5py.File(snapshot.path, "a") as file:
        file.attrs["lower"], file.attrs["spacing"] = [1e6, 0, 0], [1e-3 / 49, 1, 1]
    far = Snapshot(snapshot.path)
    assert far.slice("density", "x", 1e6 + 1e-3).position == pytest.approx(1e6 + 1e-3)


def test_a_snapshot_knows_its_box(run_directory: Path) -> None:
    snapshot = Run(run_directory).snapshot(1)
    assert (snapshot.time, snapshot.step) == (0.5, 10)
    assert snapshot.grid.cells == (4, 6, 8)
    assert snapshot.grid.upper.tolist() == [1.0, 6.0, 4.0]
    assert snapshot.grid.box.tolist() == [[-1.0, 1.0], [0.0, 6.0], [2.0, 4.0]]
    assert snapshot.fields == {"density": 1, "velocity": 3}


def test_a_slice_is_the_plane_of_cells_at_the_position(run_directory: Path) -> None:
    plane = Run(run_directory).snapshot().slice("density", "y", 2.2)
    assert plane.position == 2.5
    assert plane.values.shape == (8, 4)
    assert plane.values[3, 1] == 1 + 1 + 20 + 300
    assert (plane.horizontal, plane.vertical) == ("x", "z")
    assert plane.extent == (-1.0, 1.0, 2.0, 4.0)


@pytest.mark.parametrize(("position", "centre"), [(2.0, 2.5), (2.9, 2.5), (3.1, 3.5), (6.0, 5.5)])
def test_a_slice_is_of_the_cell_that_the_position_lies_in(
    run_directory: Path, position: float, centre: float
) -> None:
    assert Run(run_directory).snapshot().slice("density", "y", position).position == centre


@pytest.mark.parametrize(("axis", "shape"), [("x", (8, 6)), ("y", (8, 4)), ("z", (6, 4))])
def test_slices_go_through_the_middle_by_default(
    run_directory: Path, axis: str, shape: tuple[int, int]
) -> None:
    assert Run(run_directory).snapshot().slice("density", axis).values.shape == shape


def test_the_upper_edge_belongs_to_the_last_cell(run_directory: Path) -> None:
    assert Run(run_directory).snapshot().slice("density", "x", 1.0).position == 0.75


def test_vectors_give_magnitude_and_components(run_directory: Path) -> None:
    snapshot = Run(run_directory).snapshot()
    assert snapshot.slice("velocity", "y").values[6, 3] == pytest.approx(15)
    assert snapshot.slice("velocity_z", "y").values[6, 3] == 12


def test_an_unknown_field_is_refused_with_those_there_are(run_directory: Path) -> None:
    with pytest.raises(TayraError, match="no field 'vorticity': it has density, velocity, velocity_x"):
        Run(run_directory).snapshot().slice("vorticity")


def test_an_unknown_axis_is_refused_with_those_there_are(run_directory: Path) -> None:
    snapshot = Run(run_directory).snapshot()
    for ask in (lambda: snapshot.slice("density", "q"), lambda: snapshot.grid.centres("q")):
        with pytest.raises(TayraError, match="there is no axis 'q': name x, y or z"):
            ask()


def test_a_position_outside_the_box_is_refused(run_directory: Path) -> None:
    with pytest.raises(TayraError, match="y = 7 lies outside the box: from 0 to 6"):
        Run(run_directory).snapshot().slice("density", "y", 7)


def test_a_snapshot_cut_short_is_refused(run_directory: Path) -> None:
    path = run_directory / "snapshots" / "000002.vtkhdf"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(TayraError, match="cut short"):
        Run(run_directory).snapshot().slice("density")


def test_a_damaged_list_of_fields_is_refused(run_directory: Path) -> None:
    path = run_directory / "snapshots" / "000002.vtkhdf"
    whole = path.read_bytes()
    assert b"SNOD" in whole
    path.write_bytes(whole.replace(b"SNOD", b"NONE", 1))
    with pytest.raises(TayraError, match=r"000002\.vtkhdf is damaged or no snapshot"):
        Run(run_directory).snapshot().slice("density")


def test_damaged_numbers_are_refused_whole_and_in_slices(run_directory: Path) -> None:
    path = run_directory / "snapshots" / "000002.vtkhdf"
    with h5py.File(path, "a") as file:
        values = file["density"][:]
        del file["density"]
        file.create_dataset("density", data=values, chunks=(1, 6, 4), compression="gzip")
        chunk = file["density"].id.get_chunk_info(0)
    with path.open("r+b") as raw:
        raw.seek(chunk.byte_offset)
        raw.write(b"\xff" * chunk.size)
    snapshot = Run(run_directory).snapshot()
    for read in (snapshot.field, snapshot.slice):
        with pytest.raises(TayraError, match=r"000002\.vtkhdf is damaged or no snapshot"):
            read("density")


def test_a_foreign_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TayraError, match=r"run\.json is missing"):
        Run(tmp_path)
    with pytest.raises(TayraError, match="no directory"):
        Run(tmp_path / "nowhere")


def test_logs_are_read_by_column(run_directory: Path) -> None:
    timings = Run(run_directory).timings()
    assert timings["wall_ms"].tolist() == [2, 3]
    assert Run(run_directory).diagnostics()["theta"][1] == 0.5


def test_a_log_without_rows_is_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "timings.csv"
    path.write_text("step,time\n")
    assert read_table(path)["time"].size == 0


def test_a_log_of_one_row_is_a_table_of_one_row(tmp_path: Path) -> None:
    path = tmp_path / "timings.csv"
    path.write_text("step,time\n1,0.1\n")
    table = read_table(path)
    assert (table["step"].tolist(), table["time"].tolist()) == ([1], [0.1])


@pytest.mark.parametrize("rows", ["1,0.1\n2,oops\n", "1,0.1\n2\n", "1,0.1,7\n2,0.2,7\n"])
def test_a_damaged_log_is_refused(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "timings.csv"
    path.write_text("step,time\n" + rows)
    with pytest.raises(TayraError, match=r"timings\.csv is damaged"):
        read_table(path)


def test_a_row_that_is_begun_while_a_log_is_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "timings.csv"
    path.write_text("step,time\n1,0.1\n2,0.2\n")
    read = np.loadtxt

    def begin_a_row_and_read(*words: Any, **options: Any) -> Any:  # noqa: ANN401
        with path.open("a") as log:
            log.write("3,")
        return read(*words, **options)

    monkeypatch.setattr(np, "loadtxt", begin_a_row_and_read)
    assert read_table(path, growing=True)["step"].tolist() == [1, 2]


@pytest.mark.parametrize("status", ["running", "stopped", "failed", "lost"])
def test_a_row_within_which_a_run_ended_unfinished_is_left_out(run_directory: Path, status: str) -> None:
    (run_directory / "run.json").write_text(json.dumps({"tayra": {"version": "0"}, "status": status}))
    for log in ("timings.csv", "diagnostics.csv"):
        with (run_directory / log).open("a") as file:
            file.write("20,0.7")
    run = Run(run_directory)
    assert run.timings()["wall_ms"].tolist() == [2, 3]
    assert run.diagnostics()["step"].tolist() == [0, 10]


def test_a_foreign_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "timings.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(TayraError, match="column 'step' is missing"):
        read_table(path, ("step",))


def test_a_long_log_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "timings.csv"
    path.write_text("step,time\n" + "".join(f"{i},{i / 7}\n" for i in range(100_000)))
    assert np.array_equal(read_table(path)["step"], np.arange(100_000))


def share_among_ranks(path: Path) -> list[Path]:
    """Two parts and a file that shows them as one, as ranks leave them."""
    with h5py.File(path, "a") as file:
        values = file["density"][:]
        del file["density"]
        layout = h5py.VirtualLayout(values.shape, values.dtype)
        (path.parent / "ranks").mkdir()
        parts = [path.parent / "ranks" / f"{path.stem}-{rank}.h5" for rank in range(2)]
        for part, planes in zip(parts, (slice(0, 3), slice(3, None)), strict=True):
            with h5py.File(part, "w") as own:
                own["density"] = values[planes]
                layout[planes] = h5py.VirtualSource(f"ranks/{part.name}", "density", values[planes].shape)
        file.create_virtual_dataset("density", layout)
    return parts


def test_a_snapshot_of_several_ranks_reads_like_one(run_directory: Path) -> None:
    snapshot = Run(run_directory).snapshot(1)
    whole = snapshot.slice("density").values
    share_among_ranks(snapshot.path)
    assert np.array_equal(Run(run_directory).snapshot(1).slice("density").values, whole)


def test_a_snapshot_whose_part_is_missing_is_refused(run_directory: Path) -> None:
    path = Run(run_directory).snapshot(1).path
    share_among_ranks(path)[1].unlink()
    with pytest.raises(TayraError, match="000001.vtkhdf is incomplete: its part .*000001-1.h5 is missing"):
        Run(run_directory).snapshot(1).slice("density")
