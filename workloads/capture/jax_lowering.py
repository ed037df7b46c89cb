"""Lowers and compiles with JAX: a `Program` in, the text of each stage out. No tensor is ever given values."""

import contextlib
import importlib
import math

import jax
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

import capture_arguments
import jax_program
from capture_arguments import CaptureError

# XLA writes the program around its partitioner here; the name of a pass is in the file's name.
PARTITIONED = "*after_spmd-partitioning*.txt"



def make_mesh(sizes):
    """Return a mesh of simulated devices, row-major; shardings are propagated by the compiler."""
    devices = jax.devices("cpu")
    count = math.prod(sizes.values())
    if len(devices) < count:
        raise CaptureError(f"JAX sees {len(devices)} devices, the mesh needs {count}: JAX was loaded too early")
    return Mesh(np.array(devices[:count]).reshape(tuple(sizes.values())), tuple(sizes),
                axis_types=(AxisType.Auto,) * len(sizes))


def resolve(target):
    """Return the function that "module:function" names."""
    module, name = capture_arguments.parse_target(target)
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        raise CaptureError(f"cannot import '{module}': {error}") from error
    if not callable(getattr(found, name, None)):
        known = [key for key, value in vars(found).items() if callable(value) and not key.startswith("_")]
        raise CaptureError(f"module '{module}' has no function '{name}' (it has {', '.join(sorted(known)) or 'none'})")
    return getattr(found, name)


def program_of_arguments(target, arguments, rules, sizes, mesh, options):
    """Return a plain function with the shapes that the user wrote as a `Program`.

    Parameters
    ----------
    target : str
    arguments : list of str
        A tensor, or "module:function" whose result has the shapes; it is traced, not run.
    rules : list of str
        PATTERN=AXES for the tensors of the latter kind; the first one found in a tensor's path counts.
    sizes : dict of str to int
        The mesh.
    mesh : jax.sharding.Mesh
    options : dict
        Keyword arguments of the function.
    """
    function = resolve(target)
    parsed = [capture_arguments.parse_rule(rule, sizes) for rule in rules]
    used = set()
    trees = tuple(_tree(text, number, parsed, sizes, mesh, used) for number, text in enumerate(arguments))
    for number, rule in enumerate(rules):
        if number not in used:
            raise CaptureError(f"--shard '{rule}' matches no tensor")
    if options:
        plain = function

        def function(*values):
            return plain(*values, **options)

        function.__name__ = plain.__name__
    return jax_program.Program(function=function, arguments=trees)


def _tree(text, number, rules, sizes, mesh, used):
    if "[" in text:
        tensor = capture_arguments.parse_tensor(text, sizes)
        return _struct(tensor.shape, tensor.dtype, tensor.axes, mesh)
    shapes = jax.eval_shape(resolve(text))

    def sharded(path, leaf):
        name = f"{number}{jax.tree_util.keystr(path)}"
        for position, (pattern, axes) in enumerate(rules):
            if pattern.search(name):
                used.add(position)
                if len(axes) > leaf.ndim and any(axes[leaf.ndim:]):
                    raise CaptureError(f"--shard '{pattern.pattern}': '{name}' has only {leaf.ndim} dimensions")
                axes = (axes + ((),) * leaf.ndim)[:leaf.ndim]
                capture_arguments.check_divides(leaf.shape, axes, sizes, f"--shard '{pattern.pattern}' on '{name}'")
                return _struct(leaf.shape, leaf.dtype, axes, mesh)
        return _struct(leaf.shape, leaf.dtype, ((),) * leaf.ndim, mesh)

    return jax.tree_util.tree_map_with_path(sharded, shapes)


def _struct(shape, dtype, axes, mesh):
    spec = PartitionSpec(*[None if not names else names[0] if len(names) == 1 else names for names in axes])
    return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, spec))


@contextlib.contextmanager
def partitioner(shardy):
    """Shardings as Shardy's (True) or GSPMD's attributes (False) while the block lasts."""
    before = jax.config.jax_use_shardy_partitioner
    jax.config.update("jax_use_shardy_partitioner", shardy)
    try:
        yield
    finally:
        jax.config.update("jax_use_shardy_partitioner", before)


def trace(program):
    """Return JAX's traced form of a program; a new jit each time, since forms are cached by function."""
    def call(*arguments):
        return program.function(*arguments)

    call.__name__ = getattr(program.function, "__name__", "call")
    jitted = jax.jit(call, out_shardings=program.outputs, donate_argnums=program.donated)
    return jitted.trace(*program.arguments)


def compile_stages(lowered, dump):
    """Compile for the CPU.

    Parameters
    ----------
    lowered : jax.stages.Lowered
    dump : pathlib.Path
        Where XLA was told to write its partitioned program; emptied of what was there.

    Returns
    -------
    (str or None, str)
        The program just after partitioning (None where XLA did not partition, on one device), and the optimized one.
    """
    for stale in dump.glob("*.txt"):
        stale.unlink()
    optimized = lowered.compile().as_text()
    found = sorted(dump.glob(PARTITIONED), key=lambda path: path.stat().st_size)
    return (found[-1].read_text(encoding="utf-8") if found else None), optimized
