"""Vision transformer in plain PyTorch (Dosovitskiy et al. 2020, arXiv 2010.11929, table 1), for capture only."""

import torch
import torch.nn.functional as F
from torch import nn


class EncoderBlock(nn.Module):
    """Attention and GELU MLP, each behind a layer norm and beside a residual connection."""

    def __init__(self, hidden, heads, mlp):
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.LayerNorm(hidden)
        self.qkv = nn.Linear(hidden, 3 * hidden)
        self.project = nn.Linear(hidden, hidden)
        self.mlp_norm = nn.LayerNorm(hidden)
        self.up = nn.Linear(hidden, mlp)
        self.down = nn.Linear(mlp, hidden)

    def forward(self, x):
        qkv = self.qkv(self.attention_norm(x)).unflatten(-1, (3, self.heads, -1))
        q, k, v = (part.transpose(1, 2) for part in qkv.unbind(2))
        x = x + self.project(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.mlp_norm(x))))


class VisionTransformer(nn.Module):
    """Images [batch, 3, side, side] to logits [batch, classes], read off a learned first token."""

    def __init__(self, layers, hidden, heads, mlp, patch, side=224, classes=1000):
        super().__init__()
        self.patches = nn.Conv2d(3, hidden, patch, patch)
        self.first = nn.Parameter(torch.empty(1, 1, hidden))
        self.positions = nn.Parameter(torch.empty(1, 1 + (side // patch) ** 2, hidden))
        self.layers = nn.ModuleList(EncoderBlock(hidden, heads, mlp) for _ in range(layers))
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, classes)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2)
        x = torch.cat((self.first.expand(x.shape[0], -1, -1), x), dim=1) + self.positions
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x)[:, 0])


def vit_l_16(side=224, classes=1000):
    """304,326,632 parameters with 1,000 classes at 224x224."""
    return VisionTransformer(layers=24, hidden=1024, heads=16, mlp=4096, patch=16, side=side, classes=classes)


def vit_h_14(side=224, classes=1000):
    """632,045,800 parameters with 1,000 classes at 224x224."""
    return VisionTransformer(layers=32, hidden=1280, heads=16, mlp=5120, patch=14, side=side, classes=classes)
