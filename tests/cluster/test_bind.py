"""What a rank is bound to, from a machine made of files."""

import os
import subprocess
from pathlib import Path

from runs import SOURCE

BIND = SOURCE / "scripts" / "slurm" / "bind.sh"


def bound(folder: Path, rank: int) -> tuple[str, str]:
    environment = os.environ | {"BIND_SYS": str(folder / "sys"), "PATH": f"{folder}:{os.environ['PATH']}"}
    environment |= {"SLURM_PROCID": str(8 + rank), "SLURM_LOCALID": str(rank), "SLURMD_NODENAME": "n1"}
    words = [str(BIND), "sh", "-c", "echo $UCX_NET_DEVICES; taskset -p -c $$"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True, timeout=20)
    told, *inside = done.stdout.splitlines()
    return told, " ".join(inside)


def make_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")


def test_a_rank_gets_the_cores_and_the_network_card_next_to_its_gpu(tmp_path: Path) -> None:
    first_core, *_, last_core = sorted(os.sched_getaffinity(0)) * 2
    for gpu, (core, card) in enumerate([(first_core, "mlx5_0"), (last_core, "mlx5_1")]):
        make_file(tmp_path / f"sys/bus/pci/devices/0000:{gpu}a:00.0/numa_node", str(gpu))
        make_file(tmp_path / f"sys/bus/pci/devices/0000:{gpu}a:00.0/local_cpulist", str(core))
        make_file(tmp_path / f"sys/class/infiniband/{card}/device/numa_node", str(gpu))
    tool = tmp_path / "nvidia-smi"
    tool.write_text('#!/bin/sh\necho "00000000:${1#--id=}A:00.0"\n')
    tool.chmod(0o755)
    told, inside = bound(tmp_path, 1)
    assert told == f"rank 9 on n1: GPU 1 (0000:1a:00.0), NUMA node 1, network card mlx5_1, cores {last_core}"
    assert inside.startswith("mlx5_1:1 ") and inside.endswith(f": {last_core}")
    assert "GPU 0 (0000:0a:00.0), NUMA node 0, network card mlx5_0" in bound(tmp_path, 0)[0]


def test_without_a_gpu_the_cores_of_the_job_stay(tmp_path: Path) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\nexit 9\n")
    tool.chmod(0o755)
    words = ["taskset", "--pid", "--cpu-list", str(os.getpid())]
    cores = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split(": ")[1].strip()
    told, inside = bound(tmp_path, 0)
    assert told == f"rank 8 on n1: no GPU, cores {cores}"
    assert inside.endswith(f": {cores}")
