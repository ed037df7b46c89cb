"""Adam and SGD with momentum as pure functions; moments are fp32 and lie as their parameters do."""

import jax
import jax.numpy as jnp

BETA1, BETA2, EPSILON = 0.9, 0.95, 1e-8
MOMENTUM = 0.9


def state_of(name, parameters):
    """Return an optimizer's state for `parameters`.

    Parameters
    ----------
    name : str
        "adam" or "sgd".
    parameters : pytree of jax.ShapeDtypeStruct or jax.Array

    Returns
    -------
    dict of str to pytree
        Structs where `parameters` are structs, zeros where they are arrays.
    """
    def moments():
        return jax.tree.map(_moment, parameters)

    if name == "adam":
        return {"first": moments(), "second": moments(), "step": _scalar(parameters)}
    if name == "sgd":
        return {"momentum": moments()}
    raise ValueError(f"unknown optimizer '{name}' (adam, sgd)")


def update(name, parameters, gradients, state, rate=3e-4):
    """Return (parameters, state) after one step.

    Parameters
    ----------
    name : str
    parameters, gradients : pytree of jax.Array
        Of equal structure.
    state : dict
        As `state_of` makes it.
    rate : float
        Learning rate.
    """
    gradients = jax.tree.map(lambda g: g.astype(jnp.float32), gradients)
    if name == "sgd":
        momentum = jax.tree.map(lambda m, g: MOMENTUM * m + g, state["momentum"], gradients)
        return _apply(parameters, momentum, rate), {"momentum": momentum}
    step = state["step"] + 1
    first = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, state["first"], gradients)
    second = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, state["second"], gradients)
    t = step.astype(jnp.float32)
    correction1, correction2 = 1 - BETA1**t, 1 - BETA2**t
    direction = jax.tree.map(lambda m, v: (m / correction1) / (jnp.sqrt(v / correction2) + EPSILON), first, second)
    return _apply(parameters, direction, rate), {"first": first, "second": second, "step": step}


def _apply(parameters, direction, rate):
    return jax.tree.map(lambda p, d: (p.astype(jnp.float32) - rate * d).astype(p.dtype), parameters, direction)


def _moment(leaf):
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return jax.ShapeDtypeStruct(leaf.shape, jnp.float32, sharding=leaf.sharding)
    return jnp.zeros(leaf.shape, jnp.float32)


def _scalar(parameters):
    leaf = jax.tree.leaves(parameters)[0]
    if not isinstance(leaf, jax.ShapeDtypeStruct):
        return jnp.zeros((), jnp.int32)
    replicated = jax.sharding.NamedSharding(leaf.sharding.mesh, jax.sharding.PartitionSpec())
    return jax.ShapeDtypeStruct((), jnp.int32, sharding=replicated)
