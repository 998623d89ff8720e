"""The job scripts on a cluster: each is submitted, and its results are those of one process."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from runs import SOURCE, fingerprint_alone, record, wait_for_steps
from slurm_cluster import SlurmCluster, missing_programs

from tayra.plot import main as plot

SCRIPTS = SOURCE / "scripts" / "slurm"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlurmCluster]:
    if missing := missing_programs():
        pytest.skip(f"no Slurm here ({', '.join(missing)} missing): scripts/install_dependencies.sh --slurm")
    cluster = SlurmCluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def submit(cluster: SlurmCluster, tayra: str, folder: Path) -> Callable[..., str]:
    """Submits a script on the CPU path, with one core a task; the number of the job."""

    def submit_script(script: str, *options: str, **variables: str) -> str:
        variables = {
            "DEVICE": "cpu",
            "TAYRA": tayra,
            "TAYRA_SLURM": str(SCRIPTS),
            "OPTIONS": "--quiet",
        } | variables
        return cluster.submit(folder, SCRIPTS / script, "--cpus-per-task=1", *options, **variables)

    return submit_script


@pytest.mark.parametrize(
    ("script", "options", "ranks", "nodes"),
    [
        ("one_process.sh", [], 1, 1),
        ("one_process.sh", ["--gpus-per-node=4"], 1, 1),
        ("rank_per_gpu.sh", [], 4, 1),
        ("rank_per_gpu.sh", ["--nodes=2", "--ntasks-per-node=2"], 4, 2),
    ],
)
def test_each_script_gives_the_bits_of_one_process(
    cluster: SlurmCluster,
    submit: Callable[..., str],
    tayra: str,
    folder: Path,
    script: str,
    options: list[str],
    ranks: int,
    nodes: int,
) -> None:
    job = submit(script, *options)
    cluster.wait_for(job, "COMPLETED")
    run = record(folder / "results")
    assert run["totals"]["fingerprint"] == fingerprint_alone(tayra, folder), cluster.log(job)
    assert (run["machine"]["ranks"], run["machine"]["nodes"]) == (ranks, nodes)
    for rank in range(ranks):
        assert f"rank {rank} on n" in cluster.log(job)


@pytest.mark.parametrize("script", ["rank_per_gpu.sh", "chain.sh"])
def test_a_failed_run_is_a_failed_job_with_its_message_told_once(
    cluster: SlurmCluster, submit: Callable[..., str], script: str
) -> None:
    job = submit(script, OPTIONS="--set numerics.cfl=7")
    cluster.wait_for(job, "FAILED")
    assert cluster.log(job).count("tayra: ") == 1, cluster.log(job)


@pytest.mark.parametrize("mode", ["strong", "weak"])
def test_a_sweep_writes_a_bench_file_for_every_number_of_ranks_and_all_are_drawn_together(
    cluster: SlurmCluster, submit: Callable[..., str], folder: Path, mode: str
) -> None:
    options = "--steps 2 --repeats 1"
    job = submit("scaling.sh", "--array=0-1", RANKS="1 4", CELLS="16", HALO="mpi", MODE=mode, OPTIONS=options)
    cluster.wait_for(job, "COMPLETED")
    files = [folder / "scaling" / f"{mode}_{ranks}.json" for ranks in (1, 4)]
    for ranks, file in zip((1, 4), files, strict=True):
        rows = json.loads(file.read_text())["rows"]
        assert rows and all(row["slabs"] == ranks for row in rows), rows
    assert plot([str(file) for file in files]) == 0
    assert (folder / "scaling" / f"{mode}_{mode}_time.png").exists()
    assert "| 1 slab | 4 slabs |" in (folder / "scaling" / f"{mode}_tables.md").read_text()


CHAIN = ["--ntasks-per-node=2"]
LONG = "--set run.steps=10000"  # two seconds on idle cores: it must not end before it is signalled


def test_a_chain_resumes_itself_after_every_signal_until_it_is_finished(
    cluster: SlurmCluster, submit: Callable[..., str], tayra: str, folder: Path
) -> None:
    job = submit("chain.sh", *CHAIN, OPTIONS="--quiet " + LONG)
    for link in range(2):
        wait_for_steps(folder / "results", 100 + 200 * link)
        cluster.run("scancel", "--signal=USR1", job)
        if link == 0:
            cluster.wait_for(job, "PENDING")
    cluster.wait_for(job, "COMPLETED", 240)
    run = record(folder / "results")
    assert run["totals"]["fingerprint"] == fingerprint_alone(tayra, folder, *LONG.split())
    assert [attempt["status"] for attempt in run["attempts"]] == ["stopped", "stopped"]
    assert all(f"link {link} of job {job}" in cluster.log(job) for link in (1, 2, 3))


def chain_after_its_first_link(cluster: SlurmCluster, submit: Callable[..., str], folder: Path) -> str:
    """A job that is queued again, the signal before its time's end having stopped its first link."""
    job = submit("chain.sh", *CHAIN, OPTIONS="--quiet --set run.steps=1000000")
    wait_for_steps(folder / "results", 50)
    cluster.run("scancel", "--signal=USR1", job)
    cluster.wait_for(job, "PENDING")
    return job


