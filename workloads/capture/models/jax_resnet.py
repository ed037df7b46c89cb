"""ResNet-50 (He et al. 2016, arXiv 1512.03385, table 1), the stride of a block in its 3x3 convolution; NHWC.

Statistics of a batch norm are means over all samples of all devices.
"""

import jax
import jax.numpy as jnp

import jax_program
from models import jax_training

BLOCKS, WIDTHS, CLASSES = (3, 4, 6, 3), (64, 128, 256, 512), 1000
EXPANSION = 4


def _convolution_leaf(size, inputs, outputs):
    deviation = (2.0 / (size * size * outputs)) ** 0.5
    return jax_program.Leaf((size, size, inputs, outputs), (None,) * 4, deviation)


def _norm_leaves(width, scale=1.0):
    return {"scale": jax_program.Leaf((width,), (None,), mean=scale), "shift": jax_program.Leaf((width,), (None,))}


def _block_leaves(inputs, width, project):
    tree = {
        "reduce": _convolution_leaf(1, inputs, width), "norm1": _norm_leaves(width),
        "spatial": _convolution_leaf(3, width, width), "norm2": _norm_leaves(width),
        "expand": _convolution_leaf(1, width, width * EXPANSION), "norm3": _norm_leaves(width * EXPANSION, 0.0),
    }
    if project:
        tree["project"] = _convolution_leaf(1, inputs, width * EXPANSION)
        tree["norm_project"] = _norm_leaves(width * EXPANSION)
    return tree


def leaves(blocks=BLOCKS, widths=WIDTHS, classes=CLASSES):
    """Return the parameters: a pytree of jax_program.Leaf; `stages` holds one list of blocks for each width."""
    inputs, stages = widths[0], []
    for count, width in zip(blocks, widths):
        stage = []
        for position in range(count):
            stage.append(_block_leaves(inputs, width, position == 0))
            inputs = width * EXPANSION
        stages.append(stage)
    return {"stem": _convolution_leaf(7, 3, widths[0]), "norm": _norm_leaves(widths[0]), "stages": stages,
            "classifier": jax_program.Leaf((inputs, classes), (None, None), inputs**-0.5),
            "bias": jax_program.Leaf((classes,), (None,))}


def convolution(x, weight, stride=1):
    """Return x (batch, height, width, channels) under filters (height, width, channels, filters), padded by half."""
    half = weight.shape[0] // 2
    return jax.lax.conv_general_dilated(x, weight.astype(x.dtype), (stride, stride), [(half, half)] * 2,
                                        dimension_numbers=("NHWC", "HWIO", "NHWC"))


def batch_norm(x, weights, epsilon=1e-5):
    """Return x with each channel normed over batch, height and width, in fp32."""
    wide = x.astype(jnp.float32)
    mean = jnp.mean(wide, axis=(0, 1, 2))
    variance = jnp.mean(wide * wide, axis=(0, 1, 2)) - mean * mean
    factor = jax.lax.rsqrt(variance + epsilon) * weights["scale"]
    return ((wide - mean) * factor + weights["shift"]).astype(x.dtype)


def max_pool(x):
    """Return the largest of each 3x3 window of x, every second one."""
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), [(0, 0), (1, 1), (1, 1), (0, 0)])


def block(x, weights, stride):
    """Return x after one bottleneck block."""
    y = jax.nn.relu(batch_norm(convolution(x, weights["reduce"]), weights["norm1"]))
    y = jax.nn.relu(batch_norm(convolution(y, weights["spatial"], stride), weights["norm2"]))
    y = batch_norm(convolution(y, weights["expand"]), weights["norm3"])
    if "project" in weights:
        x = batch_norm(convolution(x, weights["project"], stride), weights["norm_project"])
    return jax.nn.relu(x + y)


def logits(parameters, images):
    """Return scores (batch, classes) of images (batch, height, width, 3)."""
    x = max_pool(jax.nn.relu(batch_norm(convolution(images, parameters["stem"], 2), parameters["norm"])))
    for number, stage in enumerate(parameters["stages"]):
        for position, weights in enumerate(stage):
            x = block(x, weights, 2 if number > 0 and position == 0 else 1)
    pooled = jnp.mean(x, axis=(1, 2))
    return pooled @ parameters["classifier"].astype(x.dtype) + parameters["bias"].astype(x.dtype)


def loss(parameters, images, labels):
    """Return the mean loss of images (batch, height, width, 3) with labels (batch,)."""
    return jax_training.cross_entropy(logits(parameters, images), labels)


def training(mesh, batch=256, image=224, optimizer="sgd"):
    """Return a training step as a program: `batch` images on all devices together, bf16 over fp32 weights."""
    rules = jax_program.Rules(mesh, {"batch": tuple(mesh.axis_names)})
    images = rules.struct((batch, image, image, 3), ("batch", None, None, None), jnp.bfloat16)
    labels = rules.struct((batch,), ("batch",), jnp.int32)
    facts = {"model": "resnet50", "kind": "training step", "batch": batch, "image": image,
             "model_flops": training_flops(batch, image)}
    return jax_training.program_of(loss, leaves(), (images, labels), rules, optimizer, facts)


def forward_macs(image=224):
    """Return (multiply-adds of the stem, of everything after it) for one image, whole windows."""
    side = image // 2
    stem = side * side * 7 * 7 * 3 * WIDTHS[0]
    side, inputs, rest = side // 2, WIDTHS[0], 0
    for number, (count, width) in enumerate(zip(BLOCKS, WIDTHS)):
        for position in range(count):
            wide = side
            if number > 0 and position == 0:
                side //= 2
            rest += wide * wide * inputs * width + side * side * width * width * (9 + EXPANSION)
            if position == 0:
                rest += side * side * inputs * width * EXPANSION
            inputs = width * EXPANSION
    return stem, rest + inputs * CLASSES


def training_flops(batch, image):
    """Return the FLOPs of a step: three times the forward pass, less the gradient of the images."""
    stem, rest = forward_macs(image)
    return 2 * batch * (2 * stem + 3 * rest)
