"""The exact Riemann solver against Toro (2009), tables 4.1 to 4.3."""

import numpy as np
import pytest

from validation.references.riemann import Gas, density_beyond, sample_density, solve_star

GAMMA = 1.4
# left, right, star pressure, star velocity, densities beyond the left and the right wave
TABLE = {
    "1 Sod": (Gas(1, 0, 1), Gas(0.125, 0, 0.1), 0.30313, 0.92745, 0.42632, 0.26557),
    "2 two rarefactions": (Gas(1, -2, 0.4), Gas(1, 2, 0.4), 0.00189, 0, 0.02185, 0.02185),
    "3 left blast": (Gas(1, 0, 1000), Gas(1, 0, 0.01), 460.894, 19.5975, 0.57506, 5.99924),
    "4 right blast": (Gas(1, 0, 0.01), Gas(1, 0, 100), 46.0950, -6.19633, 5.99242, 0.57511),
    "5 collision": (
        Gas(5.99924, 19.5975, 460.894),
        Gas(5.99242, -6.19633, 46.0950),
        1691.64,
        8.68975,
        14.2823,
        31.0426,
    ),
}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_the_star_region_is_as_published(row: tuple[Gas, Gas, float, float, float, float]) -> None:
    left, right, pressure, velocity, beyond_left, beyond_right = row
    star = solve_star(left, right, GAMMA)
    assert star.pressure == pytest.approx(pressure, rel=1e-5, abs=5e-6)
    assert star.velocity == pytest.approx(velocity, rel=1e-5, abs=5e-6)
    assert density_beyond(left, star.pressure, GAMMA) == pytest.approx(beyond_left, rel=1e-5, abs=5e-6)
    assert density_beyond(right, star.pressure, GAMMA) == pytest.approx(beyond_right, rel=1e-5, abs=5e-6)


def test_waves_stand_where_their_speeds_say() -> None:
    left, right = TABLE["1 Sod"][:2]
    head, tail, contact, shock = -1.18322, -0.07027, 0.92745, 1.75216
    step = 1e-4
    jumps = np.array([head - step, tail + step, contact - step, contact + step, shock - step, shock + step])
    found = sample_density(left, right, GAMMA, jumps)
    assert found == pytest.approx([1, 0.42632, 0.42632, 0.26557, 0.26557, 0.125], abs=2e-5)


def test_a_mirrored_problem_has_the_mirrored_solution() -> None:
    left, right = Gas(1, 0.3, 2), Gas(0.5, -0.2, 0.7)
    speeds = np.linspace(-3, 3, 101)
    mirrored = sample_density(Gas(0.5, 0.2, 0.7), Gas(1, -0.3, 2), GAMMA, -speeds)
    assert sample_density(left, right, GAMMA, speeds) == pytest.approx(mirrored, rel=1e-12)