def test_a_chain_whose_next_link_is_refused_ends_there(
    cluster: SlurmCluster, submit: Callable[..., str], folder: Path
) -> None:
    """Its run.json still says that the link before was stopped by a signal."""
    job = chain_after_its_first_link(cluster, submit, folder)
    (folder / "config.yaml").write_text("numerics: {cfl: 7}")
    cluster.wait_for(job, "FAILED")
    assert "link 3" not in cluster.log(job)
    assert record(folder / "results")["message"].startswith("stopped by SIGUSR1")


def test_a_chain_whose_next_link_ends_otherwise_ends_there(
    cluster: SlurmCluster, submit: Callable[..., str], folder: Path
) -> None:
    """Its run.json keeps, among the attempts, that the link before was stopped by a signal."""
    job = chain_after_its_first_link(cluster, submit, folder)
    steps = record(folder / "results")["totals"]["steps"]
    cluster.wait_for(job, "RUNNING")
    wait_for_steps(folder / "results", steps + 50)
    cluster.run("scancel", "--signal=TERM", job)
    cluster.wait_for(job, "FAILED")
    assert "link 3" not in cluster.log(job)
    run = record(folder / "results")
    assert run["message"].startswith("stopped by SIGTERM")
    assert run["attempts"][0]["message"].startswith("stopped by SIGUSR1")


def ranks_in(folder: Path) -> list[int]:
    """Processes of `tayra run` that work in a folder."""
    ranks = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            if (process / "cwd").readlink() == folder.resolve() and words[1:2] == [b"run"]:
                ranks.append(int(process.name))
        except OSError:  # it has ended
            continue
    return sorted(ranks)


def test_a_chain_goes_on_after_a_rank_was_killed(
    cluster: SlurmCluster, submit: Callable[..., str], tayra: str, folder: Path
) -> None:
    job = submit("chain.sh", *CHAIN, OPTIONS="--quiet --set output.checkpoints.every_steps=50 " + LONG)
    wait_for_steps(folder / "results", 100)
    os.kill(ranks_in(folder)[-1], signal.SIGKILL)
    cluster.wait_for(job, "PENDING")
    cluster.wait_for(job, "COMPLETED", 240)
    run = record(folder / "results")
    assert run["totals"]["fingerprint"] == fingerprint_alone(tayra, folder, *LONG.split())
    assert len(run["attempts"]) == 1
    assert f"link 2 of job {job}" in cluster.log(job)


def test_a_chain_whose_links_end_by_their_minutes_ends_at_its_most_links(
    cluster: SlurmCluster, submit: Callable[..., str], folder: Path
) -> None:
    minutes = "--quiet --set run.steps=1000000 --set run.wall_minutes=0.02"
    job = submit("chain.sh", *CHAIN, OPTIONS=minutes, MOST_LINKS="1")
    cluster.wait_for(job, "FAILED")
    assert record(folder / "results")["message"].startswith("stopped after 0.02 minutes")
    assert "the chain has 1 links and is not finished" in cluster.log(job)


def test_a_cancelled_chain_leaves_a_checkpoint_and_is_not_queued_again(
    cluster: SlurmCluster, submit: Callable[..., str], tayra: str, folder: Path
) -> None:
    never = "output.checkpoints.every_steps=1000000"  # but at the end
    job = submit("chain.sh", *CHAIN, OPTIONS=f"--quiet --set run.steps=1000000 --set {never}")
    wait_for_steps(folder / "results", 50, with_checkpoint=False)
    assert not any(folder.glob("results/checkpoints/*.h5"))
    cluster.run("scancel", job)
    cluster.wait_for(job, "CANCELLED")
    time.sleep(7)  # longer than a job that is queued again waits
    assert cluster.state(job) == {"CANCELLED"}
    steps = record(folder / "results")["totals"]["steps"]
    assert [path.name for path in folder.glob("results/checkpoints/*.h5")] == [f"{steps:06}.h5"]
    assert "link 2" not in cluster.log(job)
