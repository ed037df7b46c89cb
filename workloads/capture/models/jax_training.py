"""A training step around any loss: forward, backward, update, as one program."""

import jax
import jax.numpy as jnp

import jax_program
from models import jax_optimizer


def step_of(loss, optimizer):
    """Return `step(state, *batch) -> (state, loss)`.

    Parameters
    ----------
    loss : callable
        `loss(parameters, *batch)`, a scalar.
    optimizer : str
        "adam" or "sgd".
    """
    def step(state, *batch):
        value, gradients = jax.value_and_grad(loss)(state["parameters"], *batch)
        parameters, moments = jax_optimizer.update(optimizer, state["parameters"], gradients, state["optimizer"])
        return {"parameters": parameters, "optimizer": moments}, value

    return step


def program_of(loss, leaves, batch, rules, optimizer, facts):
    """Return the training step as a `Program`: fp32 parameters and moments, sharded as the leaves say.

    Parameters
    ----------
    loss : callable
    leaves : pytree of jax_program.Leaf
    batch : tuple of jax.ShapeDtypeStruct
    rules : jax_program.Rules
    optimizer : str
    facts : dict
        For the manifest; the number of parameters is added.
    """
    parameters = rules.structs(leaves, jnp.float32)
    state = {"parameters": parameters, "optimizer": jax_optimizer.state_of(optimizer, parameters)}
    return jax_program.Program(
        function=step_of(loss, optimizer),
        arguments=(state, *batch),
        outputs=(jax_program.shardings(state), None),
        donated=(0,),
        facts={"parameters": jax_program.parameter_count(leaves), "optimizer": optimizer, **facts},
    )


def cross_entropy(logits, targets):
    """Return the mean loss.

    Parameters
    ----------
    logits : jax.Array, shape (..., classes)
    targets : jax.Array of int, shape (...)
    """
    logits = logits.astype(jnp.float32)
    total = jax.nn.logsumexp(logits, axis=-1)
    chosen = jnp.arange(logits.shape[-1], dtype=targets.dtype) == targets[..., None]
    return jnp.mean(total - jnp.sum(jnp.where(chosen, logits, 0.0), axis=-1))
