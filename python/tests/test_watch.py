"""`tayra watch` without a browser: what it reads, whom it answers, what it says in a terminal."""

import fcntl
import hashlib
import http.client
import json
import os
import random
import re
import secrets
import socket
import struct
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import made_up_run, write_picture, write_snapshot, write_timings

import tayra
from tayra import watch_server
from tayra.ascii_view import text_of
from tayra.growing_table import GrowingTable
from tayra.page_plane import MOST_CELLS, plane_for_page
from tayra.run_summary import detail_of, summary_of
from tayra.watch_server import FILES, WatchServer, in_background
from tayra.watched_run import WatchedRun, watched_runs
from tayra.watching import main

HEADER = "step,time,mass,energy,potential_energy,bubble_height\n"


@pytest.fixture
def server(run_directory: Path) -> Iterator[WatchServer]:
    with WatchServer([run_directory]) as server:
        in_background(lambda: server.serve_forever(0.02))
        yield server
        server.shutdown()


def ask(
    server: WatchServer, path: str, method: str = "GET", host: str | None = None, **headers: str
) -> tuple[int, bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": f"127.0.0.1:{server.port}" if host is None else host, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read(), dict(answer.getheaders())


def told(directory: Path) -> dict[str, Any]:
    run = WatchedRun(directory)
    return summary_of(run, run.look())


# --- Whom it answers


@pytest.mark.parametrize("name", FILES)
def test_who_knows_the_address_gets_the_page(server: WatchServer, name: str) -> None:
    status, body, headers = ask(server, f"/{server.token}/{name}")
    assert (status, headers["Content-Type"]) == (200, FILES[name][1])
    assert body == (Path(tayra.__file__).parent / "page" / FILES[name][0]).read_bytes()


def test_only_this_machine_can_ask(server: WatchServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("name", [*FILES, "state", "plane"])
def test_without_the_token_nothing_is_told(server: WatchServer, name: str) -> None:
    token = server.token
    other = token[:-1] + ("A" if token[-1] != "A" else "B")
    for path in (
        f"/{name}",
        f"//{name}",
        f"/{other}/{name}",
        f"/{token[:-1]}/{name}",
        f"/{token}x/{name}",
        "/%00/",
    ):
        status, body, _ = ask(server, path)
        assert status == 403, path
        assert b"results" not in body and token.encode() not in body


def test_the_token_is_long_and_new_each_time(server: WatchServer, run_directory: Path) -> None:
    with WatchServer([run_directory]) as other:
        assert len(server.token) >= 32 and server.token != other.token


def test_the_token_is_compared_in_constant_time(server: WatchServer, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    really = secrets.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(one)
        return really(one, other)

    monkeypatch.setattr(watch_server.secrets, "compare_digest", compare)
    ask(server, "/wrong/state")
    assert compared == [b"wrong"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:1", "127.0.0.1:65000", "[::1]:80"])
def test_a_tunnel_may_have_another_port(server: WatchServer, host: str) -> None:
    assert ask(server, f"/{server.token}/", host=host)[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "127.0.0.1.evil.example:80",
        "localhost.evil.example",
        "evil.example:127",
        "0.0.0.0",
    ],
)
def test_a_name_that_leads_here_by_dns_is_refused(server: WatchServer, host: str) -> None:
    for name in ("", "state", "page.js"):
        assert ask(server, f"/{server.token}/{name}", host=host)[0] == 403


def test_two_hosts_are_refused(server: WatchServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        lines = f"GET /{server.token}/state HTTP/1.1", "Host: 127.0.0.1", "Host: evil.example", "", ""
        connection.sendall("\r\n".join(lines).encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
def test_nothing_can_be_sent_or_changed(server: WatchServer, method: str) -> None:
    assert ask(server, f"/{server.token}/state", method)[0] == 501


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/passwd",
        "../watching.py",
        "%2e%2e/watching.py",
        "page/page.js",
        "page.js/",
        "index.html",
        "/etc/passwd",
        "plane?run=../..",
        "plane?series=..%2f..",
        "plane?field=density",
        "state?run=1",
        "state?run=-1",
        "plane?run=7",
        "plane?series=-1",
        "plane?series=9",
        "plane?axis=3",
        "plane?axis=-1",
        "state?" + "&".join(f"a{i}=1" for i in range(99)),
        "state?run=" + "9" * 5000,
    ],
)
def test_no_path_leads_to_a_file(server: WatchServer, path: str) -> None:
    status, body, _ = ask(server, f"/{server.token}/{path}")
    assert (status, body) == (404, b"nothing is here")


@pytest.mark.parametrize("path", ["http://[", "http://[x]/state", "*", "state"])
def test_an_odd_address_is_refused_like_any_wrong_one(server: WatchServer, path: str) -> None:
    assert ask(server, path)[0] == 403


def test_a_connection_that_breaks_off_is_no_mistake_to_tell_of(
    server: WatchServer, capfd: pytest.CaptureFixture[str]
) -> None:
    for sent in (b"", b"GET /", f"GET /{server.token}/state HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()):
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        connection.sendall(sent)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        connection.close()
    time.sleep(0.3)
    assert ask(server, f"/{server.token}/")[0] == 200
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("query", ["number=99", "field=99", "field=-1"])
def test_what_a_run_lacks_is_said(server: WatchServer, query: str) -> None:
    status, body, _ = ask(server, f"/{server.token}/plane?{query}")
    assert status == 409 and b"holds no" in body


def test_a_browser_loads_nothing_from_elsewhere(server: WatchServer) -> None:
    _, page, headers = ask(server, f"/{server.token}/")
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ")
    assert "unsafe" not in policy and "base-uri 'none'" in policy and "form-action 'none'" in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    for name in FILES:
        text = ask(server, f"/{server.token}/{name}")[1].decode()
        assert not re.sub(r"http://www\.w3\.org/\d+/svg", "", text).count("//www.") and "https:" not in text
    assert b"<script>" not in page and b"style=" not in page


def test_refusals_have_the_same_headers(server: WatchServer) -> None:
    assert "Content-Security-Policy" in ask(server, "/wrong/")[2]


def test_the_page_sets_text_never_markup() -> None:
    script = (Path(tayra.__file__).parent / "page/page.js").read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|srcdoc", script)


def test_a_directory_is_left_as_it_is(server: WatchServer, run_directory: Path) -> None:
    def state() -> dict[str, object]:
        return {
            str(path): (
                path.stat().st_mtime_ns,
                path.is_file() and hashlib.sha256(path.read_bytes()).digest(),
            )
            for path in [run_directory, *run_directory.rglob("*")]
        }

    before = state()
    for name in ("state", "plane", "plane?number=0&field=2&axis=0"):
        assert ask(server, f"/{server.token}/{name}")[0] == 200
    assert state() == before


def test_a_state_that_has_not_changed_is_not_sent_again(server: WatchServer) -> None:
    _, _, headers = ask(server, f"/{server.token}/state")
    assert ask(server, f"/{server.token}/state?have={headers['X-Mark']}")[:2] == (204, b"")


def test_a_state_is_compressed_for_who_reads_that(server: WatchServer) -> None:
    _, plain, _ = ask(server, f"/{server.token}/state")
    _, packed, headers = ask(server, f"/{server.token}/state", **{"Accept-Encoding": "gzip, br"})
    assert headers["Content-Encoding"] == "gzip" and len(packed) < 0.6 * len(plain)


# --- What it reads


def record_of(directory: Path, **changes: object) -> None:
    path = directory / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_finished_run_is_done(run_directory: Path) -> None:
    summary = told(run_directory)
    assert (summary["state"], summary["share"], summary["is_under_way"]) == ("finished", 1, False)
    assert (summary["step"], summary["time"]) == (2, 0.2)


def test_a_run_is_under_way_while_it_holds_its_directory(tmp_path: Path) -> None:
    directory = made_up_run(tmp_path / "run", [2, 2], machine={"host": socket.gethostname()})
    held = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert told(directory)["state"] == "running"
    finally:
        os.close(held)
    assert told(directory)["state"] == "killed"
    assert "--resume" in told(directory)["told"]


def test_of_a_run_elsewhere_only_its_silence_is_known(tmp_path: Path) -> None:
    directory = made_up_run(tmp_path / "run", [2, 2])
    assert told(directory)["state"] == "running"
    for path in directory.iterdir():
        os.utime(path, (1e9, 1e9))
    summary = told(directory)
    assert (summary["state"], summary["is_under_way"]) == ("silent", True)
    assert "nowhere" in summary["told"]


def test_looking_does_not_keep_a_run_from_its_directory(run_directory: Path) -> None:
    told(run_directory)
    held = os.open(run_directory, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(held)


def test_the_time_that_is_left_follows_from_the_last_steps(tmp_path: Path) -> None:
    directory = made_up_run(
        tmp_path / "run", [100] * 20
    )  # steps of 0.1, at 100 ms, and 1 ms of output in ten
    (directory / "config.yaml").write_text("run:\n  time: 4\n")
    summary = told(directory)
    assert summary["share"] == pytest.approx(0.5)
    assert summary["seconds_left"] == pytest.approx(20 * 0.1001, rel=1e-3)
    assert summary["speed"] == pytest.approx(8**3 / 0.1)
    (directory / "config.yaml").write_text("run:\n  time: 4\n  steps: 30\n")
    assert told(directory)["share"] == pytest.approx(2 / 3)
    assert told(directory)["seconds_left"] == pytest.approx(1.001, rel=1e-3)


@pytest.mark.parametrize(("precision", "share"), [("double", 0.5), ("single", 0.25)])
def test_the_bound_is_that_of_all_devices(tmp_path: Path, precision: str, share: float) -> None:
    devices = ["NVIDIA H100 80GB HBM3"] * 2
    cells_a_second = 0.5 * 2 * 3014e9 / 320
    wall = 1e3 * 8**3 / cells_a_second
    directory = made_up_run(
        tmp_path / "run",
        [wall] * 20,
        comm_ms=0,
        machine={"host": "nowhere", "devices": devices},
        numerics={"precision": precision},
    )
    summary = told(directory)
    assert summary["speed"] / summary["bound"] == pytest.approx(share)
    record_of(directory, machine={"devices": ["NVIDIA H100 80GB HBM3", "another"]})
    assert told(directory)["bound"] is None


def test_it_says_what_a_run_waits_for(tmp_path: Path) -> None:
    directory = made_up_run(tmp_path / "run", [100] * 20)
    (directory / "config.yaml").write_text("output:\n  snapshots:\n    every_time: 0.75\n")
    (directory / "STOP").touch()
    (directory / "checkpoints").mkdir()
    (directory / "checkpoints/000020.h5.tmp").touch()
    waits = told(directory)["waits_for"]
    assert waits[0].startswith("asked to stop")
    assert waits[1] == "writing checkpoints/000020.h5"
    assert waits[2].startswith("next snapshot at time 2.25")


def test_an_empty_directory_holds_no_run(tmp_path: Path) -> None:
    summary = told(tmp_path)
    assert summary["state"] == "missing"
    assert [text.partition(" ")[0] for text in summary["missing"]][::2] == ["run.json", "timings.csv"]
    run = WatchedRun(tmp_path)
    assert detail_of(run, run.look())["charts"] == []


@pytest.mark.parametrize("damage", ["run.json", "config.yaml", "timings.csv", "diagnostics.csv"])
@pytest.mark.parametrize(
    "content", [None, b"", b"\x00\xff\n\n,,\n", b"[[[", b'{"tayra": 1, "grid": 3}', b"step,time\n1\n"]
)
def test_a_damaged_run_shows_what_is_there(run_directory: Path, damage: str, content: bytes | None) -> None:
    path = run_directory / damage
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
    run = WatchedRun(run_directory)
    look = run.look()
    json.dumps([summary_of(run, look), detail_of(run, look)], allow_nan=False)
    if content is None:
        assert any(damage in text for text in look.missing)
    if damage != "diagnostics.csv":
        assert detail_of(run, look)["charts"]


ODD = (None, True, 0, -1, 1e400, float("nan"), "", "x", [], [1, None], {}, {"a": 1}, "9" * 400, 10**400)
CELLS = ("nan", "inf", "-inf", "1e308", "-1e308", "", "x", "0", "1e-320")


@pytest.mark.parametrize("seed", range(40))
def test_numbers_may_be_anything(tmp_path: Path, seed: int) -> None:
    """A few of a record, a config and logs are spoilt; what comes of it is JSON all the same."""
    chance = random.Random(seed)
    directory = made_up_run(tmp_path / "run", [2] * 30, numerics={"scheme": "roe3"}, started="?", message="")
    record = json.loads((directory / "run.json").read_text())
    for _ in range(3):
        section = chance.choice([record, record["machine"], record["grid"], record["totals"]])
        if isinstance(section, dict) and section:
            section[chance.choice(list(section))] = chance.choice(ODD)
            record = {"machine": {}, "grid": {}, "totals": {}} | record
    (directory / "run.json").write_text(json.dumps(record))
    values = ("nan", "inf", "-1", "0", "[1, 2", "true", "1e999", "9" * 400)
    lines = [f"  {key}: {chance.choice(values)}" for key in ("time", "steps", "wall_minutes")]
    (directory / "config.yaml").write_text(
        "\n".join(["run:", *lines, "output:", "  snapshots:", "    every_time: nan"])
    )
    (directory / "diagnostics.csv").write_text(HEADER + "".join(f"{i},{i},1,2,3,0.5\n" for i in range(30)))
    for log in ("timings.csv", "diagnostics.csv"):
        rows = [line.split(",") for line in (directory / log).read_text().splitlines()]
        for _ in range(5):
            row = chance.choice(rows[1:] + rows[-1:] * 9)
            row[chance.randrange(len(row))] = chance.choice(CELLS)
        (directory / log).write_text("\n".join(map(",".join, rows)) + "\n")
    run = WatchedRun(directory)
    look = run.look()
    json.dumps([summary_of(run, look), detail_of(run, look)], allow_nan=False)
    assert text_of(run, look, 80)


def test_a_column_that_nobody_foresaw_is_drawn(tmp_path: Path) -> None:
    directory = made_up_run(tmp_path / "run", [2, 2])
    (directory / "diagnostics.csv").write_text("step,time,mass,mixed_mass\n0,0,1,0\n1,1,1,0.5\n")
    run = WatchedRun(directory)
    assert detail_of(run, run.look())["charts"][0] == {
        "title": "mixed mass",
        "unit": "",
        "x_label": "time",
        "x": [0, 1],
        "lines": [{"label": "mixed mass", "y": [0, 0.5]}],
    }


def test_facts_are_as_the_run_has_them(tmp_path: Path) -> None:
    directory = made_up_run(tmp_path / "run", [2], machine={"devices": ["GPU", "GPU"], "links": []})
    (directory / "config.yaml").write_text("grid:\n  cells: [8, 8, 16]\nrun:\n  time: 1.5\n")
    run = WatchedRun(directory)
    facts = {table["title"]: table["rows"] for table in detail_of(run, run.look())["facts"]}
    assert facts["Config"] == [["grid.cells", "[8, 8, 16]"], ["run.time", "1.5"]]
    assert facts["Machine"] == [["devices", "2 x GPU"]]


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    names = ("a/muscl/run", "b/muscl/run", "b/roe3/run", "b/roe3/other")
    for name in names:
        (tmp_path / name).mkdir(parents=True)
    found = [run.name for run in watched_runs([tmp_path / name for name in names])]
    assert found == ["a/muscl/run", "b/muscl/run", "roe3/run", "other"]


def test_a_directory_that_goes_away_is_told(run_directory: Path) -> None:
    run = WatchedRun(run_directory)
    run.look()
    run_directory.rename(run_directory.with_name("moved"))
    assert "gone" in run.look().missing[0]
    run_directory.with_name("moved").rename(run_directory)
    assert run.look().diagnostics.rows == 2


def test_a_log_is_read_as_it_grows(tmp_path: Path) -> None:
    log = tmp_path / "diagnostics.csv"
    log.write_text(HEADER + "0,0,1,1,1,0\n1,0.1,1,")
    table = GrowingTable(log)
    assert table.look()["step"].tolist() == [0]
    with log.open("a") as file:
        file.write("1,1,0.5\n2,0.2,1,1,1,nan\n")
    assert table.look()["step"].tolist() == [0, 1, 2]
    assert table.look()["bubble_height"][1] == 0.5
    assert table.look().rows == 3 and table.damaged == 0


def test_a_log_that_a_resumed_run_cut_off_is_read_anew(tmp_path: Path) -> None:
    log = tmp_path / "diagnostics.csv"
    rows = [f"{i},{0.1 * i:.1f},1,1,1,{i}\n" for i in range(9)]
    log.write_text(HEADER + "".join(rows))
    table = GrowingTable(log)
    assert table.look().rows == 9
    with log.open("r+") as file:  # the same file, cut, and longer than before
        file.truncate(len(HEADER) + sum(map(len, rows[:3])))
        file.seek(0, os.SEEK_END)
        file.write("".join(row.replace("\n", "0\n") for row in rows[3:]) + "9,0.9,1,1,1,90\n")
    assert table.look()["bubble_height"].tolist() == [0, 1, 2, 30, 40, 50, 60, 70, 80, 90]


def test_damaged_rows_are_left_out_and_counted(tmp_path: Path) -> None:
    log = tmp_path / "timings.csv"
    write_timings(log, [2] * 100)
    lines = log.read_text().splitlines()
    lines[40], lines[41], lines[80] = "40,0.1", "\x00\x01", ""
    log.write_text("\n".join(lines) + "\n")
    table = GrowingTable(log)
    assert table.look().rows == 97 and table.damaged == 3


def test_what_is_no_log_at_all_is_refused_soon(tmp_path: Path) -> None:
    log = tmp_path / "timings.csv"
    log.write_text("step,time\n" + "x\n" * 200_000)
    with pytest.raises(tayra.TayraError, match="is damaged"):
        GrowingTable(log).look()


def test_a_million_steps_are_shown_as_few_points(tmp_path: Path) -> None:
    directory = made_up_run(tmp_path / "run", [2] * 100_000)
    run = WatchedRun(directory)
    charts = detail_of(run, run.look())["charts"]
    assert {chart["title"] for chart in charts} == {"Speed", "Time of a step", "Length of a step in time"}
    assert all(len(chart["x"]) == len(line["y"]) <= 400 for chart in charts for line in chart["lines"])


def test_slabs_are_told_apart(tmp_path: Path) -> None:
    directory = made_up_run(tmp_path / "run", [2] * 10)
    rows = [f"{step},{slab},{slab + 1},9,{0.5 * slab}\n" for step in range(5000) for slab in (0, 1)]
    (directory / "slab_timings.csv").write_text("step,slab,compute_ms,comm_ms,exposed_ms\n" + "".join(rows))
    run = WatchedRun(directory)
    assert detail_of(run, run.look())["slabs"] == [
        {"slab": 0, "compute": 1, "exposed": 0},
        {"slab": 1, "compute": 2, "exposed": 0.5},
    ]


@pytest.mark.parametrize("steps", [1, 3])
def test_no_row_of_a_short_log_of_slabs_is_left_out(tmp_path: Path, steps: int) -> None:
    directory = made_up_run(tmp_path / "run", [2] * steps)
    rows = [f"{step},{slab},{1 + step},9,{slab}\n" for step in range(steps) for slab in (0, 1)]
    (directory / "slab_timings.csv").write_text("step,slab,compute_ms,comm_ms,exposed_ms\n" + "".join(rows))
    run = WatchedRun(directory)
    mean = (steps + 1) / 2
    assert detail_of(run, run.look())["slabs"] == [
        {"slab": 0, "compute": mean, "exposed": 0},
        {"slab": 1, "compute": mean, "exposed": 1},
    ]


def test_every_one_of_many_slabs_is_shown(tmp_path: Path) -> None:
    machine = {"slab_planes": [1] * 4096}
    directory = made_up_run(tmp_path / "run", [2] * 3, machine=machine)
    rows = [f"{step},{slab},0.123456789,9,0.123456789\n" for step in range(3) for slab in range(4096)]
    (directory / "slab_timings.csv").write_text("step,slab,compute_ms,comm_ms,exposed_ms\n" + "".join(rows))
    run = WatchedRun(directory)
    assert [one["slab"] for one in detail_of(run, run.look())["slabs"]] == list(range(4096))


def plane(body: bytes) -> tuple[dict[str, Any], np.ndarray[Any, Any]]:
    line, _, numbers = body.partition(b"\n")
    header = json.loads(line)
    return header, np.frombuffer(numbers, "<f4").reshape(header["rows"], header["columns"])


def test_the_page_gets_the_slice_that_plot_draws(server: WatchServer, run_directory: Path) -> None:
    header, values = plane(ask(server, f"/{server.token}/plane")[1])
    snapshot = tayra.open(run_directory).snapshot()
    assert header["fields"] == ["density", "velocity", "velocity_x", "velocity_y", "velocity_z"]
    assert (header["step"], header["time"], header["axis"]) == (20, 1.0, 1)
    assert values.tolist() == snapshot.slice("density", "y").values.tolist()
    header, values = plane(ask(server, f"/{server.token}/plane?field=4&axis=0&number=1")[1])
    assert values.tolist() == snapshot.slice("velocity_z", "x").values.tolist()
    assert (header["low"], header["high"]) == (values.min(), values.max())


def test_of_a_wide_box_some_cells_are_sent(tmp_path: Path) -> None:
    path = tmp_path / "000000.vtkhdf"
    with h5py.File(path, "w") as file:
        file.attrs.update(time=0.0, step=0, lower=np.zeros(3), spacing=np.ones(3))
        file["density"] = np.arange(2 * MOST_CELLS * 40, dtype=np.float32).reshape(40, 1, 2 * MOST_CELLS)
        file.create_group("VTKHDF/CellData")
    header, values = plane(plane_for_page(tayra.Snapshot(path)))
    assert header["stride"] == 2 and values.shape == (20, MOST_CELLS)
    assert values[1, :2].tolist() == [4 * MOST_CELLS, 4 * MOST_CELLS + 2]


def test_a_flow_along_one_axis_is_a_line(tmp_path: Path) -> None:
    path = tmp_path / "000000.vtkhdf"
    with h5py.File(path, "w") as file:
        file.attrs.update(time=0.0, step=0, lower=np.zeros(3), spacing=np.ones(3))
        file["density"] = np.arange(64.0, dtype=np.float32).reshape(1, 1, 64)
        file.create_group("VTKHDF/CellData")
    header, values = plane(plane_for_page(tayra.Snapshot(path)))
    assert (header["line"], header["extent"][:2], values.tolist()) == ("x", [0, 64], [list(range(64))])


def test_a_damaged_snapshot_is_told(server: WatchServer, run_directory: Path) -> None:
    (run_directory / "snapshots/000002.vtkhdf").write_bytes(b"noise")
    status, body, _ = ask(server, f"/{server.token}/plane")
    assert status == 409 and b"cannot be read" in body


def test_a_snapshot_written_anew_is_read_anew(server: WatchServer, run_directory: Path) -> None:
    path = f"/{server.token}/plane"
    assert plane(ask(server, path)[1])[0]["time"] == 1.0
    (run_directory / "snapshots/000002.vtkhdf").unlink()
    write_snapshot(run_directory / "snapshots/000002.vtkhdf", 1.25, 20)
    assert plane(ask(server, path)[1])[0]["time"] == 1.25


# --- Pictures of the newest state


def shown(directory: Path) -> tuple[list[str], str]:
    """What can be shown, and what is shown first."""
    run = WatchedRun(directory)
    detail = detail_of(run, run.look())
    names = [one["name"] for one in detail["pictures"]]
    return names, names[detail["usual"]]


def test_while_a_run_computes_its_live_pictures_come_first(run_directory: Path) -> None:
    record = {"tayra": {}, "status": "running", "machine": {"host": "nowhere"}}
    (run_directory / "run.json").write_text(json.dumps(record))
    assert shown(run_directory) == (["whole box"], "whole box")
    for name in ("mean_z.vtkhdf", "slice_x.vtkhdf", "foreign.vtkhdf"):
        write_picture(run_directory, name, 13)
    every = ["whole box", "slice across x, live", "mean along z, live"]
    assert shown(run_directory) == (every, "slice across x, live")
    (run_directory / "live/slice_x.vtkhdf").write_bytes(b"noise")
    assert shown(run_directory) == (["whole box", "mean along z, live"], "mean along z, live")


@pytest.mark.parametrize(("step", "first"), [(20, "whole box"), (21, "slice across x, live")])
def test_of_a_run_that_has_ended_the_newest_comes_first(run_directory: Path, step: int, first: str) -> None:
    write_picture(run_directory, "slice_x.vtkhdf", step)
    assert shown(run_directory)[1] == first


def test_a_live_picture_is_told_to_the_page_as_it_is_now(server: WatchServer, run_directory: Path) -> None:
    for step in (21, 22):
        write_picture(run_directory, "slice_x.vtkhdf", step)
        status, body, _ = ask(server, f"/{server.token}/plane?series=1&number=21")
        header, values = plane(body)
        assert (status, header["step"], header["live"]) == (200, step, True)
        assert header["position"] == pytest.approx(0.75)
        assert values.tolist() == [[4 + 10 * y + 100 * z + step for y in range(6)] for z in range(8)]


def test_a_part_is_the_one_that_the_page_was_told_of(server: WatchServer, run_directory: Path) -> None:
    (run_directory / "parts").mkdir()
    (run_directory / "snapshots").rename(run_directory / "parts/middle")
    write_snapshot(run_directory / "parts/middle/000003.vtkhdf", 7.0, 70)
    assert shown(run_directory)[0] == ["middle"]
    assert plane(ask(server, f"/{server.token}/plane?series=0&number=3")[1])[0]["time"] == 7.0


def test_a_terminal_shows_the_newest_slice_in_shades(run_directory: Path) -> None:
    write_picture(run_directory, "slice_x.vtkhdf", 40)
    run = WatchedRun(run_directory)
    lines = text_of(run, run.look(), 80).splitlines()
    begin = lines.index("density from 44 to 794 (@), x = 0.75, t = 2, step 40")
    picture = [line for line in lines[begin + 1 :] if line.startswith("|")]
    assert len(picture) == 13, "three times as wide as high, of letters twice as high as wide"
    assert set(picture[0][1:]) == {"@"} and set(picture[-1][1:]) <= {" "}, "heavy above"


# --- The command


def test_a_terminal_gets_text(run_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(run_directory), "--ascii"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("results: finished\n")
    assert "100%" in out and "w mixing width 0.3" in out
    assert out.isascii()
    assert max(map(len, out.splitlines())) <= 100


def test_what_is_no_directory_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nothing")]) == 2
    assert "is no directory" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(
    server: WatchServer, run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(run_directory), "--port", str(server.port)]) == 2
    assert f"cannot listen on 127.0.0.1:{server.port}" in capsys.readouterr().err


def test_a_notebook_shows_the_page(run_directory: Path) -> None:
    watched = tayra.watch(tayra.open(run_directory))
    try:
        assert f'<iframe src="{watched.url}"' in watched._repr_html_()
        assert "results: finished" in str(watched)
        with urllib.request.urlopen(watched.url, timeout=20) as answer:
            assert b"<title>Tayra</title>" in answer.read()
    finally:
        watched.close()
