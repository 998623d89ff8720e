"""The check that folders of src/ include only to the left and that files say what they hold."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_layers.py"


def check(source: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, source], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("include", ["core/error.hpp", "physics/gas.hpp"])
def test_looking_to_the_left_is_fine(tmp_path: Path, include: str) -> None:
    (tmp_path / "physics").mkdir()
    (tmp_path / "physics" / "state.hpp").write_text(f'// States.\n#include <vector>\n#include "{include}"\n')
    assert check(tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("include", "message"), [("io/json.hpp", "physics must not include io"), ("a/b.hpp", "'a' is no layer")]
)
def test_looking_elsewhere_fails_with_file_and_line(tmp_path: Path, include: str, message: str) -> None:
    (tmp_path / "physics" / "schemes").mkdir(parents=True)
    file = tmp_path / "physics" / "schemes" / "roe3.hpp"
    file.write_text(f'\n#include "{include}"\n')
    result = check(tmp_path)
    assert result.returncode == 1
    assert f"{file}:2: {message}" in result.stderr


def test_sources_that_are_not_there_are_not_fine(tmp_path: Path) -> None:
    result = check(tmp_path / "sources")
    assert result.returncode == 2
    assert "sources is no directory" in result.stderr


def test_a_folder_that_is_no_layer_fails(tmp_path: Path) -> None:
    (tmp_path / "misc").mkdir()
    (tmp_path / "misc" / "a.cpp").write_text("")
    assert "'misc' is no layer" in check(tmp_path).stderr


def test_a_file_that_does_not_say_what_it_holds_fails(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    file = tmp_path / "core" / "error.hpp"
    file.write_text("#pragma once\n// Errors.\n")
    result = check(tmp_path)
    assert result.returncode == 1
    assert f"{file}:1: say in a // comment what the file holds" in result.stderr


def test_every_offence_is_told(tmp_path: Path) -> None:
    for folder, name in (("core", "a.hpp"), ("core", "b.cpp"), ("grid", "c.cu")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text('// Fine.\n#include "app/run.hpp"\n#include "io/file.hpp"\n')
    assert check(tmp_path).stderr.count("must not include") == 6
