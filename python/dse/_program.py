"""The program dse, where the wheel has put it."""

import os
import pathlib
import signal
import sys

_PREFIX = pathlib.Path(__file__).parent / "prefix"


def program():
    """Return the path of the program."""
    return str(_PREFIX / "bin" / "dse")


def data_roots(file):
    """Where models, clusters and devices are looked up: as the program does, with the wheel's own data last."""
    beside = pathlib.Path(file).absolute().parent
    roots = [os.environ.get("DSE_DATA", ""), os.getcwd(), beside, *beside.parents, _PREFIX / "share" / "dse"]
    return ":".join(str(root) for root in roots if root)


def main():
    """Be the program: the command `dse` of the wheel."""
    os.environ.setdefault("DSE_PYTHON", sys.executable)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # which Python ignores: `dse … | head` ends quietly
    os.execv(program(), ["dse", *sys.argv[1:]])
