"""What the charts of bench files say; their rows are made up, no measurements."""

from tayra.bench_charts import step_charts


def test_speeds_of_steps_on_different_numbers_of_slabs_stand_in_panels_that_name_them() -> None:
    row = {"scheme": "roe3", "precision": "double", "positivity": False, "cells": [32, 32, 32]}
    rows = [row | {"slabs": slabs, "cell_steps_per_second": 1e9 * slabs} for slabs in (1, 4)]
    ((_, chart),) = step_charts(rows)
    assert [panel.title for panel in chart.panels] == ["double, 1 slab", "double, 4 slabs"]
    assert [line.y for panel in chart.panels for line in panel.lines] == [[1], [4]]
