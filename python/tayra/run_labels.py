"""What to call runs beside each other: by what differs between their configs."""

from collections.abc import Mapping, Sequence

from tayra.comparison import differences
from tayra.errors import TayraError
from tayra.run_directory import Run
from tayra.settings import Setting, read_settings

MOST_KEYS = 3  # of a label
# What decides the flow; the other sections only where it is the same.
OF_FLOW = ("problem.", "grid.", "physics.", "numerics.")
NEVER = ("output.",)  # where and how often something was written


def differing_keys(runs: Sequence[Run]) -> list[str]:
    """Of the flow, else of how it was run."""
    found = differences([read_settings(run.directory / "config.yaml") for run in runs])
    keys = [key for key in found if not key.startswith(NEVER)]
    return [key for key in keys if key.startswith(OF_FLOW)] or keys


def labels_of(runs: Sequence[Run]) -> list[str]:
    """'roe3', 'muscl'; 'atwood 0.3', 'atwood 0.5'. Names of folders where nothing differs, or too much."""
    keys = differing_keys(runs)
    labels = [", ".join(_in_words(key, run.settings) for key in keys) for run in runs]
    if 0 < len(keys) <= MOST_KEYS and len(set(labels)) == len(runs):
        return labels
    names = [run.name for run in runs]
    return names if len(set(names)) == len(names) else [str(run.directory) for run in runs]


def _in_words(key: str, settings: Mapping[str, Setting]) -> str:
    value = settings.get(key)
    name = key.rpartition(".")[2]
    if isinstance(value, list):
        return f"{' x '.join(map(str, value))} {name}"
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return f"{name}: {'-' if value is None else 'yes' if value else 'no'}"
    return f"{name} {value:g}"


def swept_key(runs: Sequence[Run], asked: str) -> str:
    """The one that is asked for, else the only one that differs."""
    keys = differing_keys(runs)
    if asked in keys or (len(keys) == 1 and not asked):
        return asked or keys[0]
    have = f"they differ in {', '.join(keys)}" if keys else "their configs are the same"
    if asked:
        raise TayraError(f"'{asked}' is the same in all these runs, or no key of theirs: {have}")
    raise TayraError(f"these runs are no sweep over one key ({have}): name it, as in --sweep KEY")


def swept_value(run: Run, key: str) -> float | str:
    """A number, where it is one; of a list (grid.cells) the last."""
    value = run.settings.get(key, "-")
    last = value[-1] if isinstance(value, list) and value else value
    return str(last).lower() if isinstance(last, bool | str | list) else float(last)
