"""Parts that decoders share: norm, rotary positions, attention with grouped heads."""

import jax
import jax.numpy as jnp

import jax_program

# `batch` takes every axis along which samples are split; weights of FSDP are split along `embed`.
AXES = {
    "batch": ("data", "fsdp", "expert"),
    "sequence": (),
    "embed": ("fsdp",),
    "heads": ("model",),
    "kv_heads": ("model",),
    "ffn": ("model",),
    "vocab": ("model",),
    "expert": ("expert",),
}
MESH_AXES = ("data", "fsdp", "expert", "model")


def rules_of(mesh, sequence_parallel=False, extra=None):
    """Return the sharding rules of a decoder on `mesh`, whose axes are among `MESH_AXES`; `extra` names more."""
    unknown = [axis for axis in mesh.axis_names if axis not in MESH_AXES]
    if unknown:
        raise ValueError(f"mesh axis '{unknown[0]}' splits nothing of this model (its axes: {', '.join(MESH_AXES)})")
    table = {**AXES, **(extra or {})}
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


def attention(x, weights, config, rules):
    """Causal attention, unfused: the scores are a tensor of the program.

    Parameters
    ----------
    x : jax.Array, shape (batch, sequence, embed)
    weights : dict
        As `attention_leaves` names them.
    config : dataclass with heads, kv_heads, head_dim, theta
    rules : jax_program.Rules

    Returns
    -------
    jax.Array, shape (batch, sequence, embed)
    """
    dtype = x.dtype
    batch, length, _ = x.shape
    groups = config.heads // config.kv_heads

    def project(weight, name):
        return rules.constrain(jnp.einsum("bse,end->bsnd", x, weight.astype(dtype)), "batch", None, name, None)

    q = rotary(project(weights["wq"], "heads"), config.theta)
    k = rotary(project(weights["wk"], "kv_heads"), config.theta)
    v = project(weights["wv"], "kv_heads")
    q = q.reshape(batch, length, config.kv_heads, groups, config.head_dim)
    scores = jnp.einsum("bskgd,btkd->bkgst", q, k, preferred_element_type=jnp.float32) * config.head_dim**-0.5
    future = jnp.arange(length)[:, None] < jnp.arange(length)[None, :]
    probabilities = jax.nn.softmax(jnp.where(future, -1e30, scores), axis=-1).astype(dtype)
    mixed = jnp.einsum("bkgst,btkd->bskgd", probabilities, v)
    mixed = rules.constrain(mixed.reshape(batch, length, config.heads, config.head_dim), "batch", None, "heads", None)
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
        "none" keeps everything; "full" keeps the input; "dots" keeps products of weights and activations.
    """
    if policy == "none":
        return layer
    if policy == "full":
        return jax.checkpoint(layer, prevent_cse=False)
    if policy == "dots":
        return jax.checkpoint(layer, prevent_cse=False,
                              policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)
    raise ValueError(f"unknown recomputation '{policy}' (none, full, dots)")
