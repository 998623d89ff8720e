"""Late growth of layers that are made up, and what the theta group's shock makes of its interface."""

from pathlib import Path

import numpy as np
import pytest

from tayra import Run
from tayra.errors import TayraError
from validation.references.richtmyer import ShockedInterface
from validation.theta_group import fitted_power, layer_of, root_mean_square

GROUP = ShockedInterface(mach=1.8439, density_below=3, density_above=1, pressure=1e5)


def test_shock_is_that_of_the_group() -> None:
    assert GROUP.behind.density == pytest.approx(6.37497, abs=1e-5)
    assert GROUP.behind.pressure == pytest.approx(399995.9, abs=0.1)
    assert GROUP.behind.velocity == pytest.approx(291.575 - 61.48754, abs=1e-3)
    assert GROUP.star.velocity == pytest.approx(291.575, abs=0.1)
    assert GROUP.atwood < 0  # heavy to light: waves turn round


def test_fit_finds_the_power_and_the_origin() -> None:
    time = np.linspace(0.1, 0.5, 200)
    power, origin = fitted_power(time, 0.3 * (time + 0.05) ** 0.29)
    assert (power, origin) == (pytest.approx(0.29, abs=2e-3), pytest.approx(-0.05, abs=3e-3))


def test_mean_wavenumber_of_a_narrow_band_with_equal_power() -> None:
    assert root_mean_square(16, 32, 0) == pytest.approx(32 * np.sqrt(7 / 12), rel=1e-4)
    assert root_mean_square(5, 5, 0) == 5


def test_runs_of_other_problems_are_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"tayra": {}}')
    (tmp_path / "config.yaml").write_text("problem:\n  name: blast\n")
    with pytest.raises(TayraError, match=r"is a run of blast: give runs of rm_multi"):
        layer_of(Run(tmp_path))
