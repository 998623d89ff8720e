"""Runs cases, keeps what they found as JSON, and writes the report from all that is kept."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tayra.errors import TayraError
from validation.case import Case, Outcome, write_outcome
from validation.cases import CASES
from validation.lab import Lab
from validation.report import write_report

HERE = Path(__file__).parent


def main(words: Sequence[str] | None = None) -> int:
    """0: all claims hold or miss for a stated reason; 1: one is missed; 2: bad usage."""
    options = parse(words)
    lab = Lab(options.tayra, options.scratch, "cuda" if options.gpu else "cpu", options.full, options.gpus)
    folder = options.output / "results" / f"{effort(lab)}-{lab.device}"
    missed = 0
    try:
        if not options.report_only:
            missed = run_cases(chosen(options), lab, folder, options.missing)
        print(f"report: {write_report(options.output, CASES)}")
    except TayraError as error:
        print(f"validate: {error}", file=sys.stderr)
        return 1
    return 1 if missed else 0


def parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="validate.sh", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the thorough set, for a GPU")
    parser.add_argument("--gpu", action="store_true", help="run on a GPU")
    parser.add_argument("--gpus", type=int, default=1, help="GPUs for the largest run")
    parser.add_argument("--cases", type=lambda text: text.split(","), help="only these, separated by commas")
    parser.add_argument(
        "--missing", action="store_true", help="only cases without results: goes on after a break"
    )
    parser.add_argument("--report-only", action="store_true", help="write the report from the results there")
    parser.add_argument("--output", type=Path, default=HERE, help="where results and report go")
    parser.add_argument(
        "--scratch", type=Path, default=HERE.parent / "results/validation", help="where runs go"
    )
    parser.add_argument("--tayra", type=Path, required=True, help="the program (validate.sh knows it)")
    options = parser.parse_args(words)
    unknown = set(options.cases or ()) - {case.name for case in CASES}
    if unknown:
        parser.error(f"no case {', '.join(sorted(unknown))}: there are {', '.join(c.name for c in CASES)}")
    return options


def effort(lab: Lab) -> str:
    return "full" if lab.full else "quick"


def chosen(options: argparse.Namespace) -> list[Case]:
    if options.cases:
        return [case for case in CASES if case.name in options.cases]
    return [case for case in CASES if options.full or not case.full_only]


def run_cases(cases: Sequence[Case], lab: Lab, folder: Path, missing_only: bool) -> int:
    """Returns the number of claims missed without a stated reason."""
    missed = 0
    for case in cases:
        path = folder / f"{case.name}.json"
        if missing_only and path.is_file():
            continue
        outcome = run_case(case, lab)
        write_outcome(path, outcome)
        missed += sum(not check.known_limit for check in outcome.missed)
        holding = len(outcome.findings.checks) - len(outcome.missed)
        print(
            f"{case.name:20} {holding} of {len(outcome.findings.checks)} hold, {outcome.seconds:.0f} s",
            flush=True,
        )
        for check in outcome.missed:
            print(f"    missed: {check.what}: {check.measured:.4g} {check.known_limit}")
    return missed


def run_case(case: Case, lab: Lab) -> Outcome:
    own = replace(lab, scratch=lab.scratch / f"{effort(lab)}-{lab.device}" / case.name)
    findings = case.measure(own)
    return Outcome(
        case=case.name,
        effort=effort(lab),
        device=device_name(lab),
        commit=commit(lab),
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        seconds=round(sum(run.record["totals"]["wall_seconds"] for run in own.runs), 1),
        runs=len(own.runs),
        findings=findings,
    )


def commit(lab: Lab) -> str:
    words = information(lab).split("\n", 1)[0].split()
    return words[words.index("commit") + 1]


def device_name(lab: Lab) -> str:
    wanted = "GPU 0" if lab.device == "cuda" else "processor"
    for line in information(lab).splitlines():
        if line.strip().startswith(wanted):
            return line.strip().removeprefix(wanted).split(",")[0].strip()
    return lab.device


def information(lab: Lab) -> str:
    try:
        return subprocess.run([lab.tayra, "info"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise TayraError(f"{lab.tayra} does not run ({error}): build it first") from error


if __name__ == "__main__":
    sys.exit(main())
