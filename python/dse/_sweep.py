"""Sweeps in Python. Single points are evaluated in this process, whole sweeps by the program."""

import json
import operator
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager, suppress

from dse._native import InputError
from dse._native import Sweep as _Native
from dse._program import data_roots, program


#: How long a sweep that is interrupted may write what it has.
SECONDS_TO_STOP = 30


@contextmanager
def _data_of(file):
    old = os.environ.get("DSE_DATA")
    os.environ["DSE_DATA"] = data_roots(file)
    try:
        yield
    finally:
        if old is None:
            del os.environ["DSE_DATA"]
        else:
            os.environ["DSE_DATA"] = old


def _text(value):
    """Return a value in the form that --set expects."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _again(file, settings):
    """Return a sweep that was sent to another process, which reads its file again."""
    sweep = Sweep.__new__(Sweep)
    sweep._begin(file, settings)
    return sweep


def _run(command, environment):
    """Run a program and return its exit code and errors. Ctrl-C reaches it too: it gets time to write its rows."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.communicate()[1]
        except KeyboardInterrupt:
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=SECONDS_TO_STOP)
            process.kill()
            raise
        return process.returncode, said


def _why(said):
    """Return what dse says of an error, without what mpirun adds."""
    lines = said.strip().split("\n")
    first = next((at for at, line in enumerate(lines) if line.startswith("dse: ")), 0)
    return "\n".join(lines[first:]).split("\n-----", 1)[0].removeprefix("dse: ")


class Sweep:
    """A sweep file that has been read and checked.

    Keyword arguments fix axes or set fields, like --set: Sweep("layouts.yaml", tp=8, devices=64). Names with
    dots are passed in a dictionary: Sweep("layouts.yaml", **{"cluster.device.memory.capacity": "96 GiB"}).
    An object must not be used by several threads at the same time.
    """

    def __init__(self, file, **settings):
        self._begin(os.fsdecode(file), [f"{name}={_text(value)}" for name, value in settings.items()])

    def _begin(self, file, settings):
        self.file = file
        self._path = os.path.abspath(file)  # the working directory may change
        self.settings = settings
        with _data_of(self.file):
            self._native = _Native(self.file, self.settings)
        for warning in self._native.warnings:
            warnings.warn(warning, stacklevel=3)
        self.evaluate = self._native.evaluate  # avoids a Python call per point

    def __reduce__(self):
        return _again, (self._path, self.settings)

    def __repr__(self):
        return f"Sweep({', '.join([repr(self.file), *self.settings])})"

    @property
    def name(self):
        """Name of the sweep."""
        return self._native.name

    @property
    def axes(self):
        """Values by axis; for a range without steps, its two ends."""
        return self._native.axes

    @property
    def objectives(self):
        """'minimize' or 'maximize' by metric."""
        return self._native.objectives

    def evaluate(self, **axes):
        """Evaluate one point: {"status", "reason", metric: value, …}, in SI units, without missing values.

        Axes that are omitted get their first value that is valid in combination with the others. Quantities
        are numbers in SI units, or text: bandwidth="400 Gbps".
        """
        return self._native.evaluate(**axes)  # only for help(): the bound attribute hides it

    def point(self, what_if=True, **axes):
        """Return the output of `dse point --json`: metrics, parts, memory, critical path, communication."""
        return json.loads(self._native.explain(what_if, **axes))

    def sweep(self, output=None, ranks=1, options=()):
        """Run the sweep with the program and return its rows as a pandas table.

        output: results file, from which a later call resumes; by default no file is kept.
        ranks: number of processes, under mpirun if there are several.
        options: further options of `dse run`.
        """
        if isinstance(options, str):
            raise TypeError("options is a list of words, such as ['--set', 'tp=8']")
        ranks = operator.index(ranks)
        if ranks < 1:
            raise ValueError(f"ranks is {ranks}: at least one process runs the sweep")
        import dse_analysis

        with tempfile.TemporaryDirectory() as folder:
            file = os.fspath(output) if output is not None else str(pathlib.Path(folder) / "rows.h5")
            command = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
            command += [program(), "run", self._path, "-o", file, "--progress", "none", *options]
            command += [word for setting in self.settings for word in ("--set", setting)]
            environment = os.environ | {"DSE_DATA": data_roots(self._path), "DSE_PYTHON": sys.executable}
            code, said = _run(command, environment)
            if code not in (0, 1) or not os.path.exists(file):
                raise InputError(_why(said) or f"{command[0]} ended with {code}, and did not say why")
            return dse_analysis.read_results(file)


def point(file, what_if=True, **axes):
    """Return all details of one point of a sweep file: Sweep(file).point(…)."""
    return Sweep(file).point(what_if=what_if, **axes)
