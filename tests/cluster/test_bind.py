"""What a rank is bound to, from a machine made of files."""

import os
import subprocess
from pathlib import Path

import pytest
from runs import SOURCE

SCRIPTS = SOURCE / "scripts" / "slurm"
FIRST_CORE, *_, LAST_CORE = sorted(os.sched_getaffinity(0)) * 2


def call(folder: Path, words: list[str], **variables: str) -> tuple[str, str]:
    """What bind.sh told, and what the command that it ran said of itself."""
    environment = os.environ | {"BIND_SYS": str(folder / "sys"), "PATH": f"{folder}:{os.environ['PATH']}"}
    environment |= {"SLURMD_NODENAME": "n1"} | variables
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True, timeout=20)
    told, *inside = done.stdout.splitlines()
    return told, " ".join(inside)


def bound(folder: Path, rank: int) -> tuple[str, str]:
    words = [str(SCRIPTS / "bind.sh"), "sh", "-c", "echo $UCX_NET_DEVICES; taskset -p -c $$"]
    return call(folder, words, SLURM_PROCID=str(8 + rank), SLURM_LOCALID=str(rank))


def bound_process(folder: Path, **variables: str) -> tuple[str, str]:
    """By one_process.sh, with a tayra that says its cores."""
    make_program(folder / "srun", 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"')
    make_program(folder / "tayra", "echo $UCX_NET_DEVICES; taskset -p -c $$")
    variables |= {"SLURM_CPUS_PER_TASK": "2", "TAYRA_SLURM": str(SCRIPTS)}
    return call(folder, [str(SCRIPTS / "one_process.sh")], **variables)


def make_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")


def make_program(path: Path, text: str) -> None:
    make_file(path, f"#!/bin/sh\n{text}")
    path.chmod(0o755)


@pytest.fixture
def two_gpus(tmp_path: Path) -> Path:
    """Each beside a core and a network card of its own."""
    for gpu, (core, card) in enumerate([(FIRST_CORE, "mlx5_0"), (LAST_CORE, "mlx5_1")]):
        make_file(tmp_path / f"sys/bus/pci/devices/0000:{gpu}a:00.0/numa_node", str(gpu))
        make_file(tmp_path / f"sys/bus/pci/devices/0000:{gpu}a:00.0/local_cpulist", str(core))
        make_file(tmp_path / f"sys/class/infiniband/{card}/device/numa_node", str(gpu))
    make_program(tmp_path / "nvidia-smi", 'echo "00000000:${1#--id=}A:00.0"')
    return tmp_path


def test_a_rank_gets_the_cores_and_the_network_card_next_to_its_gpu(two_gpus: Path) -> None:
    told, inside = bound(two_gpus, 1)
    assert told == f"rank 9 on n1: GPU 1 (0000:1a:00.0), NUMA node 1, network card mlx5_1, cores {LAST_CORE}"
    assert inside.startswith("mlx5_1:1 ") and inside.endswith(f": {LAST_CORE}")
    assert "GPU 0 (0000:0a:00.0), NUMA node 0, network card mlx5_0" in bound(two_gpus, 0)[0]


def cores_of(text: str) -> set[int]:
    """Of a list as `0-2,7` at its end."""
    spans = [span.split("-") for span in text.split(" ")[-1].split(",")]
    return {core for span in spans for core in range(int(span[0]), int(span[-1]) + 1)}


def test_one_process_gets_the_cores_next_to_all_of_its_gpus(two_gpus: Path) -> None:
    told, inside = bound_process(two_gpus, SLURM_GPUS_ON_NODE="2")
    assert "GPU 0 (0000:0a:00.0), NUMA node 0, GPU 1 (0000:1a:00.0), NUMA node 1, cores" in told
    assert cores_of(told) == cores_of(inside) == {FIRST_CORE, LAST_CORE}
    assert cores_of(bound_process(two_gpus, SLURM_GPUS_ON_NODE="1")[1]) == {FIRST_CORE}


def test_one_process_on_the_cpu_keeps_the_cores_of_the_job(two_gpus: Path) -> None:
    told, inside = bound_process(two_gpus, SLURM_GPUS_ON_NODE="2", DEVICE="cpu")
    assert told.startswith("rank 0 on n1: no GPU, cores ")
    assert cores_of(inside) == os.sched_getaffinity(0)


def test_without_a_gpu_the_cores_of_the_job_stay(tmp_path: Path) -> None:
    make_program(tmp_path / "nvidia-smi", "exit 9")
    words = ["taskset", "--pid", "--cpu-list", str(os.getpid())]
    cores = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split(": ")[1].strip()
    told, inside = bound(tmp_path, 0)
    assert told == f"rank 8 on n1: no GPU, cores {cores}"
    assert inside.endswith(f": {cores}")
