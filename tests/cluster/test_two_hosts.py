"""One MPI job over TCP on two hosts that are network namespaces of this machine."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from runs import fingerprint_alone, record, steps_of, wait_for_steps


def ip(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=False)


@pytest.fixture
def hosts() -> Iterator[list[str]]:
    """Two namespaces with a wire between them; their names, with which mpirun gets into them."""
    if shutil.which("ip") is None or shutil.which("mpirun") is None:
        pytest.skip("needs ip (iproute2) and mpirun")
    names = [f"tayra{os.getpid()}{side}" for side in "ab"]
    made = ip("netns", "add", names[0])
    if made.returncode != 0:
        pytest.skip(f"network namespaces are not permitted here ({made.stderr.strip()})")
    try:
        ip("netns", "add", names[1])
        ip(
            "link",
            "add",
            "wire",
            "netns",
            names[0],
            "type",
            "veth",
            "peer",
            "name",
            "wire",
            "netns",
            names[1],
        )
        for number, name in enumerate(names, start=1):
            ip("-n", name, "address", "add", f"10.77.0.{number}/24", "dev", "wire")
            for device in ("lo", "wire"):
                assert ip("-n", name, "link", "set", device, "up").returncode == 0, (
                    "no wire between the hosts"
                )
        yield names
    finally:
        for name in names:
            for pid in ip("netns", "pids", name).stdout.split():
                os.kill(int(pid), signal.SIGKILL)
            ip("netns", "delete", name)


@contextmanager
def mpirun(hosts: list[str], folder: Path, tayra: str, *options: str) -> Iterator[subprocess.Popen]:
    """Two supervised ranks on each host; what they say is in said.txt. The first host has mpirun itself."""
    shell = folder / "into_namespace.sh"
    # What a shell on another machine would not inherit is its host's name and Open MPI's folder.
    shell.write_text(
        '#!/bin/sh\nhost=$1\nshift\nmkdir -p "$PWD/tmp_$host"\n'
        'exec ip netns exec "$host" unshare --uts sh -c "hostname $host; TMPDIR=$PWD/tmp_$host $*"\n'
    )
    shell.chmod(0o755)
    words = [
        "ip",
        "netns",
        "exec",
        hosts[0],
        "unshare",
        "--uts",
        "sh",
        "-c",
        'hostname "$0"; exec mpirun "$@"',
        hosts[0],
    ]
    words += ["--host", ",".join(f"{host}:2" for host in hosts), "-n", "4", "--oversubscribe"]
    words += ["--mca", "plm", "rsh", "--mca", "plm_rsh_agent", str(shell), "--mca", "btl", "self,vader,tcp"]
    words += ["--mca", "btl_tcp_if_include", "wire", "--mca", "oob_tcp_if_include", "wire"]
    # Else an mpirun that starts while the hosts are apart would wait for ever.
    words += ["--mca", "orte_startup_timeout", "30"]
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    environment |= {"OMP_NUM_THREADS": "1", "TMPDIR": str(folder)}
    words = [tayra, "supervise", "--", *words, tayra, "run", "config.yaml", "--quiet", *options]
    with (
        (folder / "said.txt").open("w") as said,
        subprocess.Popen(words, cwd=folder, env=environment, stdout=said, stderr=said) as job,
    ):
        try:
            yield job
        finally:
            job.kill()  # the fixture ends what is on the hosts
            print((folder / "said.txt").read_text())


def test_two_hosts_give_the_bits_of_one_process(hosts: list[str], tayra: str, folder: Path) -> None:
    with mpirun(hosts, folder, tayra, "--output", "both") as job:
        assert job.wait(300) == 0
    run = record(folder / "both")
    assert (run["machine"]["ranks"], run["machine"]["nodes"]) == (4, 2)
    assert run["totals"]["fingerprint"] == fingerprint_alone(tayra, folder)


def test_a_run_goes_on_after_a_host_was_cut_off_for_a_while(
    hosts: list[str], tayra: str, folder: Path
) -> None:
    """It has no end and writes on request alone: on a busy machine steps may take 20 times as long."""
    run = folder / "cut"
    said = folder / "said.txt"
    endless = ["--set", "run.steps=1000000000", "--set", "output.diagnostics.every_steps=1000000000"]
    endless += ["--set", "output.checkpoints.every_steps=1000000000", "--set", "run.timeout=3"]

    def wire(state: str) -> None:
        subprocess.run(["ip", "-n", hosts[1], "link", "set", "wire", state], check=True)

    def hears(words: str, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while words not in said.read_text() and time.monotonic() < end:
            time.sleep(0.05)
        return words in said.read_text()

    def ask(what: str) -> None:
        subprocess.run([tayra, what, run], check=True, timeout=60, capture_output=True)

    with mpirun(hosts, folder, tayra, *endless, "--output", "cut") as job:
        wait_for_steps(run, 20, with_checkpoint=False)
        ask("checkpoint")
        # While all ranks are at their files nobody notices: decision 0807.
        for _ in range(5):
            wait_for_steps(run, steps_of(run) + 1)
            wire("down")
            if hears("in vain", 20):
                break
            wire("up")
        assert hears("in vain", 0)
        # The launcher can't reach the host now either; supervise ends it.
        assert hears("lost attempt 1 ", 60)
        wire("up")
        wait_for_steps(run, steps_of(run) + 1, seconds=120)
        ask("stop")
        assert job.wait(60) == 0
    done = record(run)
    assert done["attempts"][0]["status"] == "lost"
    assert done["resumed_from"]["step"] >= 20
    steps = done["totals"]["steps"]
    assert done["totals"]["fingerprint"] == fingerprint_alone(tayra, folder, "--set", f"run.steps={steps}")
