"""What every command shares: its parser, names of pictures, what it says, and the exit code it ends with."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from tayra.errors import OutputError, TayraError
from tayra.printable import printable

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

INTERRUPTED = 130  # as shells say of SIGINT


COMPLETION_WORD = "--complete"  # before a command line that is not to be carried out but completed
FILES = ":files"  # stands for their names


class Parser(argparse.ArgumentParser):
    values: Mapping[str, Callable[[Sequence[str]], Iterable[str]]] = {}
    """What may follow an option, where that depends on the words before it or is no file."""

    def error(self, message: str) -> NoReturn:
        """One line, as the program itself says it."""
        self.exit(2, f"{self.prog}: {printable(message)}; see {self.prog} --help\n")

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """argparse leaves it in a buffer, where an error shows too late."""
        if file is None:
            say(self.format_help().rstrip())
        else:
            super().print_help(file)


def parsed(command: Parser, words: Sequence[str] | None) -> argparse.Namespace:
    words = sys.argv[1:] if words is None else words
    if words[:1] == [COMPLETION_WORD]:
        sys.stdout.writelines(f"{line}\n" for line in completions(command, words[1:]))
        sys.exit()
    return command.parse_args(words)


def completions(command: Parser, words: Sequence[str]) -> list[str]:
    """What may stand in the place of the last word, each with its meaning after a tab."""
    *before, word = words or [""]
    options = {name: action for action in command._actions for name in action.option_strings}
    option, equals, _ = word.partition("=")
    beginning = f"{option}=" if equals else ""
    asked = option if equals else before[-1] if before else ""
    if asked in options and options[asked].nargs != 0 and (equals or not word.startswith("-")):
        values = _values(command, options[asked], before)
        found = [value if value == FILES else beginning + value for value in values]
    elif word.startswith("-"):
        meaning = command._get_formatter()._expand_help
        found = [f"{name}\t{meaning(action)}" for name, action in options.items() if name.startswith("--")]
    else:
        found = [FILES]
    return [text for text in found if text == FILES or text.startswith(word)]


def _values(command: Parser, option: argparse.Action, words: Sequence[str]) -> list[str]:
    values_for = command.values.get(option.option_strings[-1])
    if values_for is None:
        return [FILES] if option.type in (Path, picture_path, movie_path) else []
    try:
        return list(values_for(words))
    except (StopIteration, TayraError):  # the words name no run, or one that can't be read
        return []


def picture_path(text: str) -> Path:
    path = Path(text)
    if path.suffix not in (".png", ".svg"):
        raise argparse.ArgumentTypeError(f"'{text}' is no picture: end its name in .png or .svg")
    return path


def movie_path(text: str) -> Path:
    path = Path(text)
    if path.suffix not in (".mp4", ".gif"):
        raise argparse.ArgumentTypeError(f"'{text}' is no film: end its name in .mp4 or .gif")
    return path


def require_existing(paths: Sequence[Path]) -> None:
    missing = [path for path in paths if not path.exists()]
    if missing:
        raise TayraError(f"{missing[0]} does not exist: name directories of runs or bench files")


def say(text: str) -> None:
    """On the standard output, at once. Where that has no letter for a character, as its code."""
    text = "\n".join(map(printable, text.split("\n")))
    try:
        try:
            print(text, flush=True)
        except UnicodeEncodeError as error:
            print(text.encode(error.encoding, "backslashreplace").decode(error.encoding), flush=True)
    except OSError as error:
        # What is left would fail again when Python ends, which then adds words and an exit code of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # there whoever read on, `head` say, has seen enough
            raise OutputError(f"cannot print ({error.strerror}): make room or print elsewhere") from error


def warn(name: str, text: object) -> None:
    """A line on the standard error, as the command `name` says it."""
    print(f"{name}: {printable(text)}", file=sys.stderr)


def exit_code(name: str, work: Callable[[], object]) -> int:
    """0, or after one line about what is wrong: 2, and 1 where only the output failed."""
    try:
        work()
    except OutputError as error:
        return _told(name, error, 1)
    except TayraError as error:
        return _told(name, error, 2)
    except OSError as error:  # a name too long, a folder that may not be entered
        named = f"{error.filename} cannot be used ({error.strerror}): name another one"
        return _told(name, named if error.filename else error, 2)
    except MemoryError:
        return _told(name, "not enough memory for what these files hold: draw or compare less", 2)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _told(name: str, problem: object, code: int) -> int:
    warn(name, problem)
    return code
