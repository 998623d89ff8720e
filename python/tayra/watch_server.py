"""The server behind `tayra watch`: one page and its data, on this machine alone, for who knows the address.

Nothing is written, and nothing is looked up by a name that a request brings: runs, series, snapshots, fields
and axes are numbers. docs/decisions/0110 says why it is as it is.
"""

import gzip
import hashlib
import json
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from tayra import run_summary
from tayra.errors import TayraError
from tayra.page_plane import plane_for_page
from tayra.printable import printable
from tayra.snapshot import AXES
from tayra.watched_run import WatchedRun, watched_runs

ADDRESS = "127.0.0.1"
# What a browser may have been told to connect to, through a tunnel as well. Any other name leads here only by
# a name server that somebody has turned against this machine (DNS rebinding).
HOSTS = (ADDRESS, "localhost", "[::1]")
FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
    "page.js": ("page.js", "text/javascript; charset=utf-8"),
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; "
    # Notebooks show the page in a frame.
    "frame-ancestors http://127.0.0.1:* http://localhost:*",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # the address is the key
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LEAST_COMPRESSED = 1024  # bytes
PLANES = 8  # that are kept


class NotFoundError(Exception):
    """Nothing is there."""


class WatchServer(ThreadingHTTPServer):
    daemon_threads = True
    is_closed = False  # connections that are open would live on

    def __init__(self, directories: Sequence[Path], port: int = 0) -> None:
        self.runs = watched_runs(directories)
        self.token = secrets.token_urlsafe(24)
        self._planes: dict[tuple[Any, ...], bytes] = {}
        self._planes_lock = threading.Lock()
        super().__init__((ADDRESS, port), Handler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.port}/{self.token}/"

    @property
    def tunnel(self) -> str:
        """What to type elsewhere to see the page there, at the same address."""
        return f"ssh -N -L {self.port}:{ADDRESS}:{self.port} {socket.gethostname()}"

    def server_close(self) -> None:
        self.is_closed = True
        super().server_close()

    def handle_error(self, *request: Any) -> None:  # noqa: ANN401 (as the base class has it)
        """Silent where who asked has gone."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*request)

    def state(self, query: dict[str, int], column: str) -> bytes:
        """Of all runs a summary, of one everything, and of all one column to compare."""
        looks = [run.look() for run in self.runs]
        chosen = self._run(query.get("run", 0))
        columns = list(dict.fromkeys(name for look in looks for name in run_summary.columns_of(look)))
        compared = column if column in columns else run_summary.usual_column(columns)
        state = {
            "runs": [run_summary.summary_of(run, look) for run, look in zip(self.runs, looks, strict=True)],
            "run": query.get("run", 0),
            "detail": run_summary.detail_of(chosen, looks[query.get("run", 0)]),
        }
        if len(looks) > 1:
            curves = [run_summary.curve_of(look, compared) for look in looks] if compared else []
            state["compared"] = {"column": compared, "columns": columns, "curves": curves}
        return json.dumps(state).encode()

    def plane(self, query: dict[str, int]) -> bytes:
        views = self._run(query.get("run", 0)).views()
        place = query.get("series", 0)
        if not (0 <= place < len(views) and 0 <= query.get("axis", 0) < len(AXES)):
            raise NotFoundError
        snapshot = views[place].snapshot(query.get("number"))
        status = snapshot.path.stat()
        key = (snapshot.path, status.st_mtime_ns, query.get("field"), query.get("axis"))
        with self._planes_lock:  # one after the other: HDF5 would make them wait anyway
            if key not in self._planes:
                while len(self._planes) >= PLANES:
                    del self._planes[next(iter(self._planes))]
                self._planes[key] = plane_for_page(snapshot, query.get("field"), query.get("axis"))
            return self._planes[key]

    def _run(self, number: int) -> WatchedRun:
        if not 0 <= number < len(self.runs):
            raise NotFoundError
        return self.runs[number]


class Handler(BaseHTTPRequestHandler):
    server: WatchServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "tayra", ""
    timeout = 60  # seconds that a connection may be silent

    def do_GET(self) -> None:  # noqa: N802 (as the base class asks for it)
        if self.server.is_closed:
            self.close_connection = True
            return
        if self._host() not in HOSTS:
            self._refuse(HTTPStatus.FORBIDDEN, f"this server answers to {', '.join(HOSTS)} alone")
            return
        path, _, query = self.path.partition("?")
        _, token, *rest = [*path.split("/", 2), ""]
        # Both as bytes, and compared in a time that does not tell how much of it is right.
        if not secrets.compare_digest(token.encode(errors="replace"), self.server.token.encode()):
            self._refuse(
                HTTPStatus.FORBIDDEN, "the address is not complete: take it from what tayra watch printed"
            )
            return
        try:
            self._answer(rest[0], query)
        except NotFoundError:
            self._refuse(HTTPStatus.NOT_FOUND, "nothing is here")
        except ConnectionError:  # the page was closed
            self.close_connection = True
        except (TayraError, OSError) as error:  # of a snapshot that can't be read
            self._refuse(HTTPStatus.CONFLICT, printable(error))

    def _answer(self, name: str, query_text: str) -> None:
        if name in FILES:
            file, kind = FILES[name]
            self._send(page_file(file), kind)
            return
        query, column, have = _parsed(query_text)
        if name == "state":
            state = self.server.state(query, column)
            mark = hashlib.sha256(state).hexdigest()[:16]
            if have == mark:
                self._send(b"", "", HTTPStatus.NO_CONTENT)
            else:
                self._send(state, "application/json", mark=mark)
        elif name == "plane":
            self._send(self.server.plane(query), "application/octet-stream")
        else:
            raise NotFoundError

    def _host(self) -> str:
        """Without its port: through a tunnel that may be another."""
        named = self.headers.get_all("Host") or [""]
        host, _, port = named[0].rpartition(":")
        return (host if port.isdecimal() and host else named[0]).lower() if len(named) == 1 else ""

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self._send(why.encode(errors="backslashreplace"), "text/plain; charset=utf-8", status)

    def _send(self, body: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK, mark: str = "") -> None:
        self.send_response(status)
        packed = len(body) >= LEAST_COMPRESSED and "gzip" in self.headers.get("Accept-Encoding", "")
        if packed:
            body = gzip.compress(body, 1)
            self.send_header("Content-Encoding", "gzip")
        if kind:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        if mark:
            self.send_header("X-Mark", mark)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """The address is the key: it goes into no log."""


def page_file(name: str) -> bytes:
    return resources.files("tayra").joinpath("page", name).read_bytes()


def _parsed(query: str) -> tuple[dict[str, int], str, str]:
    """Numbers, the column to compare, and the mark of the state that the page has."""
    try:
        found = {name: values[0] for name, values in parse_qs(query, max_num_fields=10).items()}
        column, have = found.pop("column", ""), found.pop("have", "")
        return {name: int(text) for name, text in found.items()}, column, have
    except ValueError:
        raise NotFoundError from None


def in_background(serve: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=serve, name="tayra watch", daemon=True)
    thread.start()
    return thread
