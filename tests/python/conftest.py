"""The package is tested where its wheel can be built."""

import importlib.util

import pytest


def pytest_configure():
    if importlib.util.find_spec("nanobind") is None:
        pytest.exit("no nanobind: see analysis/requirements.txt", returncode=1)
