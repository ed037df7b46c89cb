"""GPT-2- and BERT-shaped transformers in plain PyTorch, operator by operator, for capture only.

Radford et al. 2019; Devlin et al. 2018 (arXiv 1810.04805); Zhang et al. 2022 (arXiv 2205.01068). Attention is written out
as products and a softmax, as eager implementations run it; dropout is left out.
"""

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


class Attention(nn.Module):
    """Multi-head attention whose scores [batch, heads, sequence, sequence] are tensors of the graph.

    The number of heads follows from the width of the projections that this rank holds.
    """

    def __init__(self, hidden, heads, causal):
        super().__init__()
        self.head_dim, self.causal = hidden // heads, causal
        self.qkv = nn.Linear(hidden, 3 * hidden)
        self.project = nn.Linear(hidden, hidden)

    def forward(self, x):
        qkv = self.qkv(x).unflatten(-1, (3, -1, self.head_dim))
        q, k, v = (part.transpose(1, 2) for part in qkv.unbind(2))
        scores = q @ k.transpose(2, 3) * q.shape[-1] ** -0.5
        if self.causal:
            seen = torch.ones(scores.shape[2:], dtype=torch.bool, device=x.device).tril()
            scores = torch.where(seen, scores, torch.finfo(scores.dtype).min)
        return self.project((F.softmax(scores, dim=-1) @ v).transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Attention and GELU MLP beside residual connections, norms before (`causal` decoders) or behind (encoders)."""

    def __init__(self, hidden, heads, ffn, causal):
        super().__init__()
        self.norm_first = causal
        self.attention_norm, self.mlp_norm = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.attention = Attention(hidden, heads, causal)
        self.up, self.down = nn.Linear(hidden, ffn), nn.Linear(ffn, hidden)

    def mlp(self, x):
        return self.down(F.gelu(self.up(x)))

    def forward(self, x):
        if self.norm_first:
            x = x + self.attention(self.attention_norm(x))
            return x + self.mlp(self.mlp_norm(x))
        x = self.attention_norm(x + self.attention(x))
        return self.mlp_norm(x + self.mlp(x))

    def tensor_parallel(self, mesh, style):
        """Divides heads and MLP over `mesh`; style 'sequence' also norms and residuals, by the sequence."""
        columns = ColwiseParallel()
        plan = {"attention.qkv": columns, "up": columns}
        if style == "sequence":
            whole = {"input_layouts": (Shard(1),), "desired_input_layouts": (Replicate(),)}
            plan |= {"attention_norm": SequenceParallel(), "mlp_norm": SequenceParallel(),
                     "attention": PrepareModuleInput(**whole),
                     "attention.project": RowwiseParallel(output_layouts=Shard(1)),
                     "up": ColwiseParallel(input_layouts=Shard(1)), "down": RowwiseParallel(output_layouts=Shard(1))}
        else:
            plan |= {"attention.project": RowwiseParallel(), "down": RowwiseParallel()}
        parallelize_module(self, mesh, plan)


class Transformer(nn.Module):
    """Token ids [batch, sequence] to logits [batch, sequence, vocab]; learned positions, the head tied to the table.

    Encoders have two kinds of segments, of which the first is taken, and their norm in front of the layers.
    """

    def __init__(self, layers, hidden, heads, vocab, positions, ffn=None, causal=True):
        super().__init__()
        self.tokens = nn.Embedding(vocab, hidden)
        self.positions = nn.Parameter(torch.empty(positions, hidden))
        self.segments = None if causal else nn.Parameter(torch.empty(2, hidden))
        self.layers = nn.ModuleList(Block(hidden, heads, ffn or 4 * hidden, causal) for _ in range(layers))
        self.norm = nn.LayerNorm(hidden)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions[: tokens.shape[1]]
        if self.segments is not None:
            x = self.norm(x + self.segments[0])
        for layer in self.layers:
            x = layer(x)
        return F.linear(x if self.segments is not None else self.norm(x), self.tokens.weight)


def _family(**sizes):
    def build(layers=sizes["layers"]):
        return Transformer(**sizes | {"layers": layers})

    return build


def layer_22b():
    """One layer of Megatron's 22B (Korthikanti et al. 2022, arXiv 2205.05198): activations [batch, sequence, 6144]."""
    return Block(hidden=6144, heads=64, ffn=4 * 6144, causal=True)


def layer_175b():
    """One layer of GPT-3 (Brown et al. 2020, arXiv 2005.14165): activations [batch, sequence, 12288]."""
    return Block(hidden=12288, heads=96, ffn=4 * 12288, causal=True)


gpt2_large = _family(layers=36, hidden=1280, heads=20, vocab=50257, positions=1024)
opt_1_3b = _family(layers=24, hidden=2048, heads=32, vocab=50272, positions=2050)
bert_large = _family(layers=24, hidden=1024, heads=16, vocab=30522, positions=512, causal=False)
