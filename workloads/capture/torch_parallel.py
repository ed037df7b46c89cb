"""Data parallelism of any module as redistributions inside its forward pass.

Every parameter is a DTensor over the data-parallel axes: `Shard(0)` where its ranks divide it (FSDP), `Replicate` where
they copy it (DDP; both: HSDP). Reading it in forward makes it whole, so that the all-gather and, in the backward pass,
the reduce-scatter or all-reduce of its gradient stand in the traced graph. This is the idea of SimpleFSDP (Zhang et al.
2024, arXiv 2411.00284).
"""

import dataclasses

import torch
from torch import nn
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
from torch.nn.utils import parametrize


@dataclasses.dataclass(frozen=True)
class Precision:
    """What a parameter is stored, gathered and reduced in."""

    stored: torch.dtype
    compute: torch.dtype
    reduce: torch.dtype


class Gather(nn.Module):
    """Makes a parameter whole for use: redistribute, cast, and hand out what lies on this rank."""

    def __init__(self, placements, tensor_parallel, precision):
        super().__init__()
        self.replicated = [Replicate()] * len(placements)
        self.partial = [Partial("avg")] * len(placements)
        self.tensor_parallel = tensor_parallel
        self.precision = precision

    def forward(self, parameter):
        whole = parameter.redistribute(
            placements=self.replicated,
            forward_dtype=self.precision.compute,
            backward_dtype=self.precision.reduce,
        )
        local = whole.to_local(grad_placements=self.partial)
        if self.tensor_parallel is None:
            return local
        mesh, placements = self.tensor_parallel
        return DTensor.from_local(local, mesh, placements, run_check=False)


def data_parallel(module, mesh, precision):
    """Applies the axes dp_replicate, dp_shard and ep of `mesh`, as far as it has them; returns whether it has any.

    Ranks along ep hold different experts and different tokens: what is no expert is divided over ep as over dp_shard.
    """
    all_axes = [axis for axis in ("dp_replicate", "dp_shard", "ep") if axis in mesh.mesh_dim_names]
    layouts = {}
    for owner in list(module.modules()):
        for name, parameter in list(owner.named_parameters(recurse=False)):
            is_expert = isinstance(parameter, DTensor) and "ep" in parameter.device_mesh.mesh_dim_names
            axes = tuple(axis for axis in all_axes if not (is_expert and axis == "ep"))
            if axes:
                layouts[axes] = layouts.get(axes) or _layout(mesh, axes)
                _shard(owner, name, layouts[axes], precision)
    return bool(all_axes)


def _layout(mesh, axes):
    """The mesh of the axes, those that divide made one, and a parameter's placements on it."""
    dividing = [axis for axis in axes if axis != "dp_replicate"]
    if len(dividing) > 1:
        name = "_".join(dividing)
        mesh[tuple(dividing)]._flatten(name)
        axes = [axis for axis in axes if axis not in dividing] + [name]
    return mesh[tuple(axes)], [Replicate() if axis == "dp_replicate" else Shard(0) for axis in axes]


def _shard(owner, name, layout, precision):
    """Makes a parameter a DTensor over a mesh that is gathered where it is read.

    One that tensor or expert parallelism divides already keeps that: the share of this rank is divided further.
    """
    mesh, placements = layout
    parameter = getattr(owner, name)
    is_divided = isinstance(parameter, DTensor)
    inner = (parameter.device_mesh, parameter.placements) if is_divided else None
    local = (parameter.to_local() if is_divided else parameter).detach().to(precision.stored)
    owner.register_parameter(name, nn.Parameter(distribute_tensor(local, mesh, placements)))
    parametrize.register_parametrization(owner, name, Gather(placements, inner, precision), unsafe=True)


@torch.no_grad()
def on_cpu(module):
    """Replaces what lies on device meta by fake tensors of the same shapes; needs an active FakeTensorMode."""
    for owner in module.modules():
        for kind in (owner._parameters, owner._buffers):
            for name, tensor in kind.items():
                if tensor is not None:
                    kind[name] = _like(tensor)


def _like(tensor):
    divided = isinstance(tensor, DTensor)
    local = tensor.to_local() if divided else tensor
    fake = torch.empty_strided(local.shape, local.stride(), dtype=local.dtype, device="cpu")
    if divided:
        layout = {"shape": tensor.shape, "stride": tensor.stride(), "run_check": False}
        fake = DTensor.from_local(fake, tensor.device_mesh, tensor.placements, **layout)
    return nn.Parameter(fake, tensor.requires_grad) if isinstance(tensor, nn.Parameter) else fake
