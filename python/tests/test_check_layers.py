"""The check that folders include only to the left and that files say what they hold."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_layers.py"


def check(tree: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, tree], capture_output=True, text=True, check=False)


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("file", "include"),
    [
        ("src/physics/state.hpp", "core/error.hpp"),
        ("src/physics/state.hpp", "physics/gas.hpp"),
        ("bench/step.cpp", "app/units.hpp"),
        ("bench/step.cpp", "bench/results.hpp"),
    ],
)
def test_looking_to_the_left_is_fine(tmp_path: Path, file: str, include: str) -> None:
    (tmp_path / "src").mkdir()
    write(tmp_path / file, f'// States.\n#include <vector>\n#include "{include}"\n')
    assert check(tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("include", "message"),
    [
        ("io/json.hpp", "physics must not include io"),
        ("bench/results.hpp", "physics must not include bench"),
        ("a/b.hpp", "'a' is no layer"),
    ],
)
def test_looking_elsewhere_fails_with_file_and_line(tmp_path: Path, include: str, message: str) -> None:
    file = write(tmp_path / "src/physics/schemes/roe3.hpp", f'\n#include "{include}"\n')
    result = check(tmp_path)
    assert result.returncode == 1
    assert f"{file}:2: {message}" in result.stderr


def test_sources_that_are_not_there_are_not_fine(tmp_path: Path) -> None:
    result = check(tmp_path / "sources")
    assert result.returncode == 2
    assert "sources has no folder src" in result.stderr


def test_a_folder_that_is_no_layer_fails(tmp_path: Path) -> None:
    write(tmp_path / "src/misc/a.cpp", "")
    assert "'misc' is no layer" in check(tmp_path).stderr


@pytest.mark.parametrize("name", ["src/core/error.hpp", "bench/step.cpp"])
def test_a_file_that_does_not_say_what_it_holds_fails(tmp_path: Path, name: str) -> None:
    (tmp_path / "src").mkdir()
    file = write(tmp_path / name, "#pragma once\n// Errors.\n")
    result = check(tmp_path)
    assert result.returncode == 1
    assert f"{file}:1: say in a // comment what the file holds" in result.stderr


def test_every_offence_is_told(tmp_path: Path) -> None:
    for name in ("core/a.hpp", "core/b.cpp", "grid/c.cu"):
        write(tmp_path / "src" / name, '// Fine.\n#include "app/run.hpp"\n#include "io/file.hpp"\n')
    assert check(tmp_path).stderr.count("must not include") == 6
