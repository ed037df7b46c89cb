"""Says on a terminal how far a long reading is."""

import sys


def watched(blocks, rows, stream=None):
    """Yield blocks of rows, and write the share that was read to a terminal; to anything else, nothing.

    Parameters
    ----------
    blocks : iterable of sized
    rows : int
        Number of rows of all blocks together.
    stream : text stream, optional
        None: the standard error stream.
    """
    stream = sys.stderr if stream is None else stream
    if not stream.isatty():
        yield from blocks
        return
    read = 0
    try:
        for block in blocks:
            yield block
            read += len(block)
            stream.write(f"\rreading rows: {100 * read // max(rows, 1):3d} %")
            stream.flush()
    finally:
        stream.write("\r\x1b[K")
        stream.flush()
