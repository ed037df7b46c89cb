"""The core of attention, after the projections of queries, keys and values, with one key for a group of heads.

`unfused` is what a compiler sees where no kernel takes its place: its scores are tensors of the program. `flash`
keeps its result and a number a row, and computes the scores again in its backward pass, as fused kernels do
(Dao et al. 2022, arXiv 2205.14135): two operators, `dse.flash_attention` and `dse.flash_attention_backward`, each a
`stablehlo.composite` that carries its meaning with it.
"""

import functools

import jax
import jax.numpy as jnp
from jax.ad_checkpoint import checkpoint_name

# What a recomputation policy may keep by name, so that the operator is not run again.
KEPT = "flash_attention"


def _grouped(q, kv_heads):
    """Return q (batch, sequence, heads, d) as (batch, sequence, kv_heads, group, d)."""
    batch, length, heads, d = q.shape
    return q.reshape(batch, length, kv_heads, heads // kv_heads, d)


def _scores(q, k):
    """Return causal scores (batch, kv_heads, group, sequence, sequence) of grouped q with k, in fp32."""
    scores = jnp.einsum("bskgd,btkd->bkgst", q, k, preferred_element_type=jnp.float32) * q.shape[-1] ** -0.5
    position = jnp.arange(q.shape[1])
    return jnp.where(position[:, None] < position[None, :], -1e30, scores)


def unfused(q, k, v):
    """Return causal attention of q (batch, sequence, heads, d) to k, v (batch, sequence, kv_heads, d), as q."""
    grouped = _grouped(q, k.shape[2])
    probabilities = jax.nn.softmax(_scores(grouped, k), axis=-1).astype(q.dtype)
    return jnp.einsum("bkgst,btkd->bskgd", probabilities, v).reshape(q.shape)


@functools.partial(jax.lax.composite, name="dse.flash_attention", version=1)
def _forward(q, k, v, *, causal):
    """Return (result as q, logarithm of the sum of exponentials (batch, kv_heads, group, sequence) in fp32)."""
    assert causal
    scores = _scores(_grouped(q, k.shape[2]), k)
    total = jax.nn.logsumexp(scores, axis=-1)
    probabilities = jnp.exp(scores - total[..., None]).astype(q.dtype)
    return jnp.einsum("bkgst,btkd->bskgd", probabilities, v).reshape(q.shape), total


@functools.partial(jax.lax.composite, name="dse.flash_attention_backward", version=1)
def _backward(q, k, v, out, total, gradient, *, causal):
    """Return the gradients of q, k and v: scores again, then four more products."""
    assert causal
    kv_heads, dtype, scale = k.shape[2], q.dtype, q.shape[-1] ** -0.5
    q5, g5 = _grouped(q, kv_heads), _grouped(gradient, kv_heads)
    probabilities = jnp.exp(_scores(q5, k) - total[..., None])
    dv = jnp.einsum("bkgst,bskgd->btkd", probabilities.astype(dtype), g5)
    of_probabilities = jnp.einsum("bskgd,btkd->bkgst", g5, v, preferred_element_type=jnp.float32)
    rows = jnp.sum(gradient.astype(jnp.float32) * out.astype(jnp.float32), axis=-1)
    rows = jnp.moveaxis(_grouped(rows[..., None], kv_heads)[..., 0], 1, 3)
    of_scores = (probabilities * (of_probabilities - rows[..., None]) * scale).astype(dtype)
    dq = jnp.einsum("bkgst,btkd->bskgd", of_scores, k).reshape(q.shape)
    dk = jnp.einsum("bkgst,bskgd->btkd", of_scores, q5)
    return dq, dk, dv


@jax.custom_vjp
def flash(q, k, v):
    """Return what `unfused` returns, by operators that keep no scores."""
    return _forward(q, k, v, causal=True)[0]


def _flash_forward(q, k, v):
    out, total = (checkpoint_name(value, KEPT) for value in _forward(q, k, v, causal=True))
    return out, (q, k, v, out, total)


def _flash_backward(kept, gradient):
    return _backward(*kept, gradient, causal=True)


flash.defvjp(_flash_forward, _flash_backward)

CORES = {"unfused": unfused, "flash": flash}


def core_of(name):
    """Return the core of attention called `name`."""
    if name not in CORES:
        raise ValueError(f"unknown attention '{name}' ({', '.join(CORES)})")
    return CORES[name]
