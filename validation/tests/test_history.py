"""How far the solver has gone since a result was measured, told by a repository made here."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from validation import history, report
from validation.case import Findings, Outcome, at_most, write_outcome
from validation.tests.test_frame import case

Commit = Callable[[str], str]
LAYERS = ("core", "physics", "grid", "halo", "solver", "io", "app")


@pytest.fixture(autouse=True)
def no_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook's variables are of another repository."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commit:
    """Changes a file of the repository and returns the commit."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path / "repository"
    root.mkdir()
    monkeypatch.setattr(history, "ROOT", root)

    def git(*words: str) -> str:
        own = (
            "git",
            "-C",
            str(root),
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "commit.gpgsign=false",
        )
        return subprocess.run([*own, *words], check=True, capture_output=True, text=True).stdout.strip()

    def change(name: str) -> str:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{path.read_text() if path.is_file() else ''}more\n")
        git("add", "--all")
        git("commit", "--quiet", "--message", name)
        return git("rev-parse", "--short=12", "HEAD")

    git("init", "--quiet")
    return change


def test_only_commits_that_change_the_solver_are_counted(commit: Commit) -> None:
    first = commit("src/physics/gas.hpp")
    commit("docs/page.md")
    solver = commit("src/solver/sweep.hpp")
    second = commit("README.md")
    last = commit("src/halo/host.hpp")
    commit("validation/cases/growth.py")
    assert [history.changes_since(each) for each in (first, solver, second, last)] == [2, 1, 1, 0]
    assert history.last_change() == last


def test_every_folder_that_decides_the_numbers_counts_as_the_solver(commit: Commit) -> None:
    first = commit("README.md")
    for folder in LAYERS:
        commit(f"src/{folder}/file.hpp")
    assert history.changes_since(first) == len(LAYERS) - 2, "all but io and app"


def test_a_shallow_clone_does_not_tell_of_the_last_change(
    commit: Commit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit("src/solver/sweep.hpp")
    commit("README.md")
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", history.ROOT.as_uri(), shallow], check=True)
    assert history.last_change() is not None
    monkeypatch.setattr(history, "ROOT", shallow)
    assert history.last_change() is None


def test_nothing_is_said_of_a_commit_that_is_not_at_hand(commit: Commit) -> None:
    commit("src/solver/sweep.hpp")
    assert history.changes_since("0123456789ab") is None
    assert history.changes_since("unknown") is None


def test_nothing_is_said_without_a_repository_or_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "ROOT", tmp_path)
    assert history.changes_since("HEAD") is None
    assert history.last_change() is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert history.changes_since("HEAD") is None


def page(folder: Path, measured_by: str) -> str:
    findings = Findings([at_most("error", 0, 1)], {"curve": [1.0, 2.5]})
    outcome = Outcome("growth", "quick", "a processor", measured_by, "today", 1.5, 3, findings)
    write_outcome(folder / "results/quick-cpu/growth.json", outcome)
    return report.write_report(folder, [case()]).read_text(encoding="utf-8")


def test_the_report_says_how_far_the_solver_has_gone_since(commit: Commit, tmp_path: Path) -> None:
    first = commit("src/physics/gas.hpp")
    assert f"measured by {first}; no commit has changed the solver since." in page(tmp_path, first)
    commit("src/solver/sweep.hpp")
    assert f"measured by {first}; one commit has changed the solver since." in page(tmp_path, first)
    last = commit("src/solver/sweep.hpp")
    said = page(tmp_path, f"{first}-dirty")
    assert f"measured by {first} with uncommitted changes; 2 commits have changed the solver since." in said
    assert f"up to {last}" in said
    assert "1 of 1 | 2 | 2 |" in said, "seconds and changes beside each case"
    assert "2 commits have changed" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_clone_without_history_does_not_say_up_to_what(
    commit: Commit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit("src/physics/gas.hpp")
    monkeypatch.setattr(report, "last_change", lambda: None)
    assert "up to" not in page(tmp_path, first)


def test_a_commit_that_leaves_the_solver_alone_leaves_the_report_alone(
    commit: Commit, tmp_path: Path
) -> None:
    first = commit("src/physics/gas.hpp")
    before = page(tmp_path, first)
    commit("docs/page.md")
    assert page(tmp_path, first) == before


def test_the_report_names_the_commit_alone_where_git_does_not_know_it(commit: Commit, tmp_path: Path) -> None:
    commit("src/physics/gas.hpp")
    said = page(tmp_path, "0123456789ab")
    assert "measured by 0123456789ab." in said
    assert "up to" not in said


def test_the_overview_counts_the_seconds_of_all_and_the_changes_since_those_that_git_knows(
    commit: Commit, tmp_path: Path
) -> None:
    first = commit("src/physics/gas.hpp")
    commit("src/solver/sweep.hpp")
    findings = Findings([at_most("error", 0, 1)], {"curve": [1.0, 2.5]})
    for folder, measured_by, seconds in (("full-cpu", "0123456789ab", 20.0), ("quick-cpu", first, 3.0)):
        effort = folder.partition("-")[0]
        kept = Outcome("growth", effort, "a processor", measured_by, "today", seconds, 3, findings)
        write_outcome(tmp_path / f"results/{folder}/growth.json", kept)
    said = report.write_report(tmp_path, [case()]).read_text(encoding="utf-8")
    assert "| full on a processor | ✅ holds | 1 of 1 | 20 |  |" in said
    assert "| quick on a processor | ✅ holds | 1 of 1 | 3 | 1 |" in said
    assert "23 s in all" in said
    assert "where it is not 0, the numbers are of an earlier solver" in said
