"""The one exception type: a message for a person."""


class TayraError(Exception):
    """What is wrong with a run or a request, and what to do."""
