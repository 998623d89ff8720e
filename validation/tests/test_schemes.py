"""Validation knows every scheme of the program; needs TAYRA_BINARY, as scripts/test.sh sets it."""

import os
import re
import subprocess

import pytest

from validation.cases.schemes import SCHEMES


def test_validation_has_every_scheme_of_the_program() -> None:
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    info = subprocess.run([binary, "info"], check=True, capture_output=True, text=True).stdout
    listed = re.search("^schemes (.*)", info, flags=re.MULTILINE)
    assert set(SCHEMES) == set(listed[1].strip().split(", "))
