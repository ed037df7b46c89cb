"""Output files that are whole or do not exist."""

import contextlib
import io
import pathlib


@contextlib.contextmanager
def whole_file(path):
    """Open an output file that is written at the end of the block, and removed if that fails.

    A device or a pipe, as /dev/stdout, is never removed.

    Parameters
    ----------
    path : str or os.PathLike

    Yields
    ------
    io.BytesIO
    """
    content = io.BytesIO()
    yield content
    path = pathlib.Path(path)
    try:
        path.write_bytes(content.getbuffer())
    except OSError as error:
        if path.is_file():
            path.unlink()
        raise OSError(f"cannot write '{path}': {error.strerror}") from error
