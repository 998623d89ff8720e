"""Names and records of strangers in messages, tables and pages."""

import shutil
from pathlib import Path

import pytest
from conftest import made_up_run

from tayra.command import exit_code, say
from tayra.compare import main as compare
from tayra.errors import TayraError
from tayra.printable import for_html, for_markdown, printable
from tayra.report import Section, as_markdown, as_text

EVIL = "a\x1b[2J\a\nb\x9b\u202e\udcff"
SHOWN = r"a\x1b[2J\x07\nb\x9b\u202e\udcff"


def test_what_a_terminal_would_obey_becomes_codes() -> None:
    assert printable(EVIL) == SHOWN
    assert printable("Größe, 密度, 🌊 | <b>\\") == "Größe, 密度, 🌊 | <b>\\"


def test_markdown_has_neither_tags_nor_links_nor_bars_of_names() -> None:
    assert (
        for_markdown("<img src=x> a|b [c](d) &lt; \\|") == r"&lt;img src=x> a\|b [c]\(d) &amp;lt; " + r"\\\|"
    )
    assert for_markdown(r"a < b & c \d") == r"a < b & c \d"
    assert "\x1b" not in for_markdown(EVIL)


def test_html_has_neither_tags_nor_codes_of_names() -> None:
    assert for_html('<script> "a"\x1b') == r"&lt;script&gt; &quot;a&quot;\x1b"


def test_tables_show_names_as_codes_in_one_line() -> None:
    table = Section(EVIL, ["", EVIL], [[EVIL, "1"]], note=EVIL.replace("\n", "") + "\nsecond line")
    for text in (as_text([table]), as_markdown([table])):
        assert not set(text) & set("\x1b\a\x9b\u202e\udcff")
        assert text.count("\n") == len((as_markdown if text[0] == "*" else as_text)([PLAIN]).splitlines()) - 1


PLAIN = Section("a", ["", "b"], [["c", "1"]], note="first line\nsecond line")


def test_a_cell_of_markdown_ends_only_at_its_bar() -> None:
    row = as_markdown([Section("", ["", "a"], [["x\\|y", "1"]])]).splitlines()[-1]
    assert row == r"| x\\\|y | 1 |"


def test_errors_show_names_as_codes(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise TayraError(f"{EVIL} is no run")

    assert exit_code("tayra plot", fail) == 2
    assert capsys.readouterr().err == f"tayra plot: {SHOWN} is no run\n"


def test_lines_that_are_said_stay_lines(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\x1b\nb")
    assert capsys.readouterr().out == "a\\x1b\nb\n"


def test_runs_with_such_names_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = made_up_run(tmp_path / "run", [1, 2])
    other = tmp_path / "b\x1b[2J\nc|<i>"
    shutil.copytree(one, other)
    page = tmp_path / "page\x1b.md"
    assert compare([str(one), str(other), "--markdown", str(page)]) == 0
    assert "\x1b" not in capsys.readouterr().out
    text = page.read_text()
    assert "\x1b" not in text
    assert r"b\x1b[2J\nc\|&lt;i>" in text
