"""What scripts of this package have in common."""

import functools
import sys


def exit_code(*more_errors):
    """Make what does a script's work return its exit code: 0, or 2 once an error is told on stderr.

    Parameters
    ----------
    more_errors : exception classes
        Errors of the input beside KeyError, OSError and ValueError.
    """

    def decorate(work):
        @functools.wraps(work)
        def main(arguments=None):
            try:
                work(arguments)
            except (KeyError, OSError, ValueError, *more_errors) as error:
                print(f"error: {error}", file=sys.stderr)
                return 2
            return 0

        return main

    return decorate
