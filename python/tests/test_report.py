"""Tables for a terminal and as Markdown."""

import resource
from pathlib import Path

import pytest

from tayra.errors import OutputError
from tayra.report import TERMINAL_WIDTH, Section, as_markdown, as_text, digits, fact, short, write_text

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


def test_a_table_as_wide_as_a_terminal_stays_whole() -> None:
    columns = ["", *(str(number) * 8 for number in range(8))]
    text = as_text([Section("Title", columns, [["x" * 18, *["1"] * 8]])])
    assert [len(line) for line in text.splitlines()[1:]] == [TERMINAL_WIDTH] * 2


def test_equal_neighbours_of_a_list_are_counted_in_their_order() -> None:
    assert fact(["H200", "H200", "H100", "H200"]) == "2 x H200, H100, H200"


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


def test_a_text_for_which_there_is_no_room_leaves_nothing_beside_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "tables.md"
    path.write_text("the one before")
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, allowed[1]))
    try:
        with pytest.raises(OutputError, match="File too large"):
            write_text(path, "x" * 2000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, allowed)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["the one before"]


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    link = tmp_path / "tables.md"
    link.symlink_to(tmp_path / "elsewhere.md")
    write_text(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "elsewhere.md").read_text() == "new"


def test_facts_are_told_with_six_digits() -> None:
    values = (0.1234567, 1 / 3, 5, True, [0.5, 0.5])
    assert [fact(value) for value in values] == ["0.123457", "0.333333", "5", "true", "2 x 0.5"]
