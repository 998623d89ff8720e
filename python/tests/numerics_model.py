"""docs/numerics.md in NumPy: nothing here is taken from the program's source, so that page and program check
each other. Arrays are [variable, z, y, x]; inside a flux the axis n of the face comes last."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Box:
    """Triples are in the order x, y, z."""

    spacing: tuple[float, float, float]
    boundaries: tuple[str, str, str]
    gamma: float
    gravity: float
    background_density: Array  # of each plane; zeros: no background
    background_pressure: Array
    single: bool = False  # the precision that weno3's weights are made for


@dataclass
class Cells:
    """All that a flux reads of cells, at one place of its stencil."""

    state: Array  # density, momentum, energy beyond the background's
    background: Array  # pressure
    gamma: float
    axis: int
    density: Array = field(init=False)
    velocity: Array = field(init=False)
    pressure: Array = field(init=False)  # beyond the background's
    enthalpy: Array = field(init=False)
    sound: Array = field(init=False)

    def __post_init__(self) -> None:
        self.density = self.state[0]
        self.velocity = self.state[1:4] / self.density
        kinetic = np.sum(self.state[1:4] ** 2, axis=0) / (2 * self.density)
        self.pressure = (self.gamma - 1) * (self.state[4] - kinetic)
        self.enthalpy = self.state[4] + self.pressure + self.gamma * self.background / (self.gamma - 1)
        self.sound = np.sqrt(self.gamma * (self.pressure + self.background) / self.density)

    @property
    def normal(self) -> Array:
        return np.asarray(self.velocity[self.axis])

    @property
    def flux(self) -> Array:
        flux = np.stack([self.density, *self.state[1:4], self.enthalpy]) * self.normal
        flux[1 + self.axis] += self.pressure
        return flux

    @property
    def whole_state(self) -> Array:
        whole = self.state.copy()
        whole[4] += self.background / (self.gamma - 1)
        return whole


Stencil = list[Cells]  # four in a row; the face lies between the second and the third
Scheme = Callable[[Stencil, Box, int], Array]


def values(stencil: Stencil, name: str) -> list[Array]:
    return [getattr(cells, name) for cells in stencil]


def central(q: list[Array]) -> Array:
    return (-q[0] + 7 * q[1] + 7 * q[2] - q[3]) / 12


def third_difference(q: list[Array]) -> Array:
    return q[3] - 3 * q[2] + 3 * q[1] - q[0]


def face_speed(stencil: Stencil) -> Array:
    return np.maximum(*(np.abs(cells.normal) + cells.sound for cells in stencil[1:3]))


def upwind3(stencil: Stencil, _box: Box, _n: int) -> Array:
    damping = face_speed(stencil) / 12 * third_difference(values(stencil, "state"))
    return central(values(stencil, "flux")) + damping


def roe3(stencil: Stencil, box: Box, n: int) -> Array:
    left, right = stencil[1:3]
    density = np.minimum(left.density, right.density)
    sound, lesser_sound = np.maximum(left.sound, right.sound), np.minimum(left.sound, right.sound)
    velocity = (left.velocity + right.velocity) / 2
    s = np.abs(velocity[n])
    b, d = np.maximum(s, sound), np.minimum(s, sound) * np.sign(velocity[n])
    of_pressure = third_difference(values(stencil, "pressure"))
    of_velocity = third_difference(values(stencil, "velocity"))
    sigma = b * of_pressure / sound + d * density * of_velocity[n]
    kappa = (1 / sound + sound / lesser_sound**2) / 2
    mean_of_product = central([cells.density * cells.normal for cells in stencil])
    product_of_means = central(values(stencil, "density")) * central(values(stencil, "normal"))
    less = (right.density - left.density) * (stencil[3].normal - stencil[0].normal) / 3
    mass = 12 * product_of_means - less - 12 * mean_of_product
    entropy = third_difference(values(stencil, "density")) - of_pressure / sound**2
    of_density = sigma * kappa + s * entropy + mass
    q = s * density * of_velocity
    q[n] = d * of_pressure / sound + b * density * of_velocity[n]
    energy = np.sum(velocity * q, axis=0) + np.sum(velocity**2, axis=0) / 2 * of_density
    energy += sound * sigma / (box.gamma - 1)
    damping = np.stack([of_density, *(q + of_density * velocity), energy]) / 12
    return central(values(stencil, "flux")) + damping


def step_to_face(x: Array, y: Array, is_smooth: Array) -> Array:
    """From differences behind a face and across it."""
    most = np.where(is_smooth, np.inf, np.where(x * y > 0, np.minimum(np.abs(x), np.abs(y)), 0))
    return np.clip((x + 2 * y) / 6, -most, most)


def muscl(stencil: Stencil, box: Box, n: int) -> Array:
    q = [np.stack([cells.density, *cells.velocity, cells.pressure]) for cells in stencil]
    behind, across, ahead = (b - a for a, b in zip(q[:-1], q[1:], strict=True))
    greater = [np.maximum(np.abs(a[0]), np.abs(b[0])) for a, b in ((behind, across), (across, ahead))]
    left = q[1] + step_to_face(behind, across, greater[0] < 0.03 * stencil[1].density)
    right = q[2] - step_to_face(ahead, across, greater[1] < 0.03 * stencil[2].density)
    g = np.maximum(stencil[1].sound, stencil[2].sound) + np.maximum(0, left[1 + n] - right[1 + n])
    p = g * (left[0] * left[1 + n] + right[0] * right[1 + n]) + left[4] - right[4]
    contact = p / (g * (left[0] + right[0]))
    side = np.where(contact < 0, right, left)
    sign = np.where(contact < 0, -1.0, 1.0)
    a = sign * side[1 + n]
    w = np.maximum(0, g - a)
    mass = sign * side[0] * (w + a) * np.abs(contact) / (w + np.abs(contact))
    whole_pressure = side[4] + (stencil[1].background + stencil[2].background) / 2
    enthalpy = box.gamma / (box.gamma - 1) * whole_pressure / side[0] + np.sum(side[1:4] ** 2, axis=0) / 2
    momentum = mass * side[1:4]
    momentum[n] = side[4] + side[0] * (w + a) * a - w * np.abs(mass)
    return np.stack([mass, *momentum, mass * (enthalpy + w * (a - np.abs(contact)))])


def twice_the_rise(a: Array, b: Array, c: Array, tiny: Array, single: bool) -> Array:
    square, tau = a**2, (a - 2 * b + c) ** 2
    if single:  # cuts and tau only prevent overflow there; here they make less than a round-off of difference
        square, tau = np.minimum(square, 1e34), np.minimum(tau, 1e34)
        tiny = tiny + 1e-36 + 1e-12 * tau
    eta = 0.03 * (square + b**2) + tiny + 1e-70
    w0 = 1 + (tau / (square + eta)) ** 2
    w1 = 2 + 2 * (tau / (b**2 + eta)) ** 2
    return (w0 * a + w1 * b) / (w0 + w1)


def weno3(stencil: Stencil, box: Box, n: int) -> Array:
    left, right = stencil[1:3]
    weight, other = np.sqrt(left.density), np.sqrt(right.density)

    def mean(name: str) -> Array:
        return (weight * getattr(left, name) + other * getattr(right, name)) / (weight + other)

    velocity = mean("velocity")
    enthalpy = (left.enthalpy / weight + right.enthalpy / other) / (weight + other)
    density, square = weight * other, np.sum(velocity**2, axis=0)
    sound = np.sqrt((box.gamma - 1) * (enthalpy - square / 2))
    across = [axis for axis in range(3) if axis != n]

    def waves(pi: Array, r: Array, of_density: Array) -> Array:
        """The two sounds, density and two shears in units of the speed of sound."""
        sounds = [(pi + sign * sound * r[n]) / (2 * sound**2) for sign in (-1, 1)]
        return np.stack([*sounds, of_density - pi / sound**2, *(r[axis] / sound for axis in across)])

    of_flux, of_state = [], []
    for before, behind in zip(stencil[:-1], stencil[1:], strict=True):
        q = behind.flux - before.flux
        pi = (box.gamma - 1) * (square / 2 * q[0] - np.sum(velocity * q[1:4], axis=0) + q[4])
        of_flux.append(waves(pi, q[1:4] - q[0] * velocity, q[0]))
        r = density * (behind.velocity - before.velocity)
        of_state.append(waves(behind.pressure - before.pressure, r, behind.density - before.density))
    speeds = [np.maximum(*(np.abs(c.normal + sign * c.sound) for c in (left, right))) for sign in (-1, 1, 0)]
    speed = np.stack([speeds[0], speeds[1], speeds[2], speeds[2], speeds[2]])
    p = [f + speed * u for f, u in zip(of_flux, of_state, strict=True)]
    m = [f - speed * u for f, u in zip(of_flux, of_state, strict=True)]
    tiny = 1e-12 * density**2 * sound**2 + (0.04 * density * speed) ** 2
    rises = twice_the_rise(*p, tiny, box.single) - twice_the_rise(*m[::-1], tiny, box.single)
    minus, plus, of_density, *shears = (rises - 2 * speed * of_state[1]) / 4
    omega, mu = minus + plus, sound * (plus - minus)
    momentum = (omega + of_density) * velocity
    momentum[n] += mu
    energy = enthalpy * omega + velocity[n] * mu + square / 2 * of_density
    for axis, shear in zip(across, shears, strict=True):
        momentum[axis] += sound * shear
        energy = energy + velocity[axis] * sound * shear
    return (left.flux + right.flux) / 2 + np.stack([omega + of_density, *momentum, energy])


SCHEMES: dict[str, Scheme] = {"upwind3": upwind3, "roe3": roe3, "muscl": muscl, "weno3": weno3}


def energy_inside(q: Array) -> Array:
    return np.asarray(q[4] - np.sum(q[1:4] ** 2, axis=0) / (2 * q[0]))


def share_allowed(high: Array, low: Array, least: Array) -> Array:
    room = np.maximum(low - least, 0)
    return np.where(high >= least, 1.0, room / (room + least - high))


def limited(stencil: Stencil, n: int, flux: Array) -> Array:
    left, right = stencil[1:3]
    a = face_speed(stencil)
    pressure = (left.background + right.background) / 2
    first_order = (left.flux + right.flux + a * (left.whole_state - right.whole_state)) / 2
    high, low = flux.copy(), first_order.copy()
    high[1 + n] += pressure
    low[1 + n] += pressure
    passes = np.full(a.shape, True)
    factor = np.ones(a.shape)
    for cells, sign in ((left, -1), (right, 1)):
        lowered = (1 - 1e-6) * a * cells.whole_state + sign * high
        passes &= lowered[0] >= 0
        passes &= lowered[0] * lowered[4] - np.sum(lowered[1:4] ** 2, axis=0) / 2 >= 0
        share, safe = a * cells.whole_state + sign * high, a * cells.whole_state + sign * low
        least = np.maximum(1e-6 * a * cells.density, 1e-5 * safe[0])
        with np.errstate(invalid="ignore", divide="ignore"):  # where the check passed
            of_density = share_allowed(share[0], safe[0], least)
            blend = safe + of_density * (share - safe)
            whole_pressure = cells.pressure + cells.background
            least = np.maximum(1e-6 * a * whole_pressure / (cells.gamma - 1), 1e-5 * energy_inside(safe))
            of_energy = share_allowed(energy_inside(blend), energy_inside(safe), least)
        factor = np.minimum(factor, of_density * of_energy)
    return np.where(passes, flux, first_order + factor * (flux - first_order))


def with_ghosts(q: Array, boundary: str, turned: int | None = None) -> Array:
    """Two cells more at either end of the last axis; a mirror turns one variable round."""
    count = q.shape[-1]
    if boundary == "periodic":
        return np.concatenate([q[..., -2:], q, q[..., :2]], axis=-1)
    if boundary == "outflow":
        return q[..., [0, 0, *range(count), count - 1, count - 1]]
    whole = q[..., [1, 0, *range(count), count - 1, count - 2]]
    if turned is not None:
        whole[turned, ..., [0, 1, -2, -1]] *= -1
    return whole


def face_fluxes(state: Array, box: Box, scheme: str, positivity: bool, n: int) -> Array:
    """Of all faces along n, those of both ends included; n comes last."""
    along = np.moveaxis(state, 3 - n, -1)
    pressure = np.broadcast_to(box.background_pressure[:, None, None], state.shape[1:])
    background = with_ghosts(np.moveaxis(pressure, 2 - n, -1), box.boundaries[n])
    whole = with_ghosts(along, box.boundaries[n], 1 + n)
    faces = along.shape[-1] + 1
    stencil = [
        Cells(whole[..., k : k + faces], background[..., k : k + faces], box.gamma, n) for k in range(4)
    ]
    flux = SCHEMES[scheme](stencil, box, n)
    return limited(stencil, n, flux) if positivity else flux


def rate_of_change(state: Array, box: Box, scheme: str, positivity: bool) -> Array:
    change = np.zeros_like(state)
    for n in range(3):
        flux = face_fluxes(state, box, scheme, positivity, n)
        change += np.moveaxis(flux[..., :-1] - flux[..., 1:], -1, 3 - n) / box.spacing[n]
        if n == 2:
            mass = np.moveaxis(flux[0], -1, 0)
            change[3] += box.gravity * (state[0] - box.background_density[:, None, None])
            change[4] += box.gravity * (mass[:-1] + mass[1:]) / 2
    return change


def step(state: Array, box: Box, scheme: str, positivity: bool, dt: float) -> Array:
    def forward(u: Array) -> Array:
        return u + dt * rate_of_change(u, box, scheme, positivity)

    first = forward(state)
    second = 3 / 4 * state + 1 / 4 * forward(first)
    return np.asarray(state / 3 + 2 / 3 * forward(second))


@dataclass(frozen=True)
class Clock:
    """Says how long the next step is."""

    end: float
    every: tuple[float, ...] = ()  # output is due at multiples of these
    cfl: float = 0.6
    dt: float | None = None  # fixed

    def due(self, time: float) -> float:
        """The first time later than this one at which a step has to end."""
        near = [(int(time / every) + more) * every for every in self.every for more in range(3)]
        multiples = [float(f"{multiple:.15g}") for multiple in near]
        return min([self.end, *(multiple for multiple in multiples if multiple > time)])

    def next_step(self, time: float, state: Array, box: Box) -> tuple[float, float]:
        """Its length, and the time when it ends."""
        whole = self.dt or self.cfl / signal_rate(state, box)
        due = self.due(time)
        left = due - time
        if left <= whole * (1 + 1e-9):
            return left, due
        length = left / 2 if self.dt is None and left < 2 * whole else whole
        return length, time + length


def signal_rate(state: Array, box: Box) -> float:
    cells = Cells(state, box.background_pressure[:, None, None], box.gamma, axis=0)
    axes = zip(cells.velocity, box.spacing, strict=True)
    return float(np.max(sum((np.abs(velocity) + cells.sound) / spacing for velocity, spacing in axes)))


def march(state: Array, box: Box, scheme: str, positivity: bool, clock: Clock) -> tuple[list[float], Array]:
    """The times when steps end, from 0 to the clock's end, and the last state."""
    times = [0.0]
    while times[-1] < clock.end and len(times) < 50:  # else a mistake might never end
        dt, end = clock.next_step(times[-1], state, box)
        state = step(state, box, scheme, positivity, dt)
        times.append(end)
    return times[1:], state
