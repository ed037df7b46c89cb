#!/usr/bin/env python3
"""Behaves as `dse SWEEP -o FILE` towards the batch script: resumes, drains on USR1 with exit code 4, may crash.

Counts to the number that the sweep file holds, ten a second, and keeps the count in FILE. The sweep file's second
word makes it kill itself once at half.
"""

import os
import pathlib
import signal
import sys
import time

stop = False


def drain(*_):
    global stop
    stop = True


def main(sweep, results):
    words = sweep.read_text(encoding="utf-8").split()
    if not words[0].isdigit():
        return 2
    wanted, done = int(words[0]), int(results.read_text(encoding="utf-8")) if results.exists() else 0
    while done < wanted:
        if stop:
            return 4
        time.sleep(0.1)
        done += 1
        results.write_text(str(done), encoding="utf-8")
        if "crash" in words and done == wanted // 2:
            os.kill(os.getpid(), signal.SIGKILL)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, drain)
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[3])))
