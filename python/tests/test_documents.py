"""The configs that ship with Tayra and the one in the README are valid; needs TAYRA_BINARY."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIGS = sorted((ROOT / "configs").glob("*.yaml"))


def check(config: Path) -> None:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    # A grid that fits into the memory of any machine.
    command = [binary, "check", str(config), "--set", "grid.cells=[64, 64, 64]"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
def test_a_shipped_config_is_valid(config: Path) -> None:
    check(config)


def test_the_config_in_the_readme_is_valid(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", readme, flags=re.DOTALL)
    config = tmp_path / "readme.yaml"
    config.write_text(block)
    check(config)


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in ROOT.glob("docs/*.md"))]
)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    missing = [target for target in targets if not ((ROOT / page).parent / target).exists()]
    assert not missing


def test_what_the_places_of_other_additions_name_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Where things are added")[2]
    named = set(re.findall(r"`([\w./]+?)(?:\(\))?`", text.partition("\n## ")[0]))
    endings = {".cpp", ".hpp", ".cuh", ".py"}
    folders = [ROOT / folder for folder in ("src", "bench", "tests", "python/tests")]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in endings]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert {"src/io/diagnostics_log.cpp", "columns_of_box"} <= named
    for name in named - {"problem", "grid", "physics", "numerics"}:
        if not (ROOT / name).exists():
            assert re.search(rf"\b{re.escape(name)}\b", code) or any(p.name == name for p in files), name


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_tests_are_asked_for_by_the_preset_that_fits_the_machine(page: str) -> None:
    """With a CUDA toolkit there is no build/release."""
    assert "ctest --preset release" not in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("ctest") is None, reason="ctest is not installed")
@pytest.mark.parametrize("preset", ["release", "debug", "cuda"])
def test_ctest_fails_where_nothing_is_built(tmp_path: Path, preset: str) -> None:
    shutil.copy(ROOT / "CMakePresets.json", tmp_path)
    asked = subprocess.run(
        ["ctest", "--preset", preset], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "No tests were found" in asked.stderr
    assert asked.returncode != 0


@pytest.mark.parametrize("what", ["problem", "halo backend"])
def test_the_readme_lists_the_places_of_what_is_added(what: str) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition(f"**Add a {what}.**")[2]
    lines = re.findall(r"^\d+\. (.*)", text.partition("\n**")[0], flags=re.MULTILINE)
    assert lines
    for line in lines:
        places = re.findall(r"`((?:src|tests|scripts|docs|cmake|validation)/[^`]+)`", line)
        assert places, line
        assert not [place for place in places if "my_" not in place and not (ROOT / place).exists()]


def test_the_recipe_of_a_scheme_names_files_that_are_there_and_every_trait() -> None:
    text = (ROOT / "docs/extending.md").read_text(encoding="utf-8").partition("## A scheme\n")[2]
    places = re.findall(
        r"`((?:src|tests|scripts|docs|python|validation)/[^`\s]+)`", text.partition("\n## ")[0]
    )
    assert places
    assert not [place for place in places if "my_" not in place and not (ROOT / place).exists()]
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    info = subprocess.run([binary, "info", "--json"], capture_output=True, text=True, check=True).stdout
    assert not [trait for trait in json.loads(info)["schemes"][0] if f"`{trait}`" not in text]
