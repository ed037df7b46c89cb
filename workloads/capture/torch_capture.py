#!/usr/bin/env python3
"""Captures a PyTorch module as an aten-level FX graph of one rank, for any number of ranks, on one CPU and without its
weights.

    torch_capture.py models.torch_llama:llama3_8b --mesh dp_shard=4,tp=2 --input 'i64[1,8192]' -o llama3_8b

See docs/capture.md.
"""

import argparse
import gc
import importlib
import inspect
import json
import logging
import math
import os
import pathlib
import re
import shlex
import sys
import time

import capture_arguments
import guard
import ir_text
from capture_arguments import CaptureError

SCHEMA = 1
AXES = ("pp", "dp_replicate", "dp_shard", "ep", "tp")


def parser_of():
    """Return the command line's parser."""
    parser = argparse.ArgumentParser(
        prog="torch_capture.py", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Capture a PyTorch module as compiler IR for any number of ranks, on one CPU.\n"
                    "A process group that sends nothing and tensors that hold nothing stand in for the cluster.",
        epilog="mesh axes, as torchtitan names them, in the order of ranks (the last varies fastest):\n"
               "  dp_replicate  parameters are copied, gradients all-reduced\n"
               "  dp_shard      parameters are divided (FSDP): gathered for use, gradients reduce-scattered\n"
               "  ep            experts are divided; everything else is as on dp_shard\n"
               "  tp            as the module's own tensor_parallel(mesh, style) says\n"
               "  pp            stages; the module is one of them (--set), nothing is done along this axis\n\n"
               "examples:\n"
               "  torch_capture.py models.torch_llama:llama3_8b --mesh dp_shard=8 --input 'i64[1,8192]'\n"
               "  torch_capture.py mymodel:Net --set width=4096 --mesh dp_shard=8 --input 'f32[32,4096]' -o net\n\n"
               "exit codes: 0 captured, 2 bad input")
    parser.add_argument("target", metavar="MODULE:NAME",
                        help="called with the settings of --set it makes an nn.Module; looked up here, then beside "
                             "this script")
    parser.add_argument("--mesh", required=True, metavar="AXIS=SIZE,...", help="ranks, row-major; see below")
    parser.add_argument("--input", action="append", default=[], required=True, metavar="DTYPE[DIM,...]", dest="inputs",
                        help="an argument of forward with the shape that one rank receives, in order")
    parser.add_argument("--input-gradients", action="store_true",
                        help="floating-point inputs have gradients, as in a later pipeline stage")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings",
                        help="keyword argument of MODULE:NAME")
    parser.add_argument("--function", action="store_true",
                        help="capture MODULE:NAME itself, a function of the inputs")
    parser.add_argument("--mode", choices=("training", "inference"), default="training",
                        help="training: forward and backward in one graph (default)")
    parser.add_argument("--tensor-parallel", default="sequence", metavar="STYLE",
                        help="passed to the module's tensor_parallel (default sequence)")
    parser.add_argument("--keep-gathered", action="store_true",
                        help="keep gathered parameters until the backward pass (default: gather them again)")
    parser.add_argument("--stored", default="f32", metavar="DTYPE", help="type of stored parameters (default f32)")
    parser.add_argument("--compute", default="bf16", metavar="DTYPE", help="type of parameters in use (default bf16)")
    parser.add_argument("--reduce", default="f32", metavar="DTYPE", help="type of gradients in dp collectives (default f32)")
    parser.add_argument("--rank", type=int, default=0, help="whose program (default 0)")
    parser.add_argument("-o", "--output", metavar="PREFIX",
                        help="files are PREFIX.fx and PREFIX.json (default: the name)")
    parser.add_argument("--gzip", action="store_true", help="compress the text (equal texts give equal bytes)")
    parser.add_argument("--traceback", action="store_true", help="show where tracing failed")
    return parser


def parse_mesh(text):
    """Return {axis: size} of "dp_shard=4,tp=2", with names that this script knows."""
    mesh = capture_arguments.parse_mesh(text)
    for axis in mesh:
        if axis not in AXES:
            raise CaptureError(f"mesh '{text}': unknown axis '{axis}' ({', '.join(AXES)})")
    return mesh


def module_of(target, settings, is_function, mesh):
    """Return what MODULE:NAME makes of the settings, on device meta; of a function, a module that calls it. What has an
    argument `mesh` gets the DeviceMesh."""
    import torch

    place, name = capture_arguments.parse_target(target)
    try:
        maker = getattr(importlib.import_module(place), name)
    except (ImportError, AttributeError) as error:
        raise CaptureError(f"{target}: {error}") from error
    if "mesh" in inspect.signature(maker).parameters:
        settings = settings | {"mesh": mesh}
    if is_function:
        return type(name, (torch.nn.Module,), {"forward": lambda _, *inputs: maker(*inputs, **settings)})()
    with torch.device("meta"):
        module = maker(**settings)
    if not isinstance(module, torch.nn.Module):
        raise CaptureError(f"{target} made {type(module).__name__}, not a torch.nn.Module")
    return module


def dtype_of(text):
    """Return the torch dtype that "bf16" names."""
    import torch

    if text not in capture_arguments.DTYPES:
        raise CaptureError(f"unknown type '{text}' ({', '.join(capture_arguments.DTYPES)})")
    return getattr(torch, capture_arguments.DTYPES[text])


