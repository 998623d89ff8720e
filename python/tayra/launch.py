"""The program `tayra`, started from Python: shows its progress and turns its errors into exceptions."""

import codecs
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tayra.errors import RunError, TayraError
from tayra.run_directory import Run

# The program's folder as seen from this package: where both are installed, and in a tree of the source.
BESIDE = ("../../../../bin", "../../build/cuda", "../../build/release")
# What the program prints at its end, or where nothing was left to do.
RESULTS = re.compile(r"^results in (.*)$|^(.*) holds this run, which has finished", re.MULTILINE)
ANEW = re.compile(r"\r\x1b\[K([^\r\n]*)")  # back to the start of the line, clear it
BEGUN = re.compile(r"\r(\x1b\[?)?$")
KEPT = 1 << 16  # letters of what a run may print for days


def run(
    config: Path | str | Mapping[str, Any],
    settings: Mapping[str, Any] | None = None,
    *,
    output: Path | str | None = None,
    resume: bool = False,
    force: bool = False,
    progress: bool = True,
) -> Run:
    """Runs a config, the name of a file or a dict, and returns the run that it has left.

    `settings` stand over keys of the config: {"numerics.cfl": 0.5}; None removes a key. A dict may have the
    keys of such settings, too, so that one run's `settings` are another's config. `output` stands over
    output.directory; `resume` and `force` are the program's --resume and --force. `progress` shows a line
    that is written anew. Raises RunError where the program fails. Ctrl-C lets it write a checkpoint.
    """
    words = ["run"]
    for key, value in (settings or {}).items():
        words.append(f"--set={key}={_json(value)}")
    if output is not None:
        words.append(f"--output={os.fspath(output)}")
    words += ["--resume"] * resume + ["--force"] * force
    with _config_file(config) as path:
        printed = _carry_out([program(), *words, "--", path], progress)
    found = list(RESULTS.finditer(printed))
    if output is None and not found:
        raise TayraError("the program did not say where its results are: name the directory, output=...")
    return Run(output if output is not None else found[-1][1] or found[-1][2])


def program() -> str:
    """$TAYRA_BINARY, or the program beside this package, beside its Python, or on PATH."""
    named = os.environ.get("TAYRA_BINARY")
    if named:
        if shutil.which(named) is None:
            raise TayraError(f"TAYRA_BINARY names {named}, which is no program: correct it or unset it")
        return named
    folders = [
        Path(sysconfig.get_path("scripts")),
        *((Path(__file__).parent / place).resolve() for place in BESIDE),
    ]
    found = shutil.which("tayra", path=os.pathsep.join(map(str, folders))) or shutil.which("tayra")
    if not found:
        raise TayraError(
            "the program tayra is neither beside this package nor on PATH: build it (docs/install.md) and "
            "set the environment variable TAYRA_BINARY to its path"
        )
    return found


@contextmanager
def _config_file(config: Path | str | Mapping[str, Any]) -> Iterator[str]:
    """Its name; of a dict that of a file for as long as the program reads it."""
    if not isinstance(config, Mapping):
        yield os.fspath(config)
        return
    with tempfile.TemporaryDirectory(prefix="tayra-") as folder:
        path = Path(folder) / "config.yaml"
        path.write_text(_json(_nested(config), indent=2) + "\n", encoding="utf-8")
        try:
            yield str(path)
        except RunError as error:  # nobody knows this name, nor its lines
            told = re.sub(rf"{re.escape(str(path))}(:\d+)?", "config", str(error))
            raise RunError(told, error.exit_code) from None


def _nested(config: Mapping[str, Any]) -> dict[str, Any]:
    """{"grid.cells": 1} becomes {"grid": {"cells": 1}}. What is None is left out."""
    nested: dict[str, Any] = {}
    for key, value in config.items():
        if value is None:
            continue
        *sections, name = key.split(".")
        section = nested
        for one in sections:
            section = section.setdefault(one, {})
        if isinstance(value, Mapping):
            section[name] = section.get(name, {}) | _nested(value)
        else:
            section[name] = value
    return nested


