"""Llama-shaped decoders: a training step, or the forward and backward pass of one pipeline stage.

Sizes: Grattafiori et al. 2024 (arXiv 2407.21783), table 3; vocabulary 128,256; rotary base 500,000. MaxText's own sizes
(AI-Hypercomputer/maxtext e591f30, configs/tpu) have a vocabulary of 32,000.
"""

import dataclasses

import jax
import jax.numpy as jnp

import jax_program
from models import jax_decoder, jax_training


@dataclasses.dataclass(frozen=True)
class Config:
    """Sizes of a decoder; `layers` blocks of attention and a gated feed-forward network."""

    layers: int
    embed: int
    heads: int
    kv_heads: int
    ffn: int
    head_dim: int = 128
    vocab: int = 128256
    theta: float = 500000.0


SIZES = {
    "8b": Config(layers=32, embed=4096, heads=32, kv_heads=8, ffn=14336),
    "70b": Config(layers=80, embed=8192, heads=64, kv_heads=8, ffn=28672),
    "405b": Config(layers=126, embed=16384, heads=128, kv_heads=8, ffn=53248),
    "maxtext_22b": Config(layers=48, embed=6144, heads=24, kv_heads=24, ffn=24576, vocab=32000),
    "maxtext_32b": Config(layers=32, embed=8192, heads=64, kv_heads=64, ffn=28672, vocab=32000),
    "maxtext_52b": Config(layers=32, embed=12288, heads=32, kv_heads=32, ffn=49152, vocab=32000),
    "tiny": Config(layers=3, embed=32, heads=4, kv_heads=2, ffn=64, head_dim=8, vocab=64),
}


def leaves(config, layers=None, scan=True, first=True, last=True):
    """Return the parameters of `layers` blocks (all of them unless stated), with embedding and head at the ends.

    Parameters
    ----------
    config : Config
    layers : int, optional
    scan : bool
        One tensor for all blocks, with a leading dimension, or a list of blocks.
    first, last : bool
        Whether the embedding, and the last norm and the head, belong to it.

    Returns
    -------
    dict
        Pytree of jax_program.Leaf.
    """
    count = config.layers if layers is None else layers
    h, vocab = config.embed, config.vocab
    tree = {"layers": _block(config, (count,), ("layers",)) if scan else [_block(config, (), ()) for _ in range(count)]}
    if first:
        tree["embedding"] = jax_program.Leaf((vocab, h), ("vocab", "embed"), 1.0)
    if last:
        tree["norm"] = jax_program.Leaf((h,), ("embed",), mean=1.0)
        tree["head"] = jax_program.Leaf((h, vocab), ("embed", "vocab"), h**-0.5)
    return tree


def _block(config, stack, axes):
    h, f = config.embed, config.ffn
    return {
        "attention": jax_decoder.attention_leaves(config, stack, axes),
        "norm": jax_program.Leaf(stack + (h,), axes + ("embed",), mean=1.0),
        "w_gate": jax_program.Leaf(stack + (h, f), axes + ("embed", "ffn"), h**-0.5),
        "w_up": jax_program.Leaf(stack + (h, f), axes + ("embed", "ffn"), h**-0.5),
        "w_down": jax_program.Leaf(stack + (f, h), axes + ("ffn", "embed"), f**-0.5),
    }


def block(x, weights, config, rules, core="unfused"):
    """Return x (batch, sequence, embed) after one decoder block."""
    dtype = x.dtype
    normed = jax_decoder.rms_norm(x, weights["attention"]["norm"])
    x = rules.constrain(x + jax_decoder.attention(normed, weights["attention"], config, rules, core),
                        "batch", "sequence", None)
    normed = jax_decoder.rms_norm(x, weights["norm"])

    def project(weight):
        return rules.constrain(jnp.einsum("bse,ef->bsf", normed, weight.astype(dtype)), "batch", None, "ffn")

    gated = jax.nn.silu(project(weights["w_gate"])) * project(weights["w_up"])
    down = jnp.einsum("bsf,fe->bse", gated, weights["w_down"].astype(dtype))
    return rules.constrain(x + down, "batch", "sequence", None)


def blocks(x, layers, config, rules, remat="none", core="unfused"):
    """Return x after all blocks: a scan over stacked weights, or a list of blocks one after the other."""
    layer = jax_decoder.rematerialized(lambda x, weights: block(x, weights, config, rules, core), remat)
    if isinstance(layers, dict):
        return jax.lax.scan(lambda x, weights: (layer(x, weights), None), x, layers)[0]
    for weights in layers:
        x = layer(x, weights)
    return x


def embed(parameters, tokens, rules, dtype):
    """Return the vectors (batch, sequence, embed) of tokens (batch, sequence)."""
    table = parameters["embedding"].astype(dtype)
    return rules.constrain(jnp.take(table, tokens, axis=0), "batch", "sequence", None)


