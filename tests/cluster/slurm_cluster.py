"""A Slurm cluster of virtual nodes on this machine, with daemons and a folder of its own, without systemd."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PROGRAMS = ["munged", "slurmctld", "slurmd", "srun", "sbatch", "scontrol"]
NODES = 3
GPUS = 4  # of a node; /dev/null by another name


def missing_programs() -> list[str]:
    """Programs that this machine lacks for a cluster; daemons lie where a user's PATH may not look."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    return [name for name in PROGRAMS if shutil.which(name, path=path) is None]


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class SlurmCluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = os.environ | {
            "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin",
            "SLURM_CONF": str(folder / "slurm.conf"),
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMP_WAIT_POLICY": "passive",
            # Virtual nodes share one /dev/shm, where Open MPI's files would have the same names.
            "OMPI_MCA_btl": "self,tcp",
            "OMPI_MCA_btl_tcp_if_include": "127.0.0.1/8",
        }

    def start(self) -> None:
        for name in ["munge", "state", *(f"n{node}" for node in range(NODES))]:
            (self.folder / name).mkdir()
        self._write_configuration()
        self._start_munge()
        self._daemon("slurmctld", "-c")
        for node in range(NODES):
            self._daemon("slurmd", "-N", f"n{node}")
        self._wait(
            lambda: self.run("sinfo", "--noheader", "--format=%T").split() == ["idle"], "nodes to be idle", 20
        )

    def stop(self) -> None:
        """Ends jobs first, so that none outlives the daemons, then each daemon by its own process id."""
        subprocess.run(["scancel", "--user", getpass.getuser()], env=self.environment, check=False)
        with_jobs = time.monotonic() + 15
        while self.run("squeue", "--noheader") and time.monotonic() < with_jobs:
            time.sleep(0.2)
        pid_files = [
            self.folder / "slurmctld.pid",
            *self.folder.glob("n*/slurmd.pid"),
            self.folder / "munge" / "pid",
        ]
        pids = [int(file.read_text()) for file in pid_files if file.exists()]
        for pid in pids:
            os.kill(pid, 15)
        self._wait(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), "the daemons to end", 20)

    def run(self, *words: str) -> str:
        """Output of a Slurm command; its errors are the test's."""
        done = subprocess.run(
            words, env=self.environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
        return done.stdout.strip()

    def submit(self, folder: Path, script: Path, *options: str, **variables: str) -> str:
        """Submits a script from a folder; the number of the job."""
        words = ["sbatch", "--parsable", *options, str(script)]
        environment = self.environment | variables
        done = subprocess.run(
            words, env=environment, cwd=folder, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def state(self, job: str) -> set[str]:
        """The states of a job, of all tasks of an array."""
        words = self.run("scontrol", "show", "job", job).split()
        return {word.removeprefix("JobState=") for word in words if word.startswith("JobState=")}

    def wait_for(self, job: str, state: str, seconds: float = 60) -> None:
        def has_come() -> bool:
            states = self.state(job)
            over = states <= {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"}
            assert not over or states == {state}, f"job {job} ended as {states}: {self.log(job)}"
            return states == {state}

        self._wait(has_come, f"job {job} to be {state}", seconds)

    def log(self, job: str) -> str:
        """What the tasks of a job printed."""
        words = self.run("scontrol", "show", "job", job).split()
        files = [Path(word.removeprefix("StdOut=")) for word in words if word.startswith("StdOut=")]
        return "".join(file.read_text() for file in files if file.exists())

    @staticmethod
    def _wait(done: Callable[[], bool], what: str, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, f"waited {seconds} s in vain for {what}"
            time.sleep(0.1)

    def _daemon(self, *words: str) -> None:
        subprocess.run(words, env=self.environment, check=True, timeout=20)

    def _start_munge(self) -> None:
        munge = self.folder / "munge"
        munge.chmod(0o711)
        (munge / "key").write_bytes(os.urandom(128))
        (munge / "key").chmod(0o600)
        names = {
            "key-file": "key",
            "socket": "socket",
            "pid-file": "pid",
            "log-file": "log",
            "seed-file": "seed",
        }
        # --force: temporary folders are writable by all.
        self._daemon("munged", "--force", *(f"--{option}={munge / name}" for option, name in names.items()))

    def _write_configuration(self) -> None:
        folder, user = self.folder, getpass.getuser()
        controller, *ports = free_ports(1 + NODES)
        lines = [
            "ClusterName=tayra",
            "SlurmctldHost=localhost(127.0.0.1)",
            f"SlurmctldPort={controller}",
            f"SlurmUser={user}",
            f"SlurmdUser={user}",
            f"SlurmctldPidFile={folder}/slurmctld.pid",
            f"SlurmctldLogFile={folder}/slurmctld.log",
            f"StateSaveLocation={folder}/state",
            f"SlurmdPidFile={folder}/%n/slurmd.pid",
            f"SlurmdLogFile={folder}/%n/slurmd.log",
            f"SlurmdSpoolDir={folder}/%n",
            f"TmpFS={folder}/%n",  # PMIx would have all nodes use the same folder
            # Jobs that are queued again wait until their old credentials have expired.
            f"AuthInfo=socket={folder}/munge/socket,cred_expire=5",
            "ProctrackType=proctrack/linuxproc",
            "TaskPlugin=task/none",
            "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_CPU",
            "SchedulerParameters=sched_interval=1,bf_interval=1",
            "SlurmdParameters=config_overrides",  # more cores than there are
            "ReturnToService=2",
            "KillWait=5",
            "GresTypes=gpu",
            "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
        ]
        gpus = []
        for node, port in enumerate(ports):
            lines.append(
                f"NodeName=n{node} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} "
                f"CPUs=8 Gres=gpu:{GPUS}"
            )
            for gpu in range(GPUS):
                (folder / f"n{node}" / f"gpu{gpu}").symlink_to("/dev/null")
            gpus.append(f"NodeName=n{node} Name=gpu File={folder}/n{node}/gpu[0-{GPUS - 1}]")
        (folder / "slurm.conf").write_text("\n".join(lines) + "\n")
        (folder / "gres.conf").write_text("\n".join(gpus) + "\n")
