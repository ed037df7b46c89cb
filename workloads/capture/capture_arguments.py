"""Reads what a user writes on the command lines of the capture scripts: meshes, tensors, shardings, options.

Nothing here imports a framework: the number of simulated devices has to be known before JAX is loaded.
"""

import ast
import dataclasses
import math
import re

DTYPES = {
    "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "bool": "bool",
    "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
}


class CaptureError(Exception):
    """What the user can mend; the message says how."""


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor as written: `dtype[dim,dim]@axis,axis`.

    Attributes
    ----------
    shape : tuple of int
    dtype : str
        NumPy's name.
    axes : tuple of tuple of str
        Mesh axes that split each dimension, major first.
    """

    shape: tuple
    dtype: str
    axes: tuple


def parse_mesh(text):
    """Return {axis: size} of "data=8,model=4", in order.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict of str to int
    """
    mesh = {}
    for part in filter(None, text.split(",")):
        match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*=\s*(\d+)\s*", part)
        if not match or int(match[2]) < 1:
            raise CaptureError(f"mesh '{text}': '{part}' is not AXIS=SIZE, as in data=8,model=4")
        if match[1] in mesh:
            raise CaptureError(f"mesh '{text}': axis '{match[1]}' appears twice")
        mesh[match[1]] = int(match[2])
    if not mesh:
        raise CaptureError("the mesh has no axis; one device is --mesh data=1")
    return mesh


def device_count(mesh):
    """Return the number of devices of a mesh {axis: size}."""
    return math.prod(mesh.values())


def parse_axes(text, rank, mesh):
    """Return the mesh axes of each dimension.

    Parameters
    ----------
    text : str
        One entry for each dimension, from the first: axes joined by "+", "-" for none. Missing ones are "-".
    rank : int or None
        Number of dimensions; None where it is not known yet.
    mesh : dict of str to int

    Returns
    -------
    tuple of tuple of str
    """
    entries = [() if part.strip() in ("", "-") else tuple(axis.strip() for axis in part.split("+"))
               for part in text.split(",")]
    used = [axis for entry in entries for axis in entry]
    for axis in used:
        if axis not in mesh:
            raise CaptureError(f"sharding '{text}': the mesh has no axis '{axis}' (it has {', '.join(mesh)})")
        if used.count(axis) > 1:
            raise CaptureError(f"sharding '{text}': axis '{axis}' splits two dimensions")
    if rank is not None:
        if len(entries) > rank and any(entries[rank:]):
            raise CaptureError(f"sharding '{text}' has {len(entries)} dimensions, the tensor {rank}")
        entries = (entries + [()] * rank)[:rank]
    return tuple(entries)


def check_divides(shape, axes, mesh, what):
    """Refuse a dimension that does not divide evenly over its axes, as JAX does for arguments."""
    for number, (size, names) in enumerate(zip(shape, axes)):
        parts = math.prod(mesh[name] for name in names)
        if size % parts:
            raise CaptureError(f"{what}: dimension {number} of {size} cannot be divided into {parts} parts "
                               f"({'+'.join(names)})")


def parse_tensor(text, mesh):
    """Return the tensor that "bf16[8,4096]@data,-" describes."""
    match = re.fullmatch(r"\s*(\w+)\s*\[([\d,\s]*)\]\s*(?:@(.*))?", text)
    if not match:
        raise CaptureError(f"argument '{text}' is neither DTYPE[DIM,...] (@AXIS,... after it) nor module:function")
    if match[1] not in DTYPES:
        raise CaptureError(f"argument '{text}': unknown type '{match[1]}' ({', '.join(DTYPES)})")
    shape = tuple(int(size) for size in match[2].split(",") if size.strip())
    axes = parse_axes(match[3] or "", len(shape), mesh)
    check_divides(shape, axes, mesh, f"argument '{text}'")
    return Tensor(shape, DTYPES[match[1]], axes)


def parse_rule(text, mesh):
    """Return (compiled pattern, axes) of a rule "PATTERN=AXES" for tensors of an --arg module:function."""
    pattern, separator, axes = text.rpartition("=")
    if not separator:
        raise CaptureError(f"--shard '{text}' is not PATTERN=AXES")
    try:
        return re.compile(pattern), parse_axes(axes, None, mesh)
    except re.error as error:
        raise CaptureError(f"--shard '{text}': {error}") from error


def parse_options(texts):
    """Return {key: value} of "key=value" texts; values are Python literals, and text where they are not."""
    options = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if not separator or not key.isidentifier():
            raise CaptureError(f"--set '{text}' is not KEY=VALUE")
        try:
            options[key] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            options[key] = value
    return options


def parse_target(text):
    """Return (module, function) of "package.module:function"."""
    module, separator, name = text.partition(":")
    if not separator or not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        raise CaptureError(f"'{text}' is not MODULE:FUNCTION")
    return module, name
