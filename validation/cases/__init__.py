"""The table of cases, in the order of the report: a new one is a file here and a line below."""

from validation.case import Case
from validation.cases import (
    bubble_shape,
    chaos,
    conservation,
    hydrostatic,
    invariance,
    kelvin_helmholtz,
    order_of_accuracy,
    riemann,
    rt_late,
    rt_linear,
    rt_multi,
    sedov,
)

CASES: tuple[Case, ...] = (
    order_of_accuracy.CASE,
    riemann.CASE,
    sedov.CASE,
    hydrostatic.CASE,
    kelvin_helmholtz.CASE,
    rt_linear.CASE,
    rt_late.CASE,
    bubble_shape.CASE,
    rt_multi.CASE,
    conservation.CASE,
    invariance.CASE,
    chaos.CASE,
)
