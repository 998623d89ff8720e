"""What has changed the solver since a commit, by git; nothing where git or the commit is not at hand."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOLVER = ("src/core", "src/physics", "src/grid", "src/halo", "src/solver")


def changes_since(commit: str) -> int | None:
    """How many later commits have changed it; None where the commit is not behind what is checked out."""
    if git("merge-base", "--is-ancestor", commit, "HEAD") is None:
        return None
    count = git("rev-list", "--count", f"{commit}..HEAD", "--", *SOLVER)
    return None if count is None else int(count)


def last_change() -> str | None:
    if git("rev-parse", "--is-shallow-repository") == "true":
        return None  # the oldest commit there is would pass for it
    return git("log", "-1", "--abbrev=12", "--format=%h", "HEAD", "--", *SOLVER) or None


def git(*words: str) -> str | None:
    """What it says, or None where it fails or is missing."""
    try:
        done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