def _json(value: object, indent: int | None = None) -> str:
    """Which is YAML, too."""
    try:
        return json.dumps(value, indent=indent, ensure_ascii=False, default=_plain)
    except (AttributeError, TypeError, ValueError) as error:
        raise TayraError(f"{value!r:.200} can't stand in a config ({error})") from error


def _plain(value: Any) -> object:  # noqa: ANN401
    """Of a path, and of NumPy's numbers and arrays."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value.tolist()


class _Shown:
    """What the program prints, shown as it comes; its end is kept."""

    def __init__(self, progress: bool) -> None:
        self.text = ""
        self._progress = progress
        self._begun = ""
        self._width = 0

    def take(self, text: str) -> None:
        text = (self._begun + text).replace("\r\n", "\n")
        begun = BEGUN.search(text)
        self._begun = begun[0] if begun else ""
        text = text.removesuffix(self._begun)
        self.text = (self.text + ANEW.sub(r"\n\1", text))[-KEPT:]
        if self._progress:
            sys.stdout.write(ANEW.sub(self._over_the_last, text))
            sys.stdout.flush()

    def _over_the_last(self, found: re.Match[str]) -> str:
        """As notebooks can do it, too: they clear no line."""
        line = found[1].ljust(self._width)
        self._width = len(found[1])
        return f"\r{line}"


class _Told:
    """What it says of problems: warnings at once, the rest when it has ended."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._begun = ""

    def take(self, text: str) -> None:
        *whole, self._begun = (self._begun + text).split("\n")
        for line in whole:
            if line.startswith("tayra: warning: "):
                print(line, file=sys.stderr)
            else:
                self.lines.append(line.removeprefix("tayra: "))


def _carry_out(command: Sequence[str], progress: bool) -> str:
    """What it has printed; RunError where it failed."""
    shown, told = _Shown(progress), _Told()
    # To a terminal the program writes one line anew, to a pipe one after the other.
    live = progress and (sys.stdout.isatty() or "ipykernel" in sys.modules)
    out, errors = os.openpty() if live else os.pipe(), os.pipe()
    with selectors.DefaultSelector() as selector:
        for (ours, _), take in ((out, shown.take), (errors, told.take)):
            decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
            selector.register(ours, selectors.EVENT_READ, (decoder, take))
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out[1], stderr=errors[1])
        except OSError as error:
            raise TayraError(f"{command[0]} can't be started ({error.strerror}): see TAYRA_BINARY") from error
        finally:
            os.close(out[1])
            os.close(errors[1])
        with process:
            interrupted = _pass_on(selector, process)
    if interrupted:
        raise KeyboardInterrupt
    code = process.returncode
    if code != 0:
        ended = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        raise RunError("\n".join([*told.lines, f"tayra run has failed ({ended})"]), code)
    for line in told.lines:
        print(f"tayra: {line}", file=sys.stderr)
    return shown.text


def _pass_on(selector: selectors.BaseSelector, process: subprocess.Popen[bytes]) -> bool:
    """All that the program writes, until it has ended. Whether somebody wanted it to stop before."""
    interrupted = False
    try:
        while selector.get_map():
            try:
                for key, _ in selector.select():
                    _read(selector, key)
            except KeyboardInterrupt:
                # Not SIGINT: where the terminal has sent that one too, it would count twice.
                process.terminate()
                interrupted = True
    except BaseException:
        process.terminate()
        raise
    return interrupted


def _read(selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
    decoder, take = key.data
    try:
        read = os.read(key.fd, KEPT)
    except OSError:  # so a terminal ends
        read = b""
    take(decoder.decode(read, final=not read))
    if not read:
        selector.unregister(key.fd)
        os.close(key.fd)
