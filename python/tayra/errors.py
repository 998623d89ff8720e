"""The exceptions: messages for a person."""


class TayraError(Exception):
    """What is wrong with a run or a request, and what to do."""


class OutputError(TayraError):
    """Nothing is wrong with the request, but what came of it can't be shown."""
