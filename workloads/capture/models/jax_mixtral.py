"""Mixtral-shaped mixtures of experts: Llama's blocks with eight gated networks, two of which each token visits.

Sizes: Jiang et al. 2024 (arXiv 2401.04088), table 1; 8x22B from the configuration of the published weights.

Tokens are dispatched within their sequence, with a capacity, as GShard does (Lepikhin et al. 2020, arXiv
2006.16668): every shape is known before the program runs. What does not fit an expert is dropped.
"""

import dataclasses
import math

import jax
import jax.numpy as jnp

import jax_program
from models import jax_decoder, jax_llama, jax_training


@dataclasses.dataclass(frozen=True)
class Config(jax_llama.Config):
    """Sizes of a decoder whose feed-forward networks are `experts`, of which each token visits `top`."""

    experts: int = 8
    top: int = 2


SIZES = {
    "8x7b": Config(layers=32, embed=4096, heads=32, kv_heads=8, ffn=14336, vocab=32000, theta=1e6),
    "8x22b": Config(layers=56, embed=6144, heads=48, kv_heads=8, ffn=16384, vocab=32000, theta=1e6),
    "tiny": Config(layers=2, embed=32, heads=4, kv_heads=2, ffn=64, head_dim=8, vocab=64, experts=4, top=2),
}


def capacity(config, length, factor):
    """Return the rows that an expert takes of one sequence."""
    return math.ceil(factor * config.top * length / config.experts)


def leaves(config):
    """Return the parameters, one tensor for all blocks; a pytree of jax_program.Leaf."""
    h, f, e, stack = config.embed, config.ffn, config.experts, config.layers
    tree = jax_llama.leaves(config)

    def of_experts(shape, axes):
        return jax_program.Leaf((stack, e) + shape, ("layers", "expert") + axes, shape[0] ** -0.5)

    tree["layers"] = {
        "attention": tree["layers"]["attention"],
        "norm": tree["layers"]["norm"],
        "router": jax_program.Leaf((stack, h, e), ("layers", "embed", None), h**-0.5),
        "w_gate": of_experts((h, f), ("embed", "ffn")),
        "w_up": of_experts((h, f), ("embed", "ffn")),
        "w_down": of_experts((f, h), ("ffn", "embed")),
    }
    return tree


def route(scores, top, rows):
    """Choose `top` experts a token and a row in each, first choices before second ones.

    Parameters
    ----------
    scores : jax.Array, shape (batch, sequence, experts)
    top : int
    rows : int
        Capacity of an expert for one sequence.

    Returns
    -------
    expert, row : jax.Array of int, shape (batch, sequence, top)
        A row of `rows` or more is one that the expert does not have.
    weight : jax.Array, shape (batch, sequence, top)
        Softmax over the chosen scores.
    """
    chosen, expert = jax.lax.top_k(scores, top)
    weight = jax.nn.softmax(chosen, axis=-1)
    batch, length, experts = scores.shape
    # All first choices of a sequence in order, then all second ones: [batch, top * sequence, experts].
    order = jnp.swapaxes(expert, 1, 2).reshape(batch, top * length)
    taken = (order[..., None] == jnp.arange(experts)).astype(jnp.int32)
    before = jnp.sum((jnp.cumsum(taken, axis=1) - taken) * taken, axis=-1)
    row = jnp.swapaxes(before.reshape(batch, top, length), 1, 2)
    return expert, row, weight


def dispatch_masks(expert, row, weight, experts, rows, dtype):
    """Return one-hot masks (batch, sequence, experts, rows): where a token goes, and with which weight it returns."""
    to_expert = (expert[..., None] == jnp.arange(experts)).astype(dtype)
    to_row = (row[..., None] == jnp.arange(rows)).astype(dtype)
    send = jnp.einsum("bske,bskc->bsec", to_expert, to_row)
    combine = jnp.einsum("bske,bskc->bsec", to_expert * weight[..., None].astype(dtype), to_row)
    return send, combine


def experts_of(rows, weights, rules):
    """Return the experts' results for rows (experts, batch, capacity, embed)."""
    dtype = rows.dtype

    def project(weight):
        return rules.constrain(jnp.einsum("ebch,ehf->ebcf", rows, weight.astype(dtype)),
                               "expert", "rows", None, "ffn")

    gated = jax.nn.silu(project(weights["w_gate"])) * project(weights["w_up"])
    out = jnp.einsum("ebcf,efh->ebch", gated, weights["w_down"].astype(dtype))
    return rules.constrain(out, "expert", "rows", None, None)


