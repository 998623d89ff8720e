"""Runs cases, keeps what they found as JSON, and writes the report from all that is kept."""

import argparse
import json
import signal
import subprocess
import sys
import traceback
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tayra import Run
from tayra.command import Parser, say
from tayra.errors import TayraError
from validation.case import Case, Outcome, read_outcome, write_outcome
from validation.cases import CASES
from validation.cases.schemes import learn
from validation.lab import Lab
from validation.machine import Machine
from validation.report import DIRTY, write_report

HERE = Path(__file__).parent


def main(words: Sequence[str] | None = None) -> int:
    """0: all claims of the chosen cases hold or miss within a known limit; 1: one failed or was not measured;
    2: bad usage."""
    options = parse(words)
    try:
        device = "cuda" if options.gpu else "cpu"
        machine = Machine(options.gpus or 1)
        end_all_on_signals(machine)
        lab = Lab(options.tayra, options.scratch, device, options.full, machine=machine)
        learn(information(lab)["schemes"])
        cases, folder = chosen(options), results(options, lab)
        wanted = missing(cases, folder, commit(lab)) if options.missing else cases
        measured = options.report_only or run_cases(wanted, lab, folder)
        say(f"report: {write_report(options.output, CASES)}")
        bad = [case.name for case in cases if not holds(file_of(case, folder))]
    except (TayraError, OSError) as error:
        print(f"validate: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("validate: stopped: the same command with --missing goes on", file=sys.stderr)
        return 1
    if bad:
        print(f"validate: failed or not measured: {', '.join(bad)}", file=sys.stderr)
    return 0 if measured and not bad else 1


def parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="validate.sh", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the thorough set, for a GPU")
    parser.add_argument("--gpu", action="store_true", help="run on a GPU")
    parser.add_argument("--gpus", type=int, help="with --gpu: GPUs of this machine to use, 1 unless said")
    parser.add_argument("--cases", type=lambda text: text.split(","), help="only these, separated by commas")
    parser.add_argument(
        "--missing",
        action="store_true",
        help="only cases that failed or without results of this build: goes on after a break",
    )
    parser.add_argument("--report-only", action="store_true", help="write the report from the results there")
    parser.add_argument("--output", type=Path, default=HERE, help="where results and report go")
    parser.add_argument(
        "--scratch", type=Path, default=HERE.parent / "results/validation", help="where runs go"
    )
    parser.add_argument("--tayra", type=Path, required=True, help="the program (validate.sh knows it)")
    options = parser.parse_args(words)
    if options.gpus is not None and not (options.gpu and options.gpus > 0):
        parser.error("--gpus counts the GPUs that --gpu may use: at least 1, and say --gpu, too")
    unknown = set(options.cases or ()) - {case.name for case in CASES}
    if unknown:
        parser.error(f"no case {', '.join(sorted(unknown))}: there are {', '.join(c.name for c in CASES)}")
    return options


def effort(lab: Lab) -> str:
    return "full" if lab.full else "quick"


def end_all_on_signals(machine: Machine) -> None:
    def end(*_: object) -> None:
        machine.stop()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)


def results(options: argparse.Namespace, lab: Lab) -> Path:
    return Path(options.output) / "results" / f"{effort(lab)}-{lab.device}"


def file_of(case: Case, folder: Path) -> Path:
    return folder / f"{case.name}.json"


def chosen(options: argparse.Namespace) -> list[Case]:
    if options.cases:
        return [case for case in CASES if case.name in options.cases]
    return [case for case in CASES if options.gpu or not case.for_gpus]


def missing(cases: Sequence[Case], folder: Path, build: str) -> list[Case]:
    """Those that failed or whose results are not of this build; one with uncommitted changes may be any."""
    return [
        case
        for case in cases
        if not holds(file_of(case, folder))
        or build.endswith(DIRTY)
        or read_outcome(file_of(case, folder)).commit != build
    ]


def holds(file: Path) -> bool:
    """Whether a case was measured and no claim is missed by more than a known limit explains."""
    return file.is_file() and not read_outcome(file).failed


def run_cases(cases: Sequence[Case], lab: Lab, folder: Path) -> bool:
    """Whether all could be measured. What a case found is kept at once, and an error in one leaves the
    others."""
    failures = []
    with closing(finished(cases, lab)) as outcomes:
        for case, future in outcomes:
            failure = future.exception()
            if failure is None:
                outcome = future.result()
                write_outcome(file_of(case, folder), outcome)
                tell(outcome)
            else:
                failures.append((case, failure))
    for case, failure in failures:
        if not isinstance(failure, TayraError):
            traceback.print_exception(failure)
        print(f"validate: {case.name} was not measured: {failure}", file=sys.stderr)
    return not failures


def finished(cases: Sequence[Case], lab: Lab) -> Generator[tuple[Case, Future[Outcome]]]:
    """On GPUs cases go side by side, then those that want to be alone."""
    together = [case for case in cases if lab.device == "cuda" and not case.alone]
    one_by_one = sorted((case for case in cases if case not in together), key=lambda case: case.for_gpus)
    for group, workers in ((together, len(together)), (one_by_one, 1)):
        if not group:
            continue
        with ThreadPoolExecutor(workers) as pool:
            futures = {pool.submit(run_case, case, lab): case for case in group}
            try:
                for future in as_completed(futures):
                    yield futures[future], future
            except GeneratorExit:  # closed where an outcome could not be kept: nobody waits for the others
                lab.machine.stop()
                raise


def tell(outcome: Outcome) -> None:
    checks = outcome.findings.checks
    holding = len(checks) - len(outcome.missed)
    say(f"{outcome.case:20} {holding} of {len(checks)} hold, {outcome.seconds:.0f} s")
    for check in outcome.missed:
        state = f"missed, within the known limit ({check.known_limit})" if check.explained else "FAILED"
        say(f"    {state}: {check.what}: {check.measured:.4g}")


def run_case(case: Case, lab: Lab) -> Outcome:
    hardware = device_name(lab)
    scratch = lab.scratch / f"{effort(lab)}-{lab.device}" / case.name
    own = replace(lab, scratch=scratch, hardware=hardware)
    findings = case.measure(own)
    return Outcome(
        case=case.name,
        effort=effort(lab),
        device=hardware if lab.gpus == 1 else f"{lab.gpus} x {hardware}",
        commit=commit(lab),
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        seconds=round(sum(map(seconds_of, own.runs)), 1),
        runs=len(own.runs),
        findings=findings,
    )


def seconds_of(run: Run) -> float:
    """The record of a run that was cut off and went on knows the last attempt's seconds only."""
    if run.record.get("resumed_from"):
        return float(sum(run.timings()["wall_ms"])) / 1000
    return float(run.record["totals"]["wall_seconds"])


def commit(lab: Lab) -> str:
    return str(information(lab)["commit"])


def device_name(lab: Lab) -> str:
    told = information(lab)
    devices = told["gpus"] if lab.device == "cuda" else [told["processor"]]
    return str(devices[0]["name"]) if devices else lab.device


def information(lab: Lab) -> dict[str, Any]:
    command = [lab.tayra.absolute(), "info", "--json"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return dict(json.loads(told))
    except (OSError, subprocess.CalledProcessError) as error:
        raise TayraError(f"{lab.tayra} does not run ({error}): build it first") from error
    except ValueError as error:
        raise TayraError(
            f"{lab.tayra} is no Tayra (`info --json` prints no JSON): name another program"
        ) from error


if __name__ == "__main__":
    sys.exit(main())
