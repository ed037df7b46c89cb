"""Mixtral in plain PyTorch (Jiang et al. 2024, arXiv 2401.04088, table 1), for capture only.

Llama's blocks with a mixture of experts in the place of the MLP. Shapes of a graph are fixed, so that every expert gets
the same number of rows, tokens * top / experts, in the order of the chosen experts: what a router that balances
perfectly sends.
"""

import dataclasses

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed._functional_collectives import all_to_all_single_autograd
from torch.distributed.tensor import DTensor, Shard, distribute_tensor

from models.torch_llama import Block, Llama, Sizes


@dataclasses.dataclass(frozen=True)
class MixtureSizes(Sizes):
    """Sizes of a decoder whose MLPs are `experts`, of which each token visits `top`."""

    experts: int = 8
    top: int = 2


class Mixture(nn.Module):
    """Router and experts; `mesh` divides the experts where it is set."""

    def __init__(self, sizes):
        super().__init__()
        self.top = sizes.top
        self.gate = nn.Linear(sizes.hidden, sizes.experts, bias=False)
        self.w1 = nn.Parameter(torch.empty(sizes.experts, sizes.hidden, sizes.ffn))
        self.w2 = nn.Parameter(torch.empty(sizes.experts, sizes.ffn, sizes.hidden))
        self.w3 = nn.Parameter(torch.empty(sizes.experts, sizes.hidden, sizes.ffn))
        self.experts = sizes.experts
        self.mesh = None

    def forward(self, x):
        tokens = x.flatten(0, 1)
        weights, choices = torch.topk(F.softmax(self.gate(tokens), dim=-1, dtype=torch.float32), self.top)
        weights = weights / weights.sum(-1, keepdim=True)
        order = torch.argsort(choices.flatten(), stable=True)
        sources = order // self.top
        rows = self._visit(tokens[sources])
        rows = rows * weights.flatten()[order].type_as(rows).unsqueeze(-1)
        return torch.zeros_like(tokens).index_add(0, sources, rows).view_as(x)

    def _visit(self, rows):
        """Carries rows [tokens * top, hidden], sorted by expert, to the experts and back."""
        ranks = self.mesh.size() if self.mesh else 1
        local = self.experts // ranks
        arrived = self._exchange(rows).unflatten(0, (ranks, local, -1)).transpose(0, 1).flatten(1, 2)
        w1, w2, w3 = (w.to_local() if isinstance(w, DTensor) else w for w in (self.w1, self.w2, self.w3))
        mixed = torch.bmm(F.silu(torch.bmm(arrived, w1)) * torch.bmm(arrived, w3), w2)
        return self._exchange(mixed.unflatten(1, (ranks, -1)).transpose(0, 1).flatten(0, 2))

    def _exchange(self, rows):
        """Sends equal shares of the rows to all ranks of the mesh."""
        if self.mesh is None:
            return rows
        return all_to_all_single_autograd(rows.contiguous(), None, None, self.mesh.get_group())


class MixtureBlock(Block):
    """Llama's block with a mixture of experts."""

    def __init__(self, sizes):
        super().__init__(sizes)
        self.feed_forward = Mixture(sizes)


class Mixtral(Llama):
    """Llama with blocks of experts; experts lie over ep, attention may lie over nothing but data-parallel axes."""

    block = MixtureBlock
    tensor_parallel = None

    def expert_parallel(self, mesh):
        """Divides the experts over `mesh`; its ranks have different tokens."""
        for layer in self.layers:
            mixture = layer.feed_forward
            mixture.mesh = mesh
            for name in ("w1", "w2", "w3"):
                setattr(mixture, name, nn.Parameter(distribute_tensor(getattr(mixture, name), mesh, [Shard(0)])))


def _family(**sizes):
    def build(layers=sizes["layers"], embedding=True, head=True):
        return Mixtral(MixtureSizes(**sizes | {"layers": layers}), embedding, head)

    return build


mixtral_8x7b = _family(layers=32, hidden=4096, heads=32, kv_heads=8, ffn=14336, vocab=32000, rope_theta=1e6)
mixtral_8x22b = _family(layers=56, hidden=6144, heads=48, kv_heads=8, ffn=16384, vocab=32000, rope_theta=1e6)
