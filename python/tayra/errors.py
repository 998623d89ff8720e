"""The exceptions: messages for a person."""


class TayraError(Exception):
    """What is wrong with a run or a request, and what to do."""


class OutputError(TayraError):
    """Nothing is wrong with the request, but what came of it can't be shown."""


class RunError(TayraError):
    """The program `tayra` has failed: what it said of that, and the exit code (docs/cluster.md)."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code
