"""Text of captured programs: what is dropped of it before it is kept, what is counted in it.

A few regular expressions on purpose: counts made here do not share a line with the readers of dse that they are
held against. Needs neither JAX nor PyTorch.
"""

import collections
import gzip
import re

# XLA prints tables of the capturing machine's source files between the module's line and the first computation.
_TABLES = re.compile(r"^(?:FileNames|FunctionNames|FileLocations|StackFrames)\n(?:\d+ .*\n)*\n?", re.MULTILINE)
_FRAME = re.compile(r" ?(?:stack_frame_id|source_line|source_end_line|source_column|source_end_column)=\d+"
                    r'| ?source_file="[^"]*"')
_NAME = r"(?:stablehlo|chlo|sdy|mhlo)\.[a-z_0-9]+"
# A statement; or the one operator of a region that is written in short: `reduce(...) applies stablehlo.add`.
_OPERATION = re.compile(rf'^\s*(?:%[\w:]+(?:, %[\w:]+)* = )?"?({_NAME})|\bapplies ({_NAME})', re.MULTILINE)


def without_places(hlo):
    """Return XLA's text without the capturing machine's files and lines; names of operators stay."""
    hlo = _FRAME.sub("", _TABLES.sub("", hlo))
    return re.sub(r", metadata=\{\s*\}", "", re.sub(r"\n{3,}", "\n\n", hlo))


def mlir_operators(text):
    """Return {name: count} of the operators of MLIR text, as written: a loop's body counts once.

    Parameters
    ----------
    text : str
        StableHLO with one statement a line, as JAX prints it.

    Returns
    -------
    dict of str to int
        In falling order of count.
    """
    counts = collections.Counter(statement or applied for statement, applied in _OPERATION.findall(text))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def write(path, text, compress):
    """Write text, gzipped without name and time so that equal text is an equal file; return the path written."""
    data = text.encode()
    if compress:
        path = path.with_name(path.name + ".gz")
        data = gzip.compress(data, compresslevel=9, mtime=0)
    path.write_bytes(data)
    return path


def read(path):
    """Return the text of a file, gzipped or not."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
