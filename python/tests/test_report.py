"""Tables for a terminal and as Markdown."""

import pytest

from tayra.report import TERMINAL_WIDTH, Section, as_markdown, as_text, digits, short

TABLE = Section("Title", ["", "a", "b"], [["row", "1", "22"], ["other", "333", "4"]], note="note")


def test_labels_stand_left_and_numbers_right() -> None:
    assert as_text([TABLE]) == "Title\n           a   b\n  row      1  22\n  other  333   4\n  note"


def test_labels_stand_left_and_numbers_right_in_markdown_too() -> None:
    assert as_markdown([TABLE]).splitlines()[2:4] == ["|  | a | b |", "| --- | ---: | ---: |"]


def test_a_table_without_rows_is_its_note() -> None:
    assert as_text([Section("Title", ["", "a"], [], note="nothing")]) == "Title\n  nothing"
    assert as_markdown([Section("Title", ["", "a"], [], note="nothing")]) == "**Title**\n\n\nnothing"


def test_wide_tables_go_on_below_with_their_labels() -> None:
    text = as_text([Section("Title", ["", *"abcdefgh"], [["row", *["0123456789abcde"] * 8]])])
    assert max(map(len, text.splitlines())) <= TERMINAL_WIDTH
    assert sum(line.startswith("  row") for line in text.splitlines()) == 2
    assert text.count("0123456789abcde") == 8


def test_long_cells_lose_their_middle() -> None:
    cut = short("beginning/" + 90 * "x" + "/end", 30)
    assert len(cut) == 30
    assert cut.startswith("beginning")
    assert cut.endswith("/end")
    assert short("x" * 30, 30) == "x" * 30


@pytest.mark.parametrize("length", [10, 80, 200])
def test_labels_are_cut_only_as_far_as_a_terminal_is_narrow(length: int) -> None:
    long = "x" * length
    lines = as_text([Section("Title", ["", "run", "a"], [["A", long, "123"]], labels=2)]).splitlines()
    assert (long in lines[2]) == (length < 90)
    assert len(lines[2]) == min(TERMINAL_WIDTH, length + 10)


def test_markdown_keeps_bars_inside_their_cell() -> None:
    assert "| a\\|b | 1 |" in as_markdown([Section("Title", ["", "a"], [["a|b", "1"]])])


def test_numbers_have_four_digits_and_no_exponent_when_long() -> None:
    values = (0.0123456, 12.3456, 9999.4, 9999.6, 123456.7)
    assert [digits(value) for value in values] == ["0.01235", "12.35", "9999", "10000", "123457"]
