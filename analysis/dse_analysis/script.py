"""Common parts of this package's scripts."""

import functools
import sys


def exit_code(*more_errors):
    """Decorate a script's main function to return its exit code: 0, or 2 after printing an error to stderr.

    Parameters
    ----------
    more_errors : exception classes
        Input errors in addition to KeyError, OSError and ValueError.
    """

    def decorate(work):
        @functools.wraps(work)
        def main(arguments=None):
            try:
                work(arguments)
            except (KeyError, OSError, ValueError, *more_errors) as error:
                missing = "the input has no " if isinstance(error, KeyError) else ""
                print(f"dse: {missing}{error}", file=sys.stderr)
                return 2
            return 0

        return main

    return decorate
