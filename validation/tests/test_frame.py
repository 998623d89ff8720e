"""Checks, outcomes and the report that is made of them."""

import base64
import re
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from tayra.errors import TayraError
from tayra.figures import subplots
from tayra.report import Section
from validation.__main__ import main
from validation.case import (
    Case,
    Check,
    Data,
    Findings,
    KnownLimit,
    Outcome,
    at_least,
    at_most,
    near,
    read_outcome,
    unmeasured,
    write_outcome,
)
from validation.cases import CASES
from validation.lab import Lab
from validation.report import write_report


def draw(data: Data) -> Figure:
    figure, axes = subplots(figsize=(4, 3))
    axes.plot(data["curve"])
    return figure


def unused(_: Lab) -> Findings:
    raise AssertionError("a report runs nothing")


def case() -> Case:
    return Case("growth", "Growth of a wave", "It grows.", ("A. Author (1950), A journal.",), unused, draw)


def outcome(*checks: Check) -> Outcome:
    findings = Findings(list(checks), {"curve": [1.0, 2.5]})
    return Outcome("growth", "quick", "a processor", "abc", "today", 1.5, 3, findings)


def test_a_check_holds_within_its_range_and_not_beyond() -> None:
    assert at_most("error", 0.01, 0.01).holds
    assert not at_most("error", 0.0101, 0.01).holds
    assert not at_least("order", 2.7, 2.75).holds
    assert near("rate", -2.02, -2, 0.01).holds
    assert not near("rate", -2.03, -2, 0.01).holds


def test_a_value_that_is_no_number_confirms_nothing() -> None:
    assert not at_most("error", float("nan"), 1).holds
    assert not near("rate", float("nan"), 1, 0.5).holds


SMEARS = KnownLimit("The scheme smears this.", 0.6)
LOSES_ORDER = KnownLimit("The weights lose order.", 1.9)


def test_a_miss_is_explained_only_as_far_as_its_known_limit() -> None:
    for measured, short, failed in ((2.8, False, False), (2.1, True, False), (1.89, False, True)):
        order = at_least("order", measured, 2.75, LOSES_ORDER)
        assert (order.explained, order.failed) == (short, failed), measured
    for measured, short, failed in ((0.1, False, False), (0.6, True, False), (0.61, False, True)):
        error = at_most("error", measured, 0.1, SMEARS)
        assert (error.explained, error.failed) == (short, failed), measured


def test_a_known_limit_leaves_the_other_side_of_a_range_as_it_is() -> None:
    both = Check("share", 0.5, 0.7, 1.25, known_limit="It is slow.", worst=0.4)
    assert both.explained
    assert replace(both, measured=1.3).failed


def test_no_limit_explains_a_value_that_is_no_number_or_one_without_a_bound() -> None:
    assert at_least("order", float("nan"), 2.75, LOSES_ORDER).failed
    assert Check("order", 2.7, lowest=2.75, known_limit="The weights lose order.").failed


def test_an_outcome_comes_back_from_its_file(tmp_path: Path) -> None:
    before = outcome(at_most("error", 0.02, 0.01, SMEARS), near("rate", 1, 1, 0.1))
    write_outcome(tmp_path / "a.json", before)
    assert read_outcome(tmp_path / "a.json") == before


def report(folder: Path, *checks: Check) -> str:
    write_outcome(folder / "results/quick-cpu/growth.json", outcome(*checks))
    return write_report(folder, [case()]).read_text(encoding="utf-8")


def test_the_report_shows_what_was_measured_and_how_it_was_judged(tmp_path: Path) -> None:
    page = report(tmp_path, near("rate", 1.234, 1.23, 0.01))
    assert "✅ holds" in page
    assert "missed" not in page
    assert "failed" not in page
    assert "1.234" in page
    assert "3 runs, together 2 s, quick set on a processor" in page
    assert (tmp_path / "figures/growth-quick-cpu.png").stat().st_size > 1000
    assert "data:image/png" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (at_most("error", 2, 3), "| 2 | at most 3 |"),
        (at_least("order", 2.5, 2.25), "| 2.5 | at least 2.25 |"),
        (near("rate", 2.1, 2, 0.1), "| 2.1 | 2 ± 0.2 |"),
        (Check("share", 5, 4, 6), "| 5 | 4 to 6 |"),
        (at_most("drift", 2.345e-14, 1e-12), "| 2.35e-14 | at most 1.00e-12 |"),
    ],
)
def test_the_report_says_what_was_measured_and_what_is_allowed(
    tmp_path: Path, check: Check, words: str
) -> None:
    assert f"| {check.what} | ✅ holds {words}" in report(tmp_path, check)


def test_the_report_shows_the_full_set_before_the_quick_one(tmp_path: Path) -> None:
    for effort in ("quick", "full"):
        path = tmp_path / f"results/{effort}-cpu/growth.json"
        write_outcome(path, replace(outcome(), effort=effort))
    page = write_report(tmp_path, [case()]).read_text(encoding="utf-8")
    heads = [line for line in page.splitlines() if line.startswith("## ")]
    assert heads == [f"## Growth of a wave: {effort} on a processor" for effort in ("full", "quick")]