def input_of(text, has_gradient):
    """Return a tensor as "bf16[8,4096]" describes it; fake where a FakeTensorMode is active."""
    import torch

    match = re.fullmatch(r"\s*(\w+)\s*\[([\d,\s]*)\]\s*", text)
    if not match:
        raise CaptureError(f"--input '{text}' is not DTYPE[DIM,...], as in 'i64[1,8192]'")
    shape = [int(size) for size in match[2].split(",") if size.strip()]
    tensor = torch.empty(shape, dtype=dtype_of(match[1]), device="cpu")
    return tensor.requires_grad_(has_gradient and tensor.is_floating_point())


def distribute(module, mesh, options):
    """Lays the module's parameters on the mesh and puts its collectives into its forward pass."""
    import torch_parallel

    for axis, method, arguments in (("ep", "expert_parallel", ()), ("tp", "tensor_parallel", (options.tensor_parallel,))):
        if axis in mesh.mesh_dim_names:
            if getattr(module, method, None) is None:
                raise CaptureError(f"{options.target} has no {method}(mesh, …), so that axis {axis} divides nothing")
            getattr(module, method)(mesh[axis], *arguments)
    stored, compute, reduced = (dtype_of(text) for text in (options.stored, options.compute, options.reduce))
    if not torch_parallel.data_parallel(module, mesh, torch_parallel.Precision(stored, compute, reduced)):
        module.to(compute)


def trace(options, sizes):
    """Return (graph module of the captured program, facts of the module and its process groups)."""
    import torch
    import torch.distributed
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.testing._internal.distributed.fake_pg import FakeStore

    import torch_graph
    import torch_parallel

    ranks = math.prod(sizes.values())
    if not 0 <= options.rank < ranks:
        raise CaptureError(f"--rank {options.rank}: the mesh has ranks 0 to {ranks - 1}")
    torch.distributed.init_process_group("fake", rank=options.rank, world_size=ranks, store=FakeStore())
    mesh = torch.distributed.init_device_mesh("cpu", tuple(sizes.values()), mesh_dim_names=tuple(sizes))
    module = module_of(options.target, capture_arguments.parse_options(options.settings), options.function,
                       mesh)
    facts = {"parameters": sum(parameter.numel() for parameter in module.parameters())}
    if not options.function:
        distribute(module, mesh, options)
    module.train(options.mode == "training")
    with FakeTensorMode():
        torch_parallel.on_cpu(module)
        inputs = tuple(input_of(text, options.input_gradients) for text in options.inputs)
    if options.mode == "training":
        forward, backward = torch_graph.trace(module, inputs, regather=not options.keep_gathered)
        if backward is None:
            raise CaptureError(f"{options.target} has nothing to train: --input-gradients, or --mode inference")
        program = torch_graph.join(forward, backward)
    else:
        with torch.no_grad():
            program = torch_graph.trace(module.requires_grad_(False), inputs, regather=False)[0]
    return program, facts | {"process_groups": torch_graph.process_groups(program.graph, mesh)}


def header_of(manifest):
    """Return the comment lines before the graph: what a reader needs beyond it."""
    keys = ("name", "mesh", "process_groups")
    return "".join(f"# {key}: {json.dumps(manifest[key])}\n" for key in keys)


def capture(options):
    """Capture as the command line says; return the manifest's path."""
    sizes = parse_mesh(options.mesh)
    gc.disable()  # a graph of 30,000 nodes makes few cycles and many long walks over everything
    import torch

    import torch_graph

    start = time.perf_counter()
    program, facts = trace(options, sizes)
    prefix = pathlib.Path(options.output or options.target.partition(":")[2])
    prefix.parent.mkdir(parents=True, exist_ok=True)
    manifest = {
        "schema": SCHEMA, "name": prefix.name, "framework": "torch", "versions": {"torch": torch.__version__},
        "command": command_of(options), "mode": options.mode, "mesh": sizes, "devices": math.prod(sizes.values()),
        "rank": options.rank, **facts, "flops": torch_graph.flops(program.graph),
    }
    text = header_of(manifest) + torch_graph.text_of(program)
    path = ir_text.write(prefix.with_name(prefix.name + ".fx"), text, options.gzip)
    manifest["files"] = [{
        "file": path.name, "stage": "aten", "what": "FX graph of one rank after AOTAutograd's partitioner",
        "lines": text.count("\n"), "operators": torch_graph.operators(program.graph),
        "collectives": torch_graph.collectives(program.graph),
    }]
    path = prefix.with_name(prefix.name + ".json")
    path.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(f"{path}: {manifest['files'][0]['file']} in {time.perf_counter() - start:.1f} s")
    return path


def command_of(options):
    """Return the command that makes this capture again, without the place it was written to."""
    words = ["torch_capture.py", options.target, "--mesh", options.mesh]
    for flag, values in (("--input", options.inputs), ("--set", options.settings)):
        for value in values:
            words += [flag, value]
    for name in ("mode", "tensor_parallel", "stored", "compute", "reduce", "rank"):
        value = getattr(options, name)
        words += [f"--{name.replace('_', '-')}", str(value)] if value != parser_of().get_default(name) else []
    for name in ("function", "input_gradients", "keep_gathered", "gzip"):
        words += [f"--{name.replace('_', '-')}"] if getattr(options, name) else []
    return shlex.join(words)


def main(words=None):
    """Run the command line; return the exit code."""
    options = parser_of().parse_args(words)
    sys.path[:0] = [os.getcwd()]
    if not options.traceback:
        logging.disable(logging.ERROR)  # PyTorch reports what it raises, frame by frame
    return guard.exit_code("torch_capture.py", options, capture)


if __name__ == "__main__":
    sys.exit(main())
