"""ResNet-50 in plain PyTorch (He et al. 2015, arXiv 1512.03385, table 1; stride in the 3x3 convolution), for capture."""

import torch
import torch.nn.functional as F
from torch import nn


class ConvolutionNorm(nn.Module):
    """Convolution without bias, then batch norm."""

    def __init__(self, inputs, outputs, kernel, stride=1):
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return self.norm(self.convolution(x))


class Bottleneck(nn.Module):
    """1x1, 3x3 and 1x1 convolutions beside a shortcut that is projected where shapes change."""

    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.reduce = ConvolutionNorm(inputs, width, 1)
        self.spatial = ConvolutionNorm(width, width, 3, stride)
        self.expand = ConvolutionNorm(width, outputs, 1)
        changes = stride != 1 or inputs != outputs
        self.shortcut = ConvolutionNorm(inputs, outputs, 1, stride) if changes else nn.Identity()

    def forward(self, x):
        y = F.relu(self.reduce(x))
        y = F.relu(self.spatial(y))
        return F.relu(self.expand(y) + self.shortcut(x))


class ResNet(nn.Module):
    """Images [batch, 3, side, side] to logits [batch, classes]."""

    def __init__(self, depths, classes=1000):
        super().__init__()
        self.stem = ConvolutionNorm(3, 64, 7, stride=2)
        blocks, inputs = [], 64
        for stage, depth in enumerate(depths):
            width = 64 << stage
            for number in range(depth):
                blocks.append(Bottleneck(inputs, width, 2 if stage and number == 0 else 1))
                inputs = 4 * width
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(inputs, classes)

    def forward(self, images):
        x = F.max_pool2d(F.relu(self.stem(images)), 3, stride=2, padding=1)
        return self.head(torch.mean(self.blocks(x), dim=(2, 3)))


def resnet50(classes=1000):
    """25,557,032 parameters with 1,000 classes."""
    return ResNet((3, 4, 6, 3), classes)
