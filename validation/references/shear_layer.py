"""Linear theory of the smooth shear layers of McNally, Lyra & Passy (2012), as an initial value problem."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
GAMMA = 5 / 3
WAVENUMBER = 4 * np.pi
PRESSURE = 2.5


def inner_share(y: Array) -> Array:
    """0 outside, 1 inside of the layers at 1/4 and 3/4."""
    depth = 0.25 - np.abs(y - 0.5)
    tail = 0.5 * np.exp(-np.abs(depth) / 0.025)
    return np.where(depth < 0, tail, 1 - tail)


def mode_amplitude(y: Array, sine: Array, cosine: Array) -> float:
    """M of their equations 6 to 13, from the parts of v_y that vary as sin and cos of 4 pi x."""
    weight = np.exp(-WAVENUMBER * np.abs(np.where(y < 0.5, y, 1 - y) - 0.25))
    return float(2 * np.hypot(np.sum(sine * weight), np.sum(cosine * weight)) / np.sum(weight))


def runge_kutta_step(rate: Callable[[Complex], Complex], state: Complex, step: float) -> Complex:
    """The classical one, of fourth order."""
    k1 = rate(state)
    k2 = rate(state + step / 2 * k1)
    k3 = rate(state + step / 2 * k2)
    k4 = rate(state + step * k3)
    return state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def growth(times: Array, points: int = 512) -> Array:
    """M / amplitude at `times`: pseudo-spectral across the layers, classical Runge-Kutta in time."""
    y = (np.arange(points) + 0.5) / points
    density = 1 + inner_share(y)
    flow = 0.5 - inner_share(y)
    ik, wave = 1j * WAVENUMBER, 2j * np.pi * np.fft.fftfreq(points, 1 / points)

    def slope(values: Complex) -> Complex:
        return np.asarray(np.fft.ifft(wave * np.fft.fft(values)))

    density_slope, flow_slope = slope(density.astype(complex)).real, slope(flow.astype(complex)).real

    def rate(state: Complex) -> Complex:
        """Of density, v_x, v_y and pressure, all times exp(i 4 pi x)."""
        r, u, v, p = state
        divergence = ik * u + slope(v)
        return np.array(
            [
                -ik * flow * r - v * density_slope - density * divergence,
                -ik * flow * u - v * flow_slope - ik * p / density,
                -ik * flow * v - slope(p) / density,
                -ik * flow * p - GAMMA * PRESSURE * divergence,
            ]
        )

    state = np.zeros((4, points), complex)
    state[2] = 1
    longest = 2 / (np.pi * points * 2.6)  # the fastest sound with the flow
    found, now = [], 0.0
    for time in times:
        steps = int(np.ceil((time - now) / longest))
        step = (time - now) / max(steps, 1)
        for _ in range(steps):
            state = runge_kutta_step(rate, state, step)
        now = float(time)
        # v_y = Im(v exp(i 4 pi x)); its mean with sin is half the real part, with cos half the imaginary one.
        found.append(mode_amplitude(y, state[2].real / 2, state[2].imag / 2))
    return np.array(found)
