"""One MPI job over TCP on two hosts that are network namespaces of this machine."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from runs import fingerprint_alone, record


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


def mpirun(hosts: list[str], folder: Path, tayra: str, *options: str) -> subprocess.CompletedProcess:
    """Two supervised ranks on each host. The first host is where mpirun itself runs."""
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
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def test_two_hosts_give_the_bits_of_one_process(hosts: list[str], tayra: str, folder: Path) -> None:
    done = mpirun(hosts, folder, tayra, "--output", "both")
    assert done.returncode == 0, done.stderr
    run = record(folder / "both")
    assert (run["machine"]["ranks"], run["machine"]["nodes"]) == (4, 2)
    assert run["totals"]["fingerprint"] == fingerprint_alone(tayra, folder)


def test_a_run_goes_on_after_a_host_was_cut_off_for_a_while(
    hosts: list[str], tayra: str, folder: Path
) -> None:
    wire = ["ip", "-n", hosts[1], "link", "set", "wire"]
    options = ["--set", "run.steps=120", "--set", "run.timeout=3", "--output", "cut"]
    with subprocess.Popen(
        [
            "sh",
            "-c",
            f"while [ ! -e cut/checkpoints/000020.h5 ]; do sleep 0.1; done; {' '.join(wire)} down; "
            f"sleep 6; {' '.join(wire)} up",
        ],
        cwd=folder,
    ) as cutter:
        done = mpirun(hosts, folder, tayra, *options)
        cutter.kill()
    assert done.returncode == 0, done.stderr
    assert "in vain" in done.stderr  # for a rank, or for all others where their reports are merged
    run = record(folder / "cut")
    assert run["attempts"][0]["status"] == "lost"
    assert run["totals"]["fingerprint"] == fingerprint_alone(tayra, folder, "--set", "run.steps=120")
