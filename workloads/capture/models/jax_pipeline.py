"""A Llama-3-shaped training step with its pipeline inside the program: every stage at once, GPipe's schedule.

Layers are split over the mesh axis `stage`, by hand (`jax.shard_map`); everything else stays with the compiler's
partitioner. In each tick every stage works on what it holds and passes it on, so that the first and last ticks of a
stage work on nothing of use: that is the pipeline's bubble, and it is executed. The backward pass is JAX's own, the
ticks in reverse.
"""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec

from models import jax_decoder, jax_llama, jax_training


def rules_of(mesh):
    """Return a decoder's rules with layers split over `stage`."""
    return jax_decoder.rules_of(mesh, extra={"layers": ("stage",)})


def through_stages(layers, x, config, rules, remat="none", core="unfused"):
    """Return x (microbatches, batch, sequence, embed) after all stages.

    Parameters
    ----------
    layers : dict
        Stacked weights, their first dimension split over `stage`.
    x : jax.Array
    config : jax_llama.Config
    rules : jax_program.Rules
    remat, core : str
        As `jax_llama.blocks` takes them.
    """
    stages = rules.mesh.shape["stage"]
    microbatches = x.shape[0]

    def all_ticks(layers, x):
        first = jax.lax.axis_index("stage") == 0

        def tick(held, time):
            fresh = jax.lax.dynamic_index_in_dim(x, jnp.minimum(time, microbatches - 1), keepdims=False)
            y = jax_llama.blocks(jnp.where(first, fresh, held), layers, config, rules, remat, core)
            return jax.lax.ppermute(y, "stage", [(i, i + 1) for i in range(stages - 1)]), y

        nothing = jax.lax.pcast(jnp.zeros(x.shape[1:], x.dtype), "stage", to="varying")
        _, results = jax.lax.scan(tick, nothing, jnp.arange(microbatches + stages - 1))
        return results[None, stages - 1:]

    split = jax.shard_map(all_ticks, mesh=rules.mesh, in_specs=(PartitionSpec("stage"), PartitionSpec()),
                          out_specs=PartitionSpec("stage"), axis_names={"stage"})
    return split(layers, x)[-1]


def loss_of(config, rules, remat="none", core="unfused", dtype=jnp.bfloat16):
    """Return `loss(parameters, tokens, targets)` of tokens (microbatches, batch, sequence), computed in `dtype`."""
    def loss(parameters, tokens, targets):
        x = jax.lax.map(lambda one: jax_llama.embed(parameters, one, rules, dtype), tokens)
        x = through_stages(parameters["layers"], x, config, rules, remat, core)
        return jnp.mean(jax.lax.map(lambda one: jax_training.cross_entropy(
            jax_llama.logits(parameters, one[0], rules), one[1]), (x, targets)))

    return loss


def training(mesh, size="8b", microbatches=8, batch=8, sequence=4096, optimizer="adam", remat="none",
             attention="unfused", layers=None):
    """Return a training step as a program: `microbatches` of `batch` sequences on all devices together."""
    config = jax_llama.config_of(size, layers)
    stages = mesh.shape.get("stage", 1)
    if stages < 2 or config.layers % stages:
        raise ValueError(f"mesh axis 'stage' of {stages} does not split {config.layers} layers into stages")
    rules = rules_of(mesh)
    tokens = rules.struct((microbatches, batch, sequence), (None, "batch", None), jnp.int32)
    facts = {"model": f"llama3_{size}", "kind": "training step", "layers": config.layers, "batch": microbatches * batch,
             "sequence": sequence, "recomputation": remat, "attention": attention, "microbatches": microbatches,
             "model_flops": 6 * microbatches * batch * sequence * jax_llama.forward_macs(config, sequence)}
    return jax_training.program_of(loss_of(config, rules, remat, attention), jax_llama.leaves(config),
                                   (tokens, tokens), rules, optimizer, facts)
