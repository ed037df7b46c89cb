"""What jax_capture.py captures: a function with the shapes and shardings of its arguments, never their values."""

import dataclasses
import math
import typing

import jax
from jax.sharding import NamedSharding, PartitionSpec


@dataclasses.dataclass(frozen=True)
class Program:
    """A function to capture.

    Attributes
    ----------
    function : callable
        What is lowered; traceable by `jax.jit`.
    arguments : tuple
        One pytree of `jax.ShapeDtypeStruct` (global shapes, with shardings) for each positional argument.
    outputs : pytree of jax.sharding.Sharding or None
        Shardings of the results, a prefix of their tree; the compiler chooses where None stands.
    donated : tuple of int
        Arguments whose memory the results may take.
    facts : dict
        What the author states of it, copied into the manifest: model, sizes, `parameters` (a count),
        `model_flops` (multiply and add counted as two, of one call, on all devices together).
    """

    function: typing.Callable
    arguments: tuple
    outputs: typing.Any = None
    donated: tuple = ()
    facts: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Leaf:
    """A parameter before it has values: its shape, a name for each dimension, and how it is drawn.

    Attributes
    ----------
    shape : tuple of int
    axes : tuple of str or None
        Logical name of each dimension; `Rules` maps it to mesh axes.
    scale : float
        Standard deviation of its initial values around `mean`.
    mean : float
    """

    shape: tuple
    axes: tuple
    scale: float = 0.0
    mean: float = 0.0


def _is_leaf(node):
    return isinstance(node, Leaf)


def parameter_count(tree):
    """Return how many numbers the leaves of `tree` hold together."""
    return sum(math.prod(leaf.shape) for leaf in jax.tree.leaves(tree, is_leaf=_is_leaf))


def concrete(tree, key, dtype):
    """Draw values for every leaf; for tests of small models only.

    Parameters
    ----------
    tree : pytree of Leaf
    key : jax.Array
        Random key.
    dtype : dtype

    Returns
    -------
    pytree of jax.Array
    """
    leaves, structure = jax.tree.flatten(tree, is_leaf=_is_leaf)
    keys = jax.random.split(key, len(leaves))
    return structure.unflatten([(leaf.mean + leaf.scale * jax.random.normal(k, leaf.shape)).astype(dtype)
                                for leaf, k in zip(leaves, keys)])


class Rules:
    """Which mesh axes split which logical dimension.

    Parameters
    ----------
    mesh : jax.sharding.Mesh
    table : dict of str to tuple of str
        Mesh axes of each logical name, major first. Axes that the mesh does not have are left out.
    optional : collection of str
        Logical names that stay whole where their axes do not divide them (key and value heads).
    """

    def __init__(self, mesh, table, optional=()):
        self.mesh = mesh
        self._table = {name: tuple(axis for axis in axes if mesh.shape.get(axis, 1) > 1)
                       for name, axes in table.items()}
        self._optional = frozenset(optional)

    def degree(self, name):
        """Return into how many parts the logical dimension is split."""
        return math.prod(self.mesh.shape[axis] for axis in self._table[name])

    def sharding(self, shape, axes):
        """Return the sharding of a tensor.

        Parameters
        ----------
        shape : tuple of int
        axes : tuple of str or None
            One for each dimension.

        Returns
        -------
        jax.sharding.NamedSharding

        Raises
        ------
        ValueError
            Where a dimension is not a multiple of the axes that split it.
        """
        parts = []
        for size, name in zip(shape, axes, strict=True):
            split = self._table[name] if name else ()
            if split and size % self.degree(name):
                if name not in self._optional:
                    raise ValueError(f"dimension '{name}' of {size} cannot be divided into {self.degree(name)} parts "
                                     f"(mesh axes {', '.join(split)})")
                split = ()
            parts.append(None if not split else split[0] if len(split) == 1 else split)
        return NamedSharding(self.mesh, PartitionSpec(*parts))

    def constrain(self, value, *axes):
        """Return `value` under the sharding of its logical dimensions; itself on a mesh of one device."""
        if self.mesh.size == 1:
            return value
        sharding = self.sharding(value.shape, axes)
        # Inside a shard_map the mesh has another type: some of its axes are split by hand there.
        around = jax.sharding.get_abstract_mesh()
        if not around.empty:
            sharding = NamedSharding(around, sharding.spec)
        return jax.lax.with_sharding_constraint(value, sharding)

    def struct(self, shape, axes, dtype):
        """Return a tensor without values, sharded."""
        return jax.ShapeDtypeStruct(shape, dtype, sharding=self.sharding(shape, axes))

    def structs(self, tree, dtype):
        """Return the leaves of `tree` as tensors without values, sharded."""
        return jax.tree.map(lambda leaf: self.struct(leaf.shape, leaf.axes, dtype), tree, is_leaf=_is_leaf)


def shardings(tree):
    """Return the shardings of a pytree of `jax.ShapeDtypeStruct`."""
    return jax.tree.map(lambda struct: struct.sharding, tree)
