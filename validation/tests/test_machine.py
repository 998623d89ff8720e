"""Runs side by side on GPUs, by a stand-in for the program that notes when and where it ran."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from tayra import Run
from tayra.errors import TayraError
from tayra.run_directory import TIMINGS
from validation.__main__ import chosen, finished, holds, main, parse, run_cases, seconds_of
from validation.case import Case, Findings, KnownLimit, at_least, at_most, read_outcome
from validation.cases import CASES
from validation.lab import Config, Lab, program_sum, work
from validation.machine import RUNS_ON_ONE_GPU, Machine

STAND_IN = """#!/usr/bin/env python3
import json, os, pathlib, sys, time
words = sys.argv[1:]
if words[0] == "info":
    gpu = pathlib.Path(__file__).with_name("gpu")
    gpus = [{"name": gpu.read_text() if gpu.is_file() else "NVIDIA H100"}, {"name": "another"}]
    print(json.dumps({"commit": "abc", "processor": {"name": "a processor"}, "gpus": gpus, "schemes": []}))
    sys.exit()
config = json.loads(pathlib.Path(words[1]).read_text())
log = pathlib.Path(__file__).with_name("log")
def note(what):
    with log.open("a") as file:
        file.write(json.dumps([what, words[1], os.environ.get("CUDA_VISIBLE_DEVICES")]) + "\\n")
note("begin")
time.sleep(config["sleep"])
if config.get("fails"):
    sys.exit("out of order")
