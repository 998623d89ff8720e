"""Text from records and names of files, made fit for a terminal, Markdown and HTML."""

import html
import re

# A backslash, a bar, the beginning of a tag, of a letter's name (&lt;) and of a link's address.
MARKUP = re.compile(r"\\(?=[!-/:-@\[-`{-~])|\||<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<=\])\(")
ENTITIES = {"<": "&lt;", "&": "&amp;"}


def printable(text: object) -> str:
    """Control characters, line breaks, those that hide or turn letters around, and bytes that are no letters,
    stand there as codes."""
    return "".join(letter if letter.isprintable() else _code(letter) for letter in str(text))


def for_markdown(text: object) -> str:
    """Nothing of it is markup: no table's bar, no tag, no link."""
    return MARKUP.sub(lambda found: ENTITIES.get(found[0], f"\\{found[0]}"), printable(text))


def for_html(text: object) -> str:
    return html.escape(printable(text))


def _code(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