def mixture_by_masks(x, weights, config, rules, rows):
    """Return the experts' sum for x (batch, sequence, embed); tokens move by products with one-hot masks."""
    scores = jnp.einsum("bsh,he->bse", x, weights["router"].astype(x.dtype), preferred_element_type=jnp.float32)
    expert, row, weight = route(scores, config.top, rows)
    send, combine = dispatch_masks(expert, row, weight, config.experts, rows, x.dtype)
    sent = rules.constrain(jnp.einsum("bsh,bsec->ebch", x, send), None, "batch", None, None)
    sent = rules.constrain(sent, "expert", "rows", None, None)
    back = rules.constrain(experts_of(sent, weights, rules), None, "batch", None, None)
    return jnp.einsum("ebch,bsec->bsh", back, combine)


def mixture_by_index(x, weights, config, rules, rows):
    """Return the experts' sum for x (batch, sequence, embed); tokens move by their row's index, scatter and gather."""
    batch, length, width = x.shape
    scores = jnp.einsum("bsh,he->bse", x, weights["router"].astype(x.dtype), preferred_element_type=jnp.float32)
    expert, row, weight = route(scores, config.top, rows)
    # One more slot takes what no expert has a row for.
    slots = config.experts * rows
    slot = jnp.where(row < rows, expert * rows + row, slots).reshape(batch, length * config.top)

    def fill(tokens, slot):
        repeated = jnp.repeat(tokens, config.top, axis=0)
        return jnp.zeros((slots + 1, width), x.dtype).at[slot].add(repeated)[:slots]

    sent = jax.vmap(fill)(x, slot).reshape(batch, config.experts, rows, width)
    sent = rules.constrain(jnp.swapaxes(sent, 0, 1), None, "batch", None, None)
    sent = rules.constrain(sent, "expert", "rows", None, None)
    back = rules.constrain(experts_of(sent, weights, rules), None, "batch", None, None)
    flat = jnp.swapaxes(back, 0, 1).reshape(batch, slots, width)
    flat = jnp.concatenate([flat, jnp.zeros((batch, 1, width), x.dtype)], axis=1)
    picked = jax.vmap(lambda table, slot: table[slot])(flat, slot).reshape(batch, length, config.top, width)
    return jnp.sum(picked * weight[..., None].astype(x.dtype), axis=2)


MIXTURES = {"masks": mixture_by_masks, "index": mixture_by_index}


def rules_of(mesh):
    """Return a decoder's rules, and one for the sequences that an expert's rows come from."""
    return jax_decoder.rules_of(mesh, extra={"rows": ("data", "fsdp")})


def loss_of(config, rules, rows, dispatch="masks", remat="none", dtype=jnp.bfloat16):
    """Return `loss(parameters, tokens, targets)` with `rows` rows an expert and sequence."""
    if dispatch not in MIXTURES:
        raise ValueError(f"unknown dispatch '{dispatch}' ({', '.join(MIXTURES)})")

    def layer(x, weights):
        normed = jax_decoder.rms_norm(x, weights["attention"]["norm"])
        x = rules.constrain(x + jax_decoder.attention(normed, weights["attention"], config, rules),
                            "batch", "sequence", None)
        normed = jax_decoder.rms_norm(x, weights["norm"])
        mixed = MIXTURES[dispatch](normed, weights, config, rules, rows)
        return rules.constrain(x + mixed, "batch", "sequence", None), None

    def loss(parameters, tokens, targets):
        x = jax_llama.embed(parameters, tokens, rules, dtype)
        x, _ = jax.lax.scan(jax_decoder.rematerialized(layer, remat), x, parameters["layers"])
        return jax_training.cross_entropy(jax_llama.logits(parameters, x, rules), targets)

    return loss


def forward_macs(config, length):
    """Return the multiply-adds of one token that the model needs: no masks, no empty rows; attention full window."""
    a_block = (jax_decoder.attention_macs(config, length) + config.embed * config.experts
               + config.top * 3 * config.embed * config.ffn)
    return config.layers * a_block + config.embed * config.vocab


def training(mesh, size="8x7b", batch=8, sequence=4096, capacity_factor=1.25, dispatch="masks", optimizer="adam",
             remat="none", layers=None):
    """Return a training step as a program: `batch` sequences on all devices together, bf16 over fp32 weights."""
    if size not in SIZES:
        raise ValueError(f"unknown size '{size}' ({', '.join(SIZES)})")
    config = SIZES[size] if layers is None else dataclasses.replace(SIZES[size], layers=layers)
    rules = rules_of(mesh)
    rows = capacity(config, sequence, capacity_factor)
    tokens = rules.struct((batch, sequence), ("batch", None), jnp.int32)
    facts = {"model": f"mixtral_{size}", "kind": "training step", "layers": config.layers, "batch": batch,
             "sequence": sequence, "recomputation": remat, "dispatch": dispatch, "expert_rows": rows,
             "model_flops": 6 * batch * sequence * forward_macs(config, sequence)}
    return jax_training.program_of(loss_of(config, rules, rows, dispatch, remat), leaves(config), (tokens, tokens),
                                   rules, optimizer, facts)
