"""The command `tayra watch`, and tayra.watch in a notebook: runs under way, on a page or as text."""

from __future__ import annotations

import argparse
import html
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tayra.ascii_view import text_of, watch_as_text
from tayra.command import Parser, exit_code, parsed, say
from tayra.errors import TayraError
from tayra.printable import printable
from tayra.run_directory import Run
from tayra.watched_run import watched_runs

if TYPE_CHECKING:
    from tayra.watch_server import WatchServer

PROGRAM = "tayra watch"
FRAME_HEIGHT = 900  # pixels, in a notebook


def parser() -> Parser:
    command = Parser(
        prog=PROGRAM,
        description="Show runs while they compute, or afterwards, on a page of this machine: progress, "
        "speed, curves, slices. Reads their directories and changes nothing.",
    )
    command.add_argument("paths", type=Path, metavar="RUN", nargs="+", help="directory of a run")
    command.add_argument(
        "--port", type=port_number, default=0, metavar="P", help="where the page is (any free port)"
    )
    command.add_argument("--ascii", action="store_true", help="as text in the terminal instead of a page")
    command.values = {"--port": lambda _: ()}
    return command


def port_number(text: str) -> int:
    if text.isdecimal() and 0 < int(text) < 1 << 16:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no port: write a number from 1 to 65535")


def require_directories(paths: Sequence[Path]) -> None:
    for path in paths:
        if not path.is_dir():
            raise TayraError(f"{path} is no directory: name the output.directory of a run")


def server_for(paths: Sequence[Path], port: int) -> WatchServer:
    from tayra.watch_server import ADDRESS, WatchServer  # only here: what completes a line comes at once

    try:
        return WatchServer(paths, port)
    except OSError as error:
        reason = f"cannot listen on {ADDRESS}:{port} ({error.strerror})"
        raise TayraError(f"{reason}: name another --port, or none for any that is free") from error


class Watch:
    """A page that shows runs for as long as this object is kept: in a notebook in a frame, else at `url`."""

    def __init__(self, runs: Sequence[Run], port: int = 0) -> None:
        from tayra.watch_server import in_background

        self._runs = watched_runs([run.directory for run in runs])
        self._server = server_for([run.directory for run in runs], port)
        in_background(self._server.serve_forever)

    @property
    def url(self) -> str:
        return self._server.url

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __str__(self) -> str:
        """The runs as text, as they are now."""
        return "\n\n".join(text_of(run, run.look(), 90) for run in self._runs)

    def __repr__(self) -> str:
        return f"<Watch at {self.url}>"

    def _repr_html_(self) -> str:
        url = html.escape(self.url)
        return (
            f'<iframe src="{url}" width="100%" height="{FRAME_HEIGHT}" style="border:0"></iframe>'
            f'<p><a href="{url}">{url}</a>; if this Python runs on another machine, first there, where your '
            f"browser is: <code>{html.escape(self._server.tunnel)}</code></p>"
        )


def watch(*runs: Run | Path | str, port: int = 0) -> Watch:
    """A page of runs under way or ended: the last line of a notebook's cell shows it, `.url` is its address.

    It is served until `.close()` or the end of this Python.
    """
    if not runs:
        raise TayraError("no run to watch: name one, as in tayra.watch(run)")
    return Watch([run if isinstance(run, Run) else Run(run) for run in runs], port)


def serve(words: Sequence[str] | None) -> None:
    arguments = parsed(parser(), words)
    require_directories(arguments.paths)
    if arguments.ascii:
        watch_as_text(watched_runs(arguments.paths))
        return
    with server_for(arguments.paths, arguments.port) as server:
        say(
            f"{server.url}\n"
            f"From another machine first, there: {printable(server.tunnel)}\n"
            "Only who knows this address sees the page. Ctrl-C ends it; the runs go on."
        )
        server.serve_forever()


def main(words: Sequence[str] | None = None) -> int:
    return exit_code(PROGRAM, lambda: serve(words))


if __name__ == "__main__":
    sys.exit(main())