def logits(parameters, x, rules):
    """Return scores (batch, sequence, vocab) in the dtype of x."""
    normed = jax_decoder.rms_norm(x, parameters["norm"])
    return rules.constrain(jnp.einsum("bse,ev->bsv", normed, parameters["head"].astype(x.dtype)),
                           "batch", None, "vocab")


def loss_of(config, rules, remat="none", core="unfused", dtype=jnp.bfloat16):
    """Return `loss(parameters, tokens, targets)` of the whole model, computed in `dtype`."""
    def loss(parameters, tokens, targets):
        x = blocks(embed(parameters, tokens, rules, dtype), parameters["layers"], config, rules, remat, core)
        return jax_training.cross_entropy(logits(parameters, x, rules), targets)

    return loss


def forward_macs(config, length, layers=None, last=True):
    """Return the multiply-adds of one token through `layers` blocks and the head, attention with full window."""
    count = config.layers if layers is None else layers
    a_block = jax_decoder.attention_macs(config, length) + 3 * config.embed * config.ffn
    return count * a_block + (config.embed * config.vocab if last else 0)


def config_of(size, layers=None):
    """Return the sizes called `size`, with another number of layers where one is stated."""
    if size not in SIZES:
        raise ValueError(f"unknown size '{size}' ({', '.join(SIZES)})")
    return SIZES[size] if layers is None else dataclasses.replace(SIZES[size], layers=layers)


def name_of(size):
    """Return a model's name: sizes that are numbers alone are Llama 3's."""
    return size if "_" in size else f"llama3_{size}"


def training(mesh, size="8b", batch=8, sequence=4096, optimizer="adam", scan=True, remat="none",
             attention="unfused", sequence_parallel=False, layers=None):
    """Return a training step as a program: `batch` sequences on all devices together, bf16 over fp32 weights."""
    config = config_of(size, layers)
    rules = jax_decoder.rules_of(mesh, sequence_parallel)
    tokens = rules.struct((batch, sequence), ("batch", None), jnp.int32)
    facts = {"model": name_of(size), "kind": "training step", "layers": config.layers, "batch": batch,
             "sequence": sequence, "recomputation": remat, "attention": attention,
             "model_flops": 6 * batch * sequence * forward_macs(config, sequence)}
    return jax_training.program_of(loss_of(config, rules, remat, attention), leaves(config, scan=scan),
                                   (tokens, tokens), rules, optimizer, facts)


def pipeline_stage(mesh, size="8b", stage=1, stages=4, batch=8, sequence=4096, scan=True, remat="none",
                   attention="unfused", sequence_parallel=False, layers=None):
    """Return forward and backward pass of one stage for one microbatch; gradients are added to those before it.

    `(parameters, gradients, x, dy) -> (y, dx, gradients)`. Of the first stage x are tokens, and there is no dx; of
    the last one dy are target tokens, and y is the loss.
    """
    config = config_of(size, layers)
    if not 0 <= stage < stages or config.layers % stages:
        raise ValueError(f"stage {stage} of {stages} does not fit {config.layers} layers")
    rules = jax_decoder.rules_of(mesh, sequence_parallel)
    count, first, last = config.layers // stages, stage == 0, stage == stages - 1
    tree = leaves(config, count, scan, first, last)
    tokens = rules.struct((batch, sequence), ("batch", None), jnp.int32)
    activation = rules.struct((batch, sequence, config.embed), ("batch", "sequence", None), jnp.bfloat16)
    parameters = rules.structs(tree, jnp.float32)

    def forward(parameters, x, targets):
        if first:
            x = embed(parameters, x, rules, jnp.bfloat16)
        x = blocks(x, parameters["layers"], config, rules, remat, attention)
        return jax_training.cross_entropy(logits(parameters, x, rules), targets) if last else x

    def step(parameters, gradients, x, dy):
        by = (0,) if first else (0, 1)
        y, backward = _vjp(forward, by, parameters, x, dy)
        found = backward(jnp.ones((), y.dtype) if last else dy)
        gradients = jax.tree.map(jnp.add, gradients, found[0])
        return y, (None if first else found[1]), gradients

    return jax_program.Program(
        function=step,
        arguments=(parameters, parameters, tokens if first else activation, tokens if last else activation),
        outputs=(None if last else activation.sharding, None if first else activation.sharding,
                 jax_program.shardings(parameters)),
        donated=(1,),
        facts={"model": name_of(size), "kind": f"pipeline stage {stage} of {stages}, forward and backward",
               "layers": count, "batch": batch, "sequence": sequence, "recomputation": remat,
               "attention": attention, "parameters": jax_program.parameter_count(tree),
               "model_flops": 6 * batch * sequence * forward_macs(config, sequence, count, last)})


def _vjp(function, by, *arguments):
    """Return the value of `function` and its backward pass with respect to the arguments `by`."""
    def of(*chosen):
        rest = list(arguments)
        for position, value in zip(by, chosen):
            rest[position] = value
        return function(*rest)

    return jax.vjp(of, *(arguments[position] for position in by))
