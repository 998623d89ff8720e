"""How far fields of two runs are apart, of snapshots made up to have known differences."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from tayra.field_differences import IncomparableError, field_differences, latest_pair
from tayra.series import Series
from tayra.snapshot import Snapshot


def snapshot_of(path: Path, density: np.ndarray, time: float = 0) -> Snapshot:
    path.parent.mkdir(exist_ok=True)
    with h5py.File(path, "w") as file:
        file.attrs.update(time=time, step=0, lower=np.zeros(3), spacing=np.ones(3))
        file["density"] = density
    return Snapshot(path)


@pytest.mark.parametrize("about", [0, 0.1, 1e5, -3e9])
def test_the_spread_of_a_field_does_not_depend_on_what_it_varies_about(tmp_path: Path, about: float) -> None:
    field = about + np.random.default_rng(1).normal(scale=max(1e-3, 1e-12 * abs(about)), size=(4, 6, 8))
    (found,) = field_differences(*[snapshot_of(tmp_path / "a.vtkhdf", field)] * 2)
    assert found.spread == pytest.approx(field.std(), rel=1e-6)


@pytest.mark.parametrize("value", [0.3, 0.7, 1.4])
def test_a_constant_field_has_no_spread_at_all(tmp_path: Path, value: float) -> None:
    one = snapshot_of(tmp_path / "a.vtkhdf", np.full((5, 7, 3), value))
    (found,) = field_differences(one, snapshot_of(tmp_path / "b.vtkhdf", np.full((5, 7, 3), value + 1)))
    assert found.spread == 0
    assert (found.mean, found.rms, found.most) == pytest.approx((1, 1, 1))


@pytest.mark.parametrize("place", [(0, 0, 0), (1, 0, 0), (1, 1, 1)])
def test_a_cell_without_a_number_is_no_difference_of_zero(tmp_path: Path, place: tuple[int, ...]) -> None:
    field = np.arange(8.0).reshape(2, 2, 2)
    one = snapshot_of(tmp_path / "a.vtkhdf", field)
    field[place] = np.nan
    for pair in ((one, snapshot_of(tmp_path / "b.vtkhdf", field)), (Snapshot(tmp_path / "b.vtkhdf"), one)):
        (found,) = field_differences(*pair)
        assert np.isnan([found.mean, found.rms, found.most]).all()
    assert np.isnan(found.spread)


@pytest.mark.parametrize("scale", [1e-12, 1, 1e12])
def test_times_are_the_same_by_their_digits_whatever_their_size(tmp_path: Path, scale: float) -> None:
    field = np.zeros((2, 2, 2))
    for name, times in {"a": (1.5, 2), "b": (1.5 * (1 + 1e-15), 2.001)}.items():
        for number, time in enumerate(times):
            snapshot_of(tmp_path / name / f"{number:06}.vtkhdf", field, scale * time)
    one, two = latest_pair(*(Series(tmp_path / name, check=False) for name in "ab"))
    assert (one.number, two.number) == (0, 0)
    (tmp_path / "b/000000.vtkhdf").unlink()
    with pytest.raises(IncomparableError, match="no snapshots of the same time"):
        latest_pair(*(Series(tmp_path / name, check=False) for name in "ab"))
