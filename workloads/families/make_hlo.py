"""Makes families of compilers' programs: training steps of transformers and of convolutional nets, as HLO.

Usage: make_hlo.py DSE transformers|convolutions FOLDER [NUMBER [SEED]]

Writes NUMBER programs of layouts and sizes that a seed draws, has dse import each, and prints the traces' prefixes: all for
`dse synth fit`, or some of them, and the others for `dse synth judge`.
"""

import pathlib
import random
import subprocess
import sys

from hlo_text import Program


def normalized(p, x, scale):
    """Divide rows by their roots of mean squares."""
    power = p.sum(p.multiply(x, x), [1])
    unit = p.multiply(x, p.broadcast(p.pointwise("rsqrt", power, "negate"), x.shape, [0]))
    return p.multiply(unit, p.broadcast(scale, x.shape, [1]))


def attention(p, x, weights, heads, tokens):
    width = weights[0].shape[1] // heads
    parts = [p.transpose(p.reshape(p.dot(x, w), tokens, heads, width), [1, 0, 2]) for w in weights[:3]]
    scores = p.pointwise("exponential", p.dot(parts[0], p.transpose(parts[1], [0, 2, 1])))
    share = p.multiply(scores, p.broadcast(p.pointwise("negate", p.sum(scores, [2])), scores.shape, [0, 1]))
    mixed = p.reshape(p.transpose(p.dot(share, parts[2]), [1, 0, 2]), tokens, heads * width)
    return p.dot(mixed, weights[3])


def transformer(draw):
    """Return a step of layers that are cut over `near` neighbours, and of batches over the ranks that are left."""
    near, far = draw.choice([1, 2, 4]), draw.choice([1, 2, 4, 8])
    tokens, heads = draw.choice([512, 1024, 2048]), draw.choice([4, 8, 16])
    width, gated, positions = 64 * heads, draw.random() < 0.6, draw.random() < 0.3
    inner = draw.choice([2, 4]) * width
    p = Program(near * far)
    x = p.parameter(tokens, width)
    if positions:
        x = p.add(x, p.weight(tokens, width))
    for _ in range(draw.choice([2, 3, 4, 6, 8, 12])):
        part = normalized(p, x, p.weight(width))
        cut = [p.weight(width, width // near) for _ in range(3)] + [p.weight(width // near, width)]
        part = attention(p, part, cut, heads // near, tokens)
        x = p.add(x, p.all_reduce(part, near) if near > 1 else part)
        part = normalized(p, x, p.weight(width))
        up = p.pointwise("tanh", p.dot(part, p.weight(width, inner // near)), "cosine")
        if gated:
            up = p.multiply(up, p.dot(part, p.weight(width, inner // near)))
        part = p.dot(up, p.weight(inner // near, width))
        x = p.add(x, p.all_reduce(part, near) if near > 1 else part)
    x = normalized(p, x, p.weight(width))
    scores = p.dot(x, p.weight(width, draw.choice([8000, 32000]) // near))
    loss = p.sum(p.pointwise("exponential", scores), [0, 1])
    return p.train(loss, near, far)


def convolutions(draw):
    """Return a step of stages of convolutions, each of half the size of the one before, on ranks that share a batch."""
    far, images = draw.choice([1, 2, 4, 8, 16]), draw.choice([4, 8, 16])
    size, channels = draw.choice([32, 64, 128]), draw.choice([16, 32, 64])
    bottleneck, shortcut = draw.random() < 0.5, draw.random() < 0.7
    p = Program(far)
    def block(x, narrow):
        width, y = x.shape[3], x
        kernels = [(1, width, narrow), (3, narrow, narrow), (1, narrow, width)] if bottleneck else [(3, width, width)] * 2
        for edge, wide, other in kernels:
            y = p.convolve(y, p.weight(edge, edge, wide, other))
            y = p.multiply(y, p.broadcast(p.weight(other), y.shape, [3]))
            y = p.pointwise("tanh", y, "cosine")
        return p.add(x, y) if shortcut else y

    x = p.convolve(p.parameter(images, size, size, 3), p.weight(7, 7, 3, channels))
    for _ in range(draw.choice([2, 3, 4])):
        for _ in range(draw.choice([1, 2, 3, 4])):
            x = block(x, channels // 4)
        half, channels = x.shape[1] // 2, 2 * channels
        x = p.sum(p.reshape(x, images, half, 2, half, 2, x.shape[3]), [2, 4])
        x = p.convolve(x, p.weight(1, 1, channels // 2, channels))
    scores = p.dot(p.sum(x, [1, 2]), p.weight(channels, 1000))
    return p.train(p.sum(p.pointwise("exponential", scores), [0, 1]), 1, far)


FAMILIES = {"transformers": transformer, "convolutions": convolutions}


def main(dse, family, folder, number=100, seed=0):
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(seed)
    for i in range(number):
        program = folder / f"{family}{i:03}.hlo"
        program.write_text(FAMILIES[family](draw), encoding="utf-8")
        subprocess.run([dse, "import", program, "-o", folder, "--force"], check=True, stdout=subprocess.DEVNULL)
        print(program.with_suffix(""), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), *map(int, sys.argv[4:]))
