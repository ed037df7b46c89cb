"""Runs work in a separate process, since damaged files can crash HDF5."""

import faulthandler
import multiprocessing
import os
import pickle
import resource
import signal
import tempfile


class GuardedError(RuntimeError):
    """The work did not finish, or raised an exception; the message says which."""


def run_guarded(work, *arguments, seconds=120, memory=8 << 30):
    """Return the result of `work`, which runs in a child process with limits on time and memory.

    Parameters
    ----------
    work : callable
    seconds : float [s]
    memory : int [B]
        Limit on the child's address space.

    Raises
    ------
    GuardedError
        If it raised an exception, was ended by a signal, or reached a limit.
    """
    with tempfile.TemporaryFile() as answer:
        child = multiprocessing.get_context("fork").Process(target=_work, args=(answer, seconds, memory, work, arguments))
        child.start()
        child.join(seconds)
        if child.exitcode is None:
            child.kill()
            child.join()
            raise GuardedError("reading it takes too long")
        if child.exitcode != 0:
            number = -child.exitcode
            name = signal.Signals(number).name if number > 0 else f"exit code {child.exitcode}"
            raise GuardedError(f"the process that read it ended by {name}")
        answer.seek(0)
        error, value = pickle.load(answer)
    if error is not None:
        raise GuardedError(error)
    return value


def _work(answer, seconds, memory, work, arguments):
    faulthandler.disable()
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, int(seconds) + 1)
    _limit(resource.RLIMIT_AS, memory)
    try:
        outcome = None, work(*arguments)
    except Exception as error:  # anything that a damaged file may cause
        outcome = f"{type(error).__name__}: {error}", None
    pickle.dump(outcome, answer, protocol=pickle.HIGHEST_PROTOCOL)
    answer.flush()


def _limit(what, value):
    _, most = resource.getrlimit(what)
    resource.setrlimit(what, (value if most == resource.RLIM_INFINITY else min(value, most), most))