directory = pathlib.Path(words[words.index("--output") + 1])
record = {"tayra": {}, "status": "finished", "totals": {"wall_seconds": 1}}
record |= {"command": words, "threads": os.environ.get("OMP_NUM_THREADS")}
(directory / "run.json").write_text(json.dumps(record))
note("end")
"""


@pytest.fixture(autouse=True)
def no_chosen_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


def stand_in(folder: Path) -> Path:
    path = folder / "tayra"
    path.write_text(STAND_IN, encoding="utf-8")
    path.chmod(0o755)
    return path


def lab(folder: Path, gpus: int) -> Lab:
    return Lab(stand_in(folder), folder / "runs", "cuda", machine=Machine(gpus))


def config(cells: int = 64, sleep: float = 0.1) -> dict[str, object]:
    return {"grid": {"cells": [cells] * 3}, "run": {"time": 1}, "sleep": sleep}


def events(folder: Path) -> list[tuple[str, str, str]]:
    lines = (folder / "log").read_text(encoding="utf-8").splitlines()
    return [(what, Path(path).parent.name, gpus) for what, path, gpus in map(json.loads, lines)]


def case(name: str, *configs: Config) -> Case:
    def measure(own: Lab) -> Findings:
        own.run_all({str(number): each for number, each in enumerate(configs)})
        return Findings([at_most("error", 0, 1)], {})

    return Case(name, name, "", (), measure, lambda _: Figure())


def most_on_one_gpu(happened: Sequence[tuple[str, str, str]]) -> int:
    now: Counter[str] = Counter()
    most = 0
    for what, _, gpu in happened:
        now[gpu] += 1 if what == "begin" else -1
        most = max(most, now[gpu])
    return most


def test_runs_spread_over_the_gpus_and_few_share_one(tmp_path: Path) -> None:
    lab(tmp_path, 3).run_all({f"run {i}": config(sleep=0.3) for i in range(20)})
    happened = events(tmp_path)
    shares = Counter(gpu for what, _, gpu in happened if what == "begin")
    assert set(shares) == {"0", "1", "2"}
    assert 1 < most_on_one_gpu(happened) <= RUNS_ON_ONE_GPU
    assert min(shares.values()) >= RUNS_ON_ONE_GPU


def test_a_run_goes_to_the_gpu_with_the_least_work() -> None:
    machine = Machine(2)
    with machine.room(1, 100) as first, machine.room(1, 30) as second, machine.room(1, 30) as third:
        assert first != second == third


def test_of_runs_that_wait_the_largest_goes_first() -> None:
    machine = Machine(1)
    order: list[float] = []

    def pass_through(work: float) -> None:
        with machine.room(1, work):
            order.append(work)

    with ThreadPoolExecutor() as pool, ExitStack() as full:
        for _ in range(RUNS_ON_ONE_GPU - 1):
            full.enter_context(machine.room(1, 10))
        with machine.room(1, 10):
            for work in (1, 3, 2):
                pool.submit(pass_through, work)
            while len(machine._waiting) < 3:
                time.sleep(0.01)
        pool.shutdown()
    assert order == [3, 2, 1]


def test_a_large_run_gets_all_gpus(tmp_path: Path) -> None:
    run = lab(tmp_path, 4).run("large", config(), gpus=4)
    assert events(tmp_path)[0][2] == "0,1,2,3"
    assert "--gpus 4" in " ".join(run.record["command"])


@pytest.mark.parametrize("gpus", [1, 4])
def test_a_run_has_a_thread_where_gpus_outnumber_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gpus: int
) -> None:
    monkeypatch.setattr("validation.lab.CORES", 2)
    assert lab(tmp_path, 4).run("wave", config(), gpus=gpus).record["threads"] == "1"


def test_a_box_of_twice_the_cells_or_steps_is_twice_the_work() -> None:
    box = {"grid": {"cells": [64, 64, 64]}, "run": {"steps": 10}}
    assert work(box | {"grid": {"cells": [64, 64, 128]}}) == 2 * work(box)
    assert work(box | {"run": {"steps": 20}}) == 2 * work(box)


def test_gpus_are_those_that_the_user_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,3,1")
    assert Machine(2).gpus == ["5", "3"]
    with pytest.raises(TayraError, match="ask for fewer"):
        Machine(4)


def test_an_error_in_one_case_leaves_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [case("bad", config() | {"fails": True}, config()), case("good", config())]
    assert not run_cases(cases, lab(tmp_path, 1), tmp_path / "results")
    assert [path.stem for path in (tmp_path / "results").iterdir()] == ["good"]
    said = capsys.readouterr()
    assert "good" in said.out
    assert "bad was not measured" in said.err
    assert "out of order" in said.err


def test_a_claim_missed_by_more_than_its_known_limit_fails_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def held(order: float) -> bool:
        check = at_least("order", order, 2.75, KnownLimit("The weights lose order.", 1.9))
        judged = Case("order", "order", "", (), lambda _: Findings([check], {}), lambda _: Figure())
        run_cases([judged], lab(tmp_path, 1), tmp_path / "results")
        return holds(tmp_path / "results/order.json")

    assert held(2.8)
    assert held(2.125)
    said = capsys.readouterr().out
    assert "missed, within the known limit (The weights lose order.): order: 2.125" in said
    assert not held(1.8)
    assert "FAILED: order: 1.8\n" in capsys.readouterr().out
    assert not held(0)


def test_a_mistake_in_a_case_leaves_the_others_too(tmp_path: Path) -> None:
    def mistaken(_: Lab) -> Findings:
        raise ZeroDivisionError

    bad = Case("bad", "bad", "", (), mistaken, lambda _: Figure())
    assert not run_cases([bad, case("good", config())], lab(tmp_path, 1), tmp_path / "results")
    assert (tmp_path / "results/good.json").is_file()


def test_cases_that_want_to_be_alone_come_last_one_by_one(tmp_path: Path) -> None:
    alone = [case("alone", config()), case("also", config())]
    for each in alone:
        object.__setattr__(each, "alone", True)
    order = [
        each.name
        for each, _ in finished([*alone, case("x", config()), case("y", config())], lab(tmp_path, 2))
    ]
    assert set(order[:2]) == {"x", "y"}
    assert order[2:] == ["alone", "also"]


def test_results_of_another_config_are_not_taken_over(tmp_path: Path) -> None:
    own = lab(tmp_path, 1)
    own.run("wave", config())
    own.run("wave", config())
    assert len(events(tmp_path)) == 2
    with pytest.raises(TayraError, match="out of order"):
        own.run("wave", config() | {"fails": True})
    with pytest.raises(TayraError, match="out of order"):
        own.run("wave", config() | {"fails": True})


def test_results_of_other_options_or_another_build_are_not_taken_over(tmp_path: Path) -> None:
    own = lab(tmp_path, 1)
    own.run("wave", config())
    own.run("wave", config(), ("--halo", "host"))
    assert len(events(tmp_path)) == 4
    with own.tayra.open("a") as program:
        program.write("# of another commit\n")
    program_sum.cache_clear()
    own.run("wave", config(), ("--halo", "host"))
    assert len(events(tmp_path)) == 6


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    own = lab(tmp_path, 1)
    run = own.run("wave", config())
    (run.directory / "run.json").unlink()
    (run.directory / "checkpoint").touch()
    again = own.run("wave", config())
    assert (again.directory / "checkpoint").exists()
    assert "--resume" in again.record["command"]
    assert "--force" not in again.record["command"]


def test_the_seconds_of_a_run_that_went_on_are_those_of_all_its_steps(tmp_path: Path) -> None:
    record = {"tayra": {}, "totals": {"wall_seconds": 1}}
    (tmp_path / "timings.csv").write_text(
        ",".join(TIMINGS) + "\n1,0,0,1500,0,0,0,0,0\n2,0,0,3000,0,0,0,0,0\n"
    )
    for resumed, seconds in ((None, 1), ({"step": 1}, 4.5)):
        (tmp_path / "run.json").write_text(json.dumps(record | {"resumed_from": resumed}))
        assert seconds_of(Run(tmp_path)) == seconds


def test_results_of_the_quick_set_stay_where_the_full_one_is_measured(tmp_path: Path) -> None:
    def measure(own: Lab) -> Findings:
        own.run("wave", config(128 if own.full else 64))
        return Findings([], {})

    wave = Case("wave", "wave", "", (), measure, lambda _: Figure())
    for full in (False, True, False):
        run_cases([wave], replace(lab(tmp_path, 1), full=full), tmp_path / "results")
    assert len(events(tmp_path)) == 4


def test_results_of_other_hardware_are_not_taken_over(tmp_path: Path) -> None:
    """Of a folder that nodes with other GPUs share."""
    own = lab(tmp_path, 1)
    run_cases([case("wave", config())], own, tmp_path / "results")
    run_cases([case("wave", config())], own, tmp_path / "results")
    assert len(events(tmp_path)) == 2
    (tmp_path / "gpu").write_text("NVIDIA H200")
    run_cases([case("wave", config())], own, tmp_path / "results")
    assert len(events(tmp_path)) == 4
    assert read_outcome(tmp_path / "results/wave.json").device == "NVIDIA H200"
    run_cases([case("wave", config())], lab(tmp_path, 2), tmp_path / "results")
    assert read_outcome(tmp_path / "results/wave.json").device == "2 x NVIDIA H200"


PROGRAM = """import sys
import validation.__main__ as program
from validation.tests.test_machine import case, config
program.CASES = [{cases}]
sys.exit(program.main(sys.argv[1:]))
"""
SLOW = PROGRAM.format(cases='case("slow", *[config(sleep=60)] * 20)')
FIRST_TOLD_SOON = PROGRAM.format(cases='case("quick", config()), case("slow", config(sleep=60))')


def test_when_it_is_interrupted_runs_end_and_no_other_begins(tmp_path: Path) -> None:
    words = ["--tayra", stand_in(tmp_path), "--gpu", "--gpus", "2", "--scratch", tmp_path / "runs"]
    command = [sys.executable, "-c", SLOW, *map(str, words), "--output", str(tmp_path)]
    program = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "log").is_file() or len(events(tmp_path)) < 2 * RUNS_ON_ONE_GPU:
        if time.monotonic() > deadline:
            program.kill()
            pytest.fail("no runs on the second GPU")
        time.sleep(0.05)
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=30)
    assert program.returncode == 1
    assert "--missing goes on" in said
    assert len(events(tmp_path)) == 2 * RUNS_ON_ONE_GPU


def test_when_it_cannot_print_it_says_so_once_and_runs_end(tmp_path: Path) -> None:
    words = ["--tayra", stand_in(tmp_path), "--gpu", "--scratch", tmp_path / "runs", "--output", tmp_path]
    command = [sys.executable, "-c", FIRST_TOLD_SOON, *map(str, words)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=30
        )
    assert done.returncode == 1
    assert done.stderr == "validate: cannot print (No space left on device): make room or print elsewhere\n"


def test_cases_for_gpus_are_left_out_on_a_cpu(tmp_path: Path) -> None:
    def names(*words: str) -> set[str]:
        options = parse(["--tayra", "tayra", "--output", str(tmp_path), *words])
        return {each.name for each in chosen(options)}

    assert names("--gpu") == names("--gpu", "--full") == {each.name for each in CASES}
    assert names("--full") == names("--gpu") - {"rt_multi"}
    assert names("--cases", "rt_multi") == {"rt_multi"}


def test_more_gpus_than_there_are_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    assert main(["--tayra", "nowhere", "--gpu", "--gpus", "2"]) == 1


def test_results_of_another_device_are_not_taken_over(tmp_path: Path) -> None:
    own = lab(tmp_path, 1)
    for device in ("cuda", "cpu"):
        run = replace(own, device=device).run("wave", config())
        assert f"--device {device}" in " ".join(run.record["command"])
    assert len(events(tmp_path)) == 4


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    own = lab(tmp_path, 1)
    record = own.run("wave", config()).directory / "run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"status": "stopped"}))
    assert own.run("wave", config()).record["status"] == "finished"
    assert len(events(tmp_path)) == 4


def test_a_run_on_the_cpu_has_the_threads_that_it_was_given_and_one_of_many_has_one(tmp_path: Path) -> None:
    own = replace(lab(tmp_path, 1), device="cpu", threads=3)
    assert own.run("alone", config()).record["threads"] == "3"
    assert {run.record["threads"] for run in own.run_all({"a": config(), "b": config()}).values()} == {"1"}


def test_large_runs_go_side_by_side_on_a_gpu_and_one_after_the_other_on_a_cpu(tmp_path: Path) -> None:
    for device, together in (("cuda", True), ("cpu", False)):
        folder = tmp_path / device
        folder.mkdir()
        replace(lab(folder, 1), device=device).run_large({str(i): config(sleep=1) for i in range(3)})
        assert (most_on_one_gpu(events(folder)) > 1) == together


def test_an_outcome_counts_the_runs_of_its_case_and_their_seconds(tmp_path: Path) -> None:
    cases = [case("two", config(), config()), case("one", config())]
    run_cases(cases, lab(tmp_path, 1), tmp_path / "results")
    for name, runs in (("two", 2), ("one", 1)):
        outcome = read_outcome(tmp_path / f"results/{name}.json")
        assert (outcome.runs, outcome.seconds) == (runs, runs)


def test_what_misses_within_a_known_limit_is_not_counted_as_holding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = [at_most("error", 0, 1), at_most("spread", 2, 1, KnownLimit("It is known.", 3))]
    judged = Case("wave", "wave", "", (), lambda _: Findings(checks, {}), lambda _: Figure())
    run_cases([judged], lab(tmp_path, 1), tmp_path / "results")
    assert "1 of 2 hold" in capsys.readouterr().out
