"""Llama-3 in plain PyTorch (Grattafiori et al. 2024, arXiv 2407.21783, table 3), for capture only.

A model says how its own modules lie on a tensor-parallel mesh (`tensor_parallel`); sharding over data-parallel ranks is
the same for every module and stands in `torch_parallel.py`.
"""

import dataclasses

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Sizes of a decoder: hidden, heads, key/value heads, width of the MLP, vocabulary."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    ffn: int
    vocab: int = 128256
    rope_theta: float = 500000.0

    @property
    def head_dim(self):
        return self.hidden // self.heads


class RMSNorm(nn.Module):
    """Root-mean-square normalisation over the last dimension, computed in fp32."""

    def __init__(self, width, epsilon=1e-5):
        super().__init__()
        self.epsilon = epsilon
        self.weight = nn.Parameter(torch.empty(width))

    def forward(self, x):
        wide = x.float()
        scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.epsilon)
        return (wide * scale).type_as(x) * self.weight


def rotary_table(sequence, head_dim, theta):
    """Cosines and sines of the rotary positions, each [sequence, head_dim/2]."""
    frequencies = theta ** (-torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim)
    angles = torch.outer(torch.arange(sequence, dtype=torch.float32), frequencies)
    return torch.cos(angles), torch.sin(angles)


def rotate(x, table):
    """Turns pairs of features of x [batch, sequence, heads, head_dim] by the angles of their positions."""
    cosine, sine = (part[None, :, None, :] for part in table)
    even, odd = x.float().unflatten(-1, (-1, 2)).unbind(-1)
    turned = torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), dim=-1)
    return turned.flatten(-2).type_as(x)


def repeat_heads(x, times):
    """[batch, sequence, kv_heads, head_dim] to [batch, sequence, kv_heads * times, head_dim]."""
    if times == 1:
        return x
    batch, sequence, heads, width = x.shape
    return x[:, :, :, None, :].expand(batch, sequence, heads, times, width).reshape(batch, sequence, heads * times, width)


class Attention(nn.Module):
    """Grouped-query attention; the number of heads follows from the width of the projections that this rank holds."""

    def __init__(self, sizes):
        super().__init__()
        self.head_dim = sizes.head_dim
        self.groups = sizes.heads // sizes.kv_heads
        self.wq = nn.Linear(sizes.hidden, sizes.heads * sizes.head_dim, bias=False)
        self.wk = nn.Linear(sizes.hidden, sizes.kv_heads * sizes.head_dim, bias=False)
        self.wv = nn.Linear(sizes.hidden, sizes.kv_heads * sizes.head_dim, bias=False)
        self.wo = nn.Linear(sizes.heads * sizes.head_dim, sizes.hidden, bias=False)

    def forward(self, x, table):
        q, k, v = (w(x).unflatten(-1, (-1, self.head_dim)) for w in (self.wq, self.wk, self.wv))
        q, k = rotate(q, table), rotate(k, table)
        k, v = repeat_heads(k, self.groups), repeat_heads(v, self.groups)
        mixed = F.scaled_dot_product_attention(*(t.transpose(1, 2) for t in (q, k, v)), is_causal=True)
        return self.wo(mixed.transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    """SwiGLU MLP of three matrices."""

    def __init__(self, hidden, ffn):
        super().__init__()
        self.w1 = nn.Linear(hidden, ffn, bias=False)
        self.w2 = nn.Linear(ffn, hidden, bias=False)
        self.w3 = nn.Linear(hidden, ffn, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    """A decoder layer: attention and MLP, each behind a norm and beside a residual connection."""

    def __init__(self, sizes):
        super().__init__()
        self.attention = Attention(sizes)
        self.feed_forward = FeedForward(sizes.hidden, sizes.ffn)
        self.attention_norm = RMSNorm(sizes.hidden)
        self.ffn_norm = RMSNorm(sizes.hidden)

    def forward(self, x, table):
        x = x + self.attention(self.attention_norm(x), table)
        return x + self.feed_forward(self.ffn_norm(x))


class Llama(nn.Module):
    """Decoder from token ids [batch, sequence] to logits [batch, sequence, vocab].

    A pipeline stage is `layers` of it, without `embedding` or `head` where it is not the first or the last; it then takes
    activations [batch, sequence, hidden].
    """

    block = Block

    def __init__(self, sizes, embedding=True, head=True):
        super().__init__()
        self.sizes = sizes
        self.tok_embeddings = nn.Embedding(sizes.vocab, sizes.hidden) if embedding else None
        self.layers = nn.ModuleList(self.block(sizes) for _ in range(sizes.layers))
        self.norm = RMSNorm(sizes.hidden) if head else None
        self.output = nn.Linear(sizes.hidden, sizes.vocab, bias=False) if head else None
        self.sequence_split = 1

    def forward(self, tokens):
        sequence = tokens.shape[1] * (1 if self.tok_embeddings else self.sequence_split)
        table = rotary_table(sequence, self.sizes.head_dim, self.sizes.rope_theta)
        x = self.tok_embeddings(tokens) if self.tok_embeddings else tokens
        for layer in self.layers:
            x = layer(x, table)
        return self.output(self.norm(x)) if self.output else x

    def tensor_parallel(self, mesh, style):
        """Divides heads, MLPs and vocabulary over `mesh`.

        style 'sequence': norms and residuals hold a share of the sequence (torchtitan's plan).
        style 'replicated': norms and residuals are whole on every rank; the table of embeddings is not divided.
        style 'flint': as 'replicated', but the final norm and the head keep torchtitan's plan, which reads what each rank
        has as its share of the sequence. That is what the published counts of Flint come from (docs/capture.md); the
        sequence that the head sees is `mesh` times too long.
        """
        for layer in self.layers:
            parallelize_module(layer, mesh, _block_plan(style))
        if style == "sequence":
            self.sequence_split = mesh.size()
        plan = {}
        if self.tok_embeddings and style == "sequence":
            plan["tok_embeddings"] = RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1))
        if self.output and style == "replicated":
            plan["output"] = ColwiseParallel(output_layouts=Shard(-1))
        elif self.output:
            plan["norm"] = SequenceParallel()
            plan["output"] = ColwiseParallel(input_layouts=Shard(1), output_layouts=Shard(-1))
        if plan:
            parallelize_module(self, mesh, plan)


def _block_plan(style):
    """How the modules of a decoder layer lie on the mesh, and where they want their inputs."""
    columns, rows = ColwiseParallel(), RowwiseParallel()
    plan = {f"attention.w{name}": columns for name in "qkv"}
    plan |= {"feed_forward.w1": columns, "feed_forward.w3": columns}
    if style != "sequence":
        return plan | {"attention.wo": rows, "feed_forward.w2": rows}
    scattered = RowwiseParallel(output_layouts=Shard(1))
    return plan | {
        "attention_norm": SequenceParallel(),
        "ffn_norm": SequenceParallel(),
        "attention": PrepareModuleInput(input_layouts=(Shard(1), None), desired_input_layouts=(Replicate(), None)),
        "feed_forward": PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)),
        "attention.wo": scattered,
        "feed_forward.w2": scattered,
    }


def _family(**sizes):
    def build(layers=sizes["layers"], embedding=True, head=True):
        return Llama(Sizes(**sizes | {"layers": layers}), embedding, head)

    return build


llama3_8b = _family(layers=32, hidden=4096, heads=32, kv_heads=8, ffn=14336)
llama3_70b = _family(layers=80, hidden=8192, heads=64, kv_heads=8, ffn=28672)
llama3_405b = _family(layers=126, hidden=16384, heads=128, kv_heads=8, ffn=53248)
