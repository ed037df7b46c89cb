"""Parts that decoders share: norm, rotary positions, attention with grouped heads."""

import jax
import jax.numpy as jnp

import jax_program
from models import jax_attention

# `batch` takes every axis along which samples are split; weights of FSDP are split along `embed`.
AXES = {
    "layers": (),
    "batch": ("data", "fsdp", "expert"),
    "sequence": (),
    "embed": ("fsdp",),
    "heads": ("model",),
    "kv_heads": ("model",),
    "ffn": ("model",),
    "vocab": ("model",),
    "expert": ("expert",),
}


def rules_of(mesh, sequence_parallel=False, extra=None):
    """Return the sharding rules of a decoder on `mesh`; `extra` names more dimensions, or other axes of one."""
    table = {**AXES, **(extra or {})}
    known = sorted({axis for axes in table.values() for axis in axes})
    unknown = [axis for axis in mesh.axis_names if axis not in known]
    if unknown:
        raise ValueError(f"mesh axis '{unknown[0]}' splits nothing of this model (its axes: {', '.join(known)})")
    if sequence_parallel:
        table["sequence"] = ("model",)
    return jax_program.Rules(mesh, table, optional=("kv_heads",))


def rms_norm(x, weight, epsilon=1e-5):
    """Return x (batch, sequence, embed) over its root mean square, times `weight` (embed,)."""
    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, axis=-1, keepdims=True) + epsilon)
    return (wide * scale).astype(x.dtype) * weight.astype(x.dtype)


def rotary(x, theta):
    """Rotate halves of x (batch, sequence, heads, head_dim) by angles of its position."""
    half = x.shape[-1] // 2
    frequency = theta ** (-jnp.arange(half, dtype=jnp.float32) / half)
    angle = jnp.arange(x.shape[1], dtype=jnp.float32)[:, None] * frequency
    cos, sin = jnp.cos(angle)[:, None, :].astype(x.dtype), jnp.sin(angle)[:, None, :].astype(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)


def attention_leaves(config, stack, axes):
    """Return the projections and the norm of one attention, with leading dimensions `stack` named `axes`."""
    h, n, k, d = config.embed, config.heads, config.kv_heads, config.head_dim
    scale = h**-0.5
    return {
        "norm": jax_program.Leaf(stack + (h,), axes + ("embed",), mean=1.0),
        "wq": jax_program.Leaf(stack + (h, n, d), axes + ("embed", "heads", None), scale),
        "wk": jax_program.Leaf(stack + (h, k, d), axes + ("embed", "kv_heads", None), scale),
        "wv": jax_program.Leaf(stack + (h, k, d), axes + ("embed", "kv_heads", None), scale),
        "wo": jax_program.Leaf(stack + (n, d, h), axes + ("heads", None, "embed"), (n * d) ** -0.5),
    }


def attention(x, weights, config, rules, core="unfused"):
    """Causal attention.

    Parameters
    ----------
    x : jax.Array, shape (batch, sequence, embed)
    weights : dict
        As `attention_leaves` names them.
    config : dataclass with heads, kv_heads, head_dim, theta
    rules : jax_program.Rules
    core : str
        "unfused" or "flash", of `jax_attention`.

    Returns
    -------
    jax.Array, shape (batch, sequence, embed)
    """
    dtype = x.dtype

    def project(weight, name):
        return rules.constrain(jnp.einsum("bse,end->bsnd", x, weight.astype(dtype)), "batch", None, name, None)

    q = rotary(project(weights["wq"], "heads"), config.theta)
    k = rotary(project(weights["wk"], "kv_heads"), config.theta)
    v = project(weights["wv"], "kv_heads")
    mixed = rules.constrain(jax_attention.core_of(core)(q, k, v), "batch", None, "heads", None)
    return jnp.einsum("bsnd,nde->bse", mixed, weights["wo"].astype(dtype))


def attention_macs(config, length):
    """Return the multiply-adds of one token in one attention: projections, scores and values, full window."""
    projections = config.embed * config.head_dim * 2 * (config.heads + config.kv_heads)
    return projections + 2 * length * config.heads * config.head_dim


def rematerialized(layer, policy):
    """Return `layer` under a recomputation policy.

    Parameters
    ----------
    layer : callable
    policy : str
        "none" keeps everything; "full" keeps the input; "dots" keeps products of weights and activations, and what
        flash attention keeps.
    """
    if policy == "none":
        return layer
    if policy == "full":
        return jax.checkpoint(layer, prevent_cse=False)
    if policy == "dots":
        kept = jax.checkpoint_policies.save_from_both_policies(
            jax.checkpoint_policies.dots_with_no_batch_dims_saveable,
            jax.checkpoint_policies.save_only_these_names(jax_attention.KEPT))
        return jax.checkpoint(layer, prevent_cse=False, policy=kept)
    raise ValueError(f"unknown recomputation '{policy}' (none, full, dots)")
