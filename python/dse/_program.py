"""Locates and runs the program dse that the wheel contains."""

import os
import pathlib
import signal
import sys

_PREFIX = pathlib.Path(__file__).parent / "prefix"


def program():
    """Return the path of the program."""
    return str(_PREFIX / "bin" / "dse")


def data_roots(file):
    """Return the search path for models, clusters and devices: the program's, then the wheel's own data."""
    beside = pathlib.Path(file).absolute().parent
    roots = [os.environ.get("DSE_DATA", ""), os.getcwd(), beside, *beside.parents, _PREFIX / "share" / "dse"]
    return ":".join(str(root) for root in roots if root)


def main():
    """Replace this process by the program: the command `dse` of the wheel."""
    os.environ.setdefault("DSE_PYTHON", sys.executable)
    # Python ignores SIGPIPE, and the program would inherit that, but `dse … | head` must end quietly.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execv(program(), ["dse", *sys.argv[1:]])