def test_the_report_shows_a_missed_claim_in_red_with_its_reason(tmp_path: Path) -> None:
    page = report(tmp_path, at_most("error", 0.5, 0.1, SMEARS))
    assert page.count("🔴 missed, within the known limit") == 2, "of the case and of the check"
    assert "failed" not in page
    assert "at most 0.1, known limit 0.6" in page
    assert "The scheme smears this." in page
    assert 'class="label missed"' in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_report_names_schemes_that_the_results_lack(tmp_path: Path) -> None:
    write_outcome(tmp_path / "results/quick-cpu/growth.json", outcome(at_most("error", 2, 3)))
    added = replace(case(), lacks=lambda data: unmeasured(("curve", "new", "newer"), data))
    page = write_report(tmp_path, [added]).read_text(encoding="utf-8")
    assert "\n\nNot measured here: new, newer.\n" in page
    assert "<p>Not measured here: new, newer.</p>" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Not measured here" not in report(tmp_path, at_most("error", 2, 3))


def test_the_report_shows_a_claim_missed_by_more_than_a_known_limit_as_failed(tmp_path: Path) -> None:
    page = report(tmp_path, at_most("error", 0.7, 0.1, SMEARS), at_most("spread", 0.5, 0.1, SMEARS))
    assert page.count("🔴 failed") == 2, "of the case and of the first check"
    assert page.count("🔴 missed, within the known limit") == 1
    assert 'class="label missed">🔴 failed' in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "smears" not in report(tmp_path, at_most("error", 0.7, 0.1, SMEARS)), "that is not the reason"


def test_the_report_lists_what_each_set_lacks(tmp_path: Path) -> None:
    blast = replace(case(), name="blast", title="Blast")
    large = replace(case(), name="large", title="Large", for_gpus=True)
    for results in ("quick-cpu/growth", "full-cuda/growth", "full-cuda/large"):
        write_outcome(tmp_path / f"results/{results}.json", outcome())
    page = write_report(tmp_path, [case(), blast, large]).read_text(encoding="utf-8")
    assert "Not measured yet" in page
    assert "| full | Blast |" in page
    assert "| quick | Blast; Large (for GPUs only) |" in page
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert '>quick</td><td class="label">Blast; Large (for GPUs only)</td>' in html
    write_outcome(tmp_path / "results/quick-cuda/large.json", outcome())
    page = write_report(tmp_path, [case(), blast, large]).read_text(encoding="utf-8")
    assert "| quick | Blast |" in page, "measured on another device"


def test_a_report_of_everything_lists_nothing_as_missing(tmp_path: Path) -> None:
    assert "Not measured yet" not in report(tmp_path, at_most("error", 0.02, 0.01))


def test_a_report_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TayraError, match="holds no results"):
        write_report(tmp_path, [case()])


def test_every_case_has_a_name_of_its_own_and_says_what_it_rests_on() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    assert all(case.claim and case.references for case in CASES)


def test_an_unknown_case_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--tayra", "nowhere", "--cases", "rt_linaer"])
    assert stopped.value.code == 2
    assert "rt_linear" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (at_most("drift", -2.5, 0), "| -2.5 | at most 0 |"),
        (at_least("drift", -2.345e-14, -1e-12), "| -2.35e-14 | at least -1.00e-12 |"),
    ],
)
def test_the_report_writes_numbers_of_zero_and_below_as_those_above(
    tmp_path: Path, check: Check, words: str
) -> None:
    assert f"| {check.what} | ✅ holds {words}" in report(tmp_path, check)


def test_both_pages_hold_claim_table_note_references_and_date(tmp_path: Path) -> None:
    references = ("A. Author (1950), A journal.", "B. Author & C. Author (1960), Another.")
    told = replace(case(), claim="It grows by < 3.", references=references)
    table = Section("What it took", ["scheme", "steps"], [["muscl", "77"]], 1, "Few & short.")
    findings = Findings([at_most("a < b", 2, 3)], {"curve": [1.0, 2.5]}, [table])
    write_outcome(tmp_path / "results/quick-cpu/growth.json", replace(outcome(), findings=findings))
    page = write_report(tmp_path, [told]).read_text(encoding="utf-8")
    assert "\n\nIt grows by < 3.\n\n" in page
    assert "| muscl | 77 |\n\nFew & short.\n\n" in page
    assert f"\n\n- {references[0]}\n- {references[1]}\n\n" in page
    assert ", today; measured by abc" in page
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<p>It grows by &lt; 3.</p>" in page
    assert '<td class="label">a &lt; b</td>' in page
    assert '<td class="label">muscl</td><td class="">77</td>' in page
    assert "<p>Few &amp; short.</p>" in page
    assert f"<ul><li>{references[0]}</li><li>{references[1].replace('&', '&amp;')}</li></ul>" in page
    assert ", today; measured by abc" in page


def test_the_html_page_shows_each_case_its_own_picture(tmp_path: Path) -> None:
    blast = replace(case(), name="blast", title="Blast")
    for name, curve in (("growth", [1.0, 2.5]), ("blast", [9.0, 1.0])):
        findings = Findings([], {"curve": curve})
        write_outcome(tmp_path / f"results/quick-cpu/{name}.json", replace(outcome(), findings=findings))
    write_report(tmp_path, [case(), blast])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    pictures = [(tmp_path / f"figures/{name}-quick-cpu.png").read_bytes() for name in ("growth", "blast")]
    assert pictures[0] != pictures[1]
    shown = re.findall(r'<img alt="([^"]+)" src="data:image/png;base64,([^"]+)"', page)
    assert [(title, base64.b64decode(data)) for title, data in shown] == [
        ("Growth of a wave", pictures[0]),
        ("Blast", pictures[1]),
    ]
