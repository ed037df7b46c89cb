"""Vision transformers (Dosovitskiy et al. 2021, arXiv 2010.11929, table 1), with a class token, before dropout."""

import dataclasses

import jax
import jax.numpy as jnp

import jax_program
from models import jax_decoder, jax_training


@dataclasses.dataclass(frozen=True)
class Config:
    """Sizes of an encoder over `image`/`patch` squared patches and a class token."""

    layers: int
    embed: int
    heads: int
    ffn: int
    patch: int
    image: int = 224
    classes: int = 1000

    @property
    def tokens(self):
        """Length of the sequence: the patches and the class token."""
        return (self.image // self.patch) ** 2 + 1


SIZES = {
    "b_16": Config(layers=12, embed=768, heads=12, ffn=3072, patch=16),
    "l_16": Config(layers=24, embed=1024, heads=16, ffn=4096, patch=16),
    "h_14": Config(layers=32, embed=1280, heads=16, ffn=5120, patch=14),
    "tiny": Config(layers=2, embed=32, heads=4, ffn=64, patch=8, image=32, classes=10),
}


def _dense(stack, names, shape, axes, inputs):
    return {"w": jax_program.Leaf(stack + shape, names + axes, inputs**-0.5),
            "b": jax_program.Leaf(stack + shape[1:] if len(shape) == 2 else stack + shape[-1:],
                                  names + axes[1:] if len(shape) == 2 else names + axes[-1:])}


def _norm(stack, names, width):
    return {"scale": jax_program.Leaf(stack + (width,), names + (None,), mean=1.0),
            "shift": jax_program.Leaf(stack + (width,), names + (None,))}


def leaves(config):
    """Return the parameters, one tensor for all blocks; a pytree of jax_program.Leaf."""
    h, f, stack, names = config.embed, config.ffn, (config.layers,), (None,)
    layers = {"norm1": _norm(stack, names, h), "norm2": _norm(stack, names, h),
              "qkv": _dense(stack, names, (h, 3 * h), ("embed", "heads"), h),
              "out": _dense(stack, names, (h, h), ("heads", "embed"), h),
              "up": _dense(stack, names, (h, f), ("embed", "ffn"), h),
              "down": _dense(stack, names, (f, h), ("ffn", "embed"), f)}
    inputs = 3 * config.patch**2
    return {"patches": _dense((), (), (inputs, h), (None, "embed"), inputs), "layers": layers,
            "class": jax_program.Leaf((1, 1, h), (None, None, "embed")),
            "positions": jax_program.Leaf((1, config.tokens, h), (None, None, "embed"), 0.02),
            "norm": _norm((), (), h), "head": _dense((), (), (h, config.classes), ("embed", None), h)}


def layer_norm(x, weights, epsilon=1e-6):
    """Return x normed over its last dimension, in fp32."""
    wide = x.astype(jnp.float32)
    mean = jnp.mean(wide, axis=-1, keepdims=True)
    variance = jnp.mean((wide - mean) ** 2, axis=-1, keepdims=True)
    return ((wide - mean) * jax.lax.rsqrt(variance + epsilon) * weights["scale"] + weights["shift"]).astype(x.dtype)


def dense(x, weights):
    """Return x times a weight, plus a bias."""
    return jnp.einsum("...i,io->...o", x, weights["w"].astype(x.dtype)) + weights["b"].astype(x.dtype)


def attention(x, weights, config, rules):
    """Return attention of all tokens x (batch, tokens, embed) to all, unfused, before its last projection."""
    batch, length, width = x.shape
    qkv = dense(x, weights).reshape(batch, length, 3, config.heads, width // config.heads)
    q, k, v = (rules.constrain(qkv[:, :, i], "batch", None, "heads", None) for i in range(3))
    scores = jnp.einsum("bsnd,btnd->bnst", q, k, preferred_element_type=jnp.float32) * q.shape[-1] ** -0.5
    mixed = jnp.einsum("bnst,btnd->bsnd", jax.nn.softmax(scores, axis=-1).astype(x.dtype), v)
    return mixed.reshape(batch, length, width)


def logits(parameters, images, config, rules, remat="none"):
    """Return scores (batch, classes) of images (batch, height, width, 3)."""
    batch, side = images.shape[0], config.image // config.patch
    patches = images.reshape(batch, side, config.patch, side, config.patch, 3).transpose(0, 1, 3, 2, 4, 5)
    x = dense(patches.reshape(batch, side * side, -1), parameters["patches"])
    first = jnp.broadcast_to(parameters["class"].astype(x.dtype), (batch, 1, config.embed))
    x = jnp.concatenate([first, x], axis=1) + parameters["positions"].astype(x.dtype)

    def layer(x, weights):
        mixed = attention(layer_norm(x, weights["norm1"]), weights["qkv"], config, rules)
        x = rules.constrain(x + dense(mixed, weights["out"]), "batch", None, None)
        wide = jax.nn.gelu(dense(layer_norm(x, weights["norm2"]), weights["up"]), approximate=False)
        return rules.constrain(x + dense(wide, weights["down"]), "batch", None, None), None

    x, _ = jax.lax.scan(jax_decoder.rematerialized(layer, remat), x, parameters["layers"])
    return dense(layer_norm(x[:, 0], parameters["norm"]), parameters["head"])


def forward_macs(config):
    """Return (multiply-adds of the patches' projection, of everything after it) for one image."""
    h, tokens = config.embed, config.tokens
    patches = (tokens - 1) * 3 * config.patch**2 * h
    a_layer = tokens * (4 * h * h + 2 * h * config.ffn) + 2 * tokens * tokens * h
    return patches, config.layers * a_layer + h * config.classes


def training(mesh, size="l_16", batch=64, optimizer="adam", remat="none"):
    """Return a training step as a program: `batch` images on all devices together, bf16 over fp32 weights."""
    if size not in SIZES:
        raise ValueError(f"unknown size '{size}' ({', '.join(SIZES)})")
    config = SIZES[size]
    rules = jax_decoder.rules_of(mesh)
    images = rules.struct((batch, config.image, config.image, 3), ("batch", None, None, None), jnp.bfloat16)
    labels = rules.struct((batch,), ("batch",), jnp.int32)

    def loss(parameters, images, labels):
        return jax_training.cross_entropy(logits(parameters, images, config, rules, remat), labels)

    patches, rest = forward_macs(config)
    facts = {"model": f"vit_{size}", "kind": "training step", "layers": config.layers, "batch": batch,
             "image": config.image, "recomputation": remat, "model_flops": 2 * batch * (2 * patches + 3 * rest)}
    return jax_training.program_of(loss, leaves(config), (images, labels), rules, optimizer, facts)
