"""How a capture script ends: what went wrong as one line for the user, and the exit code."""

import sys
import traceback

from capture_arguments import CaptureError


def exit_code(script, options, capture):
    """Run `capture(options)`; return 0, or 2 with a line on standard error that says what to mend.

    Parameters
    ----------
    script : str
        Its name, as the message begins.
    options : argparse.Namespace
        With `target`, what the user has captured, and `traceback`, whether to show where that failed.
    capture : callable
        Raises `CaptureError` for what is wrong with the command line, anything else for what the user's own code did.
    """
    try:
        capture(options)
    except CaptureError as error:
        print(f"{script}: error: {error}", file=sys.stderr)
        return 2
    except Exception as error:  # What the user's own code raises, of any kind, while it is traced.
        if options.traceback:
            traceback.print_exc()
        print(f"{script}: error: {options.target}: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0
