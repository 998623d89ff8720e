"""Cases know the schemes of the program in TAYRA_BINARY, as scripts/test.sh sets it."""

import json
import os
import subprocess

import pytest

from validation.cases.schemes import SCHEMES, learn

binary = os.environ.get("TAYRA_BINARY")
if binary:
    told = subprocess.run([binary, "info", "--json"], check=True, capture_output=True, text=True).stdout
    learn(json.loads(told)["schemes"])
    PROGRAMS = dict(SCHEMES)


@pytest.fixture(autouse=True)
def schemes_of_the_program() -> None:
    """A test may have asked a stand-in."""
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    SCHEMES.update(PROGRAMS)
