import os
import signal
import time

import pytest

from dse_analysis.guarded import GuardedError, run_guarded


def test_gives_back_what_the_work_returns():
    assert run_guarded(lambda a, b: a + b, 2, 3) == 5


def test_tells_what_was_raised():
    with pytest.raises(GuardedError, match="KeyError: 'tp'"):
        run_guarded(lambda: {}["tp"])


def test_survives_a_signal():
    with pytest.raises(GuardedError, match="SIGSEGV"):
        run_guarded(lambda: os.kill(os.getpid(), signal.SIGSEGV))


def test_does_not_wait_for_ever():
    with pytest.raises(GuardedError, match="too long"):
        run_guarded(time.sleep, 60, seconds=0.5)


def test_may_not_take_all_memory():
    with pytest.raises(GuardedError, match="MemoryError"):
        run_guarded(bytearray, 1 << 40)
