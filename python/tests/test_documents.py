"""Configs in documents are valid (needs TAYRA_BINARY), links lead somewhere, recipes name what is there."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIGS = sorted(
    path for folder in ("configs", "validation/configs") for path in (ROOT / folder).glob("*.yaml")
)


def check(config: Path) -> None:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    # A grid that fits into the memory of any machine, and holds 32 waves.
    command = [binary, "check", str(config), "--set", "grid.cells=[72, 72, 72]", "--set", "run.device=auto"]
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


PAGES = [
    path.relative_to(ROOT)
    for folder in (ROOT, ROOT / "docs", ROOT / "docs/decisions")
    for path in sorted(folder.glob("*.md"))
]


def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    heads = (
        re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head) for head in re.findall(r"^#+ (.*)", text, re.MULTILINE)
    )
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text):
        path, _, anchor = target.partition("#")
        there = (ROOT / page).parent / path if path else ROOT / page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.parametrize("page", [p for p in PAGES if p.parent.name != "decisions"], ids=str)
def test_lines_are_wrapped_but_for_tables_and_code(page: Path) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    if page.name == "config.md":
        pytest.skip("it is generated")
    long = [line for line in text.splitlines() if len(line) > 120]
    assert not [line for line in long if not re.match(r"\s*[|$]|    |.*\]\(\S+\)\S*$", line)]


def test_all_places_name_the_same_version() -> None:
    """CMakeLists.txt is what the program and the wheel are built from."""
    (version,) = re.findall(r"project\(tayra VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    for place, pattern in {
        "CITATION.cff": rf"^version: {version}$",
        "CHANGELOG.md": rf"^## {version}\b",
    }.items():
        assert re.search(pattern, (ROOT / place).read_text(encoding="utf-8"), re.MULTILINE), place


def test_an_installed_copy_asks_for_the_packages_that_a_wheel_brings() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (needed,) = re.findall(
        r"NEEDED = (.*)", (ROOT / "python/installed_command.py").read_text(encoding="utf-8")
    )
    assert [re.split("[>=<]", package)[0] for package in project["dependencies"]] == re.findall(
        r'"(.*?)"', needed
    )


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/extending.md"])
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


def test_what_recipes_name_is_there() -> None:
    text = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./]+?)(?:\(\w*\))?`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))
    endings = {".cpp", ".hpp", ".cuh", ".h", ".py", ".sh", ".cmake"}
    folders = [ROOT / folder for folder in ("src", "bench", "tests", "python", "scripts", "validation")]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in endings]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert {"src/io/diagnostics_log.cpp", "columns_of_box", "src/halo/uva_cuda.cpp"} <= named
    for name in named:
        if "my_" not in name and not (ROOT / name).exists():
            known = any(path.name == name for path in files)
            assert known or all(re.search(rf"\b{re.escape(word)}\b", code) for word in name.split(".")), name


def test_the_recipe_of_a_scheme_names_every_trait() -> None:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    text = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
    info = subprocess.run([binary, "info", "--json"], capture_output=True, text=True, check=True).stdout
    assert not [trait for trait in json.loads(info)["schemes"][0] if f"`{trait}`" not in text]
