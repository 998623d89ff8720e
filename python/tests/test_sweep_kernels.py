"""What tests/cost/sweep_kernels.py makes of the words of compiler and program."""

import shutil
from pathlib import Path

import pytest
from stand_ins import write_program

COST = Path(__file__).parents[2] / "tests/cost"
# tayra::sweep_kernel<tayra::MyScheme, (tayra::Positivity)1, (tayra::TileKind)2, (tayra::GpuClass)1,
# false, float>
MANGLED = (
    "_ZN5tayra12sweep_kernelINS_8MySchemeELNS_10PositivityE1ELNS_8TileKindE2ELNS_8GpuClassE1ELb0EfEEvT3_"
)


@pytest.mark.skipif(shutil.which("c++filt") is None, reason="c++filt is not installed")
def test_both_halves_of_a_row_of_the_kernels_have_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(COST)
    import sweep_kernels

    program = tmp_path / "memory"
    write_program(program, "#!/bin/sh\necho 'my_scheme, single, limiter on, flat, 164 KiB: 5'\n")
    case = sweep_kernels.case_of(MANGLED)
    assert case == "myscheme, single, limiter on, flat, 164 KiB"
    assert sweep_kernels.dynamic_memory(program) == {case: 5}
