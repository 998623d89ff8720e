"""What Debian's own ParaView reads from a run; only where install_dependencies.sh --paraview was run."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

CONFIG = """
problem: {name: rt_single, atwood: 0.5, amplitude: 0.2}
grid: {cells: [8, 6, 16], lower: [0, 0, -1], upper: [1, 1, 1]}
run: {steps: 20, device: cpu}
output:
  snapshots: {every_steps: 10, fields: [density, velocity]}
"""


def run(folder: Path, launcher: list[str]) -> Path:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    (folder / "config.yaml").write_text(CONFIG)
    command = [*launcher, binary, "run", folder / "config.yaml", "--output", folder / "results"]
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    subprocess.run(command, check=True, capture_output=True, env=os.environ | root)
    return folder / "results/snapshots"


def read_with_paraview(series: Path, picture: Path) -> dict:
    if not (shutil.which("pvpython") and shutil.which("xvfb-run")):
        pytest.skip("no pvpython or xvfb-run")
    script = Path(__file__).parent / "draw_with_paraview.py"
    command = ["xvfb-run", "-a", "pvpython", script, series, "density", "1", picture]
    for _ in range(4):  # under xvfb-run it dies now and then before it draws
        end = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if end.returncode == 0:
            return json.loads(end.stdout.splitlines()[-1])
    pytest.fail(end.stderr)


@pytest.mark.parametrize(
    "launcher", [[], ["mpirun", "--oversubscribe", "-n", "3"]], ids=["one rank", "three ranks"]
)
def test_paraview_opens_the_series_and_draws_it(tmp_path: Path, launcher: list[str]) -> None:
    if launcher and not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    snapshots = run(tmp_path, launcher)
    picture = tmp_path / "picture.png"
    seen = read_with_paraview(snapshots / "snapshots.xmf", picture)
    with h5py.File(snapshots / "000002.vtkhdf") as file:
        assert len(seen["times"]) == 3 and seen["times"][2] == file.attrs["time"]
        assert seen["cells"] == [8, 6, 16]
        assert seen["bounds"] == pytest.approx([0, 1, 0, 1, -1, 1])
        assert np.array_equal(np.array(seen["values"], np.float32), file["density"][:].ravel())
    assert picture.stat().st_size > 5000, "an empty picture is smaller"
