"""What tests/cost/sweep_kernels.py makes of the words of compiler and program, and of its table."""

import json
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


OLD = {"a, sm_80": {"registers": 1}, "a, sm_90": {"registers": 2}, "gone, sm_80": {"registers": 3}}


@pytest.mark.parametrize("compiler", ["NVIDIA 13", "NVIDIA 14"])
def test_a_build_for_one_gpu_renews_its_own_rows_and_loses_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(COST)
    monkeypatch.setenv("TAYRA_RENEW_COSTS", "1")
    import cost_table

    table = tmp_path / "table.json"
    cost_table.write(table, "NVIDIA 13", OLD)
    before = table.read_text()
    new = {"a, sm_80": {"registers": 5}}
    code = cost_table.check(table, compiler, new, counts=lambda case: case.endswith("sm_80"))
    if compiler == "NVIDIA 13":
        assert (code, json.loads(table.read_text())["costs"]) == (0, new | {"a, sm_90": {"registers": 2}})
    else:
        assert (code, table.read_text()) == (1, before), "rows of two compilers can't be compared"
        assert "a, sm_90" in capsys.readouterr().err


def test_a_build_of_all_renews_the_whole_table_for_another_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(COST)
    monkeypatch.setenv("TAYRA_RENEW_COSTS", "1")
    import cost_table

    table = tmp_path / "table.json"
    for compiler, costs in (("NVIDIA 13", OLD), ("NVIDIA 14", {"a, sm_80": {"registers": 5}})):
        assert cost_table.check(table, compiler, costs) == 0
        assert json.loads(table.read_text()) == {"compiler": compiler, "costs": costs}
