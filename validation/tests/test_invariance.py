"""In which ways a run is made that must not change its bits, by a stand-in for the program."""

import json
from pathlib import Path

import pytest

from validation.cases import invariance
from validation.lab import Lab

STAND_IN = """#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
if words[0] == "info":
    print("tayra 1, commit abc", "  host     available", "  nccl     not available: no GPU", sep="\\n")
    sys.exit()
with pathlib.Path(__file__).with_name("log").open("a") as log:
    log.write(json.dumps(words) + "\\n")
directory = pathlib.Path(words[words.index("--output") + 1])
record = {"tayra": {}, "status": "finished", "totals": {"fingerprint": "5", "wall_seconds": 1}}
(directory / "run.json").write_text(json.dumps(record))
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """What the program was asked for in each directory."""
    program = tmp_path / "tayra"
    program.write_text(STAND_IN, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(invariance.shutil, "which", lambda _: None)
    findings = invariance.measure(Lab(program, tmp_path / "runs"))
    assert [check.holds for check in findings.checks] == [True]
    found: dict[str, list[list[str]]] = {}
    for line in (tmp_path / "log").read_text(encoding="utf-8").splitlines():
        words = json.loads(line)
        found.setdefault(Path(words[words.index("--output") + 1]).name, []).append(words)
    assert set(findings.data["found"]) == {*found, "stopped halfway, then three slabs"} - {"one slab", "half"}
    return found


def value(words: list[str], option: str) -> str | None:
    return words[words.index(option) + 1] if option in words else None


def steps(words: list[str]) -> int:
    return int(json.loads(Path(words[1]).read_text(encoding="utf-8"))["run"]["steps"])


def test_slabs_and_every_halo_backend_there_is_are_asked_for(asked: dict[str, list[list[str]]]) -> None:
    ways = {name: (value(calls[0], "--slabs"), value(calls[0], "--halo")) for name, calls in asked.items()}
    del ways["half"]
    assert ways == {
        "one slab": (None, None),
        "2 slabs": ("2", None),
        "5 slabs": ("5", None),
        "halo host": ("2", "host"),
    }


def test_half_of_the_steps_are_made_and_then_the_others_in_three_slabs(
    asked: dict[str, list[list[str]]],
) -> None:
    first, then = asked["half"]
    whole = steps(asked["one slab"][0])
    assert steps(first) == whole / 2
    assert value(first, "--slabs") is None
    assert (value(then, "--slabs"), value(then, "--set")) == ("3", f"run.steps={whole}")
    assert "--resume" in then
