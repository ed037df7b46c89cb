#!/usr/bin/env python3
"""Captures a JAX function as StableHLO and HLO for any number of devices, on one CPU and without its weights.

    jax_capture.py mymodel:step --mesh data=8,model=4 --arg mymodel:init --shard 'w=-,model' --arg 'i32[64,2048]@data'

See docs/capture.md.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import shlex
import sys
import tempfile
import time

import capture_arguments
import guard
import hlo_counts
import ir_text
from capture_arguments import CaptureError

STAGES = {
    "sdy": ("sdy.mlir", "StableHLO before partitioning, shardings as Shardy's sdy attributes"),
    "gspmd": ("gspmd.mlir", "StableHLO before partitioning, shardings as GSPMD's mhlo.sharding strings"),
    "spmd": ("after_spmd.hlo", "XLA HLO of one device, just after SPMD partitioning"),
    "optimized": ("optimized.hlo", "XLA HLO of one device, after the CPU backend's optimizations"),
}
SCHEMA = 1
# Where nothing after partitioning is kept, the CPU backend need not take pains; and one of its passes ends the process
# over a bf16 sum inside a shard_map ("Invalid binary instruction opcode copy").
HURRY = ["--xla_backend_optimization_level=0", "--xla_disable_hlo_passes=all-reduce-promotion"]


def parser_of():
    """Return the command line's parser."""
    stages = "\n".join(f"  {name:<10} {file:<15} {text}" for name, (file, text) in STAGES.items())
    parser = argparse.ArgumentParser(
        prog="jax_capture.py", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Capture a JAX function as compiler IR for any number of devices, on one CPU.\n"
                    "Nothing is executed and no weights are created: shapes are enough.",
        epilog=f"stages (--emit):\n{stages}\n\n"
               "examples:\n"
               "  jax_capture.py models.jax_llama:training --program --mesh fsdp=8 --set size=8b -o llama3_8b_fsdp8\n"
               "  jax_capture.py mymodel:step --mesh data=8,model=4 --arg mymodel:init_parameters \\\n"
               "      --shard 'w_in=-,model' --shard 'w_out=model' --arg 'bf16[64,4096]@data' -o mymodel\n\n"
               "exit codes: 0 captured, 2 bad input")
    parser.add_argument("target", metavar="MODULE:FUNCTION", help="looked up in the current folder, then beside this script")
    parser.add_argument("--mesh", required=True, metavar="AXIS=SIZE,...",
                        help="devices, row-major; their number is the product of the sizes")
    parser.add_argument("--arg", action="append", default=[], metavar="SPEC", dest="arguments",
                        help="a positional argument, in order: DTYPE[DIM,...]@AXES, or MODULE:FUNCTION whose result's "
                             "shapes are taken (traced, not run). AXES: mesh axes of each dimension, '-' for none, "
                             "'a+b' for two")
    parser.add_argument("--shard", action="append", default=[], metavar="PATTERN=AXES", dest="rules",
                        help="sharding of tensors of an --arg MODULE:FUNCTION whose path (0['layer']['w']) matches; "
                             "the first match counts")
    parser.add_argument("--program", action="store_true",
                        help="MODULE:FUNCTION is called with the mesh and returns a jax_program.Program "
                             "(as models/jax_*.py do); no --arg then")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="options",
                        help="keyword argument of the function")
    parser.add_argument("--emit", default="sdy", metavar="STAGE,...", help="what to write (default sdy); see below")
    parser.add_argument("-o", "--output", metavar="PREFIX", help="files are PREFIX.sdy.mlir, ..., PREFIX.json "
                                                                 "(default: the function's name)")
    parser.add_argument("--gzip", action="store_true", help="compress the texts (equal texts give equal bytes)")
    parser.add_argument("--xla-flag", action="append", default=[], metavar="--xla_FLAG=VALUE", dest="xla_flags",
                        help="one more flag for XLA (write --xla-flag=--xla_...); XLA_FLAGS of the shell is not read")
    parser.add_argument("--traceback", action="store_true", help="show where tracing failed")
    return parser


def stages_of(text):
    """Return the stages named in "sdy,spmd", checked."""
    stages = [stage.strip() for stage in text.split(",") if stage.strip()]
    for stage in stages:
        if stage not in STAGES:
            raise CaptureError(f"unknown stage '{stage}' ({', '.join(STAGES)})")
    return stages


def program_of(options, sizes, mesh):
    """Return the `Program` that the command line asks for."""
    import jax_lowering
    import jax_program

    settings = capture_arguments.parse_options(options.options)
    if not options.program:
        return jax_lowering.program_of_arguments(options.target, options.arguments, options.rules, sizes, mesh,
                                                 settings)
    if options.arguments or options.rules:
        raise CaptureError("--program states its own arguments: --arg and --shard cannot be combined with it")
    program = jax_lowering.resolve(options.target)(mesh, **settings)
    if not isinstance(program, jax_program.Program):
        raise CaptureError(f"{options.target} returned {type(program).__name__}, not a jax_program.Program")
    return program


def texts_of(program, stages, dump):
    """Return ({stage: text}, counts of the traced program).

    Parameters
    ----------
    program : jax_program.Program
    stages : list of str
    dump : pathlib.Path
        XLA's dump folder.
    """
    import jax_flops
    import jax_lowering

    texts = {}
    with jax_lowering.partitioner(shardy=True):
        traced = jax_lowering.trace(program)
        lowered = traced.lower()
        counts = {"dot_flops": jax_flops.dot_flops(traced.jaxpr),
                  "convolution_flops": jax_flops.convolution_flops(traced.jaxpr)}
        texts["sdy"] = lowered.as_text()
        if {"spmd", "optimized"} & set(stages):
            texts["spmd"], texts["optimized"] = map(_clean, jax_lowering.compile_stages(lowered, dump))
    if "gspmd" in stages:
        with jax_lowering.partitioner(shardy=False):
            texts["gspmd"] = jax_lowering.trace(program).lower().as_text()
    if "spmd" in stages and texts["spmd"] is None:
        raise CaptureError("XLA does not partition for one device: leave stage spmd out")
    return {stage: texts[stage] for stage in stages}, counts


def _clean(hlo):
    return None if hlo is None else ir_text.without_places(hlo)


def file_facts(stage, text):
    """Return what the manifest says of one text."""
    if stage in ("sdy", "gspmd"):
        return {"lines": text.count("\n"), "operators": ir_text.mlir_operators(text)}
    module = hlo_counts.Module(text)
    return {"lines": text.count("\n"), "operators": module.operators(), "collectives": module.collectives(),
            "dot_flops": module.dot_flops(), "convolution_flops": module.convolution_flops()}


def capture(options, dump):
    """Capture as the command line says; return the manifest's path."""
    sizes = capture_arguments.parse_mesh(options.mesh)
    stages = stages_of(options.emit)
    set_environment(sizes, stages, options.xla_flags, dump)
    import jax_lowering

    start = time.perf_counter()
    program = program_of(options, sizes, jax_lowering.make_mesh(sizes))
    texts, counts = texts_of(program, stages, dump)
    prefix = pathlib.Path(options.output or options.target.partition(":")[2])
    prefix.parent.mkdir(parents=True, exist_ok=True)
    files = []
    for stage, text in texts.items():
        path = ir_text.write(prefix.with_name(f"{prefix.name}.{STAGES[stage][0]}"), text, options.gzip)
        files.append({"file": path.name, "stage": stage, "what": STAGES[stage][1], **file_facts(stage, text)})
    manifest = {
        "schema": SCHEMA, "name": prefix.name, "framework": "jax",
        "versions": {name: importlib.metadata.version(name) for name in ("jax", "jaxlib")},
        "command": command_of(options), "mesh": sizes, "devices": capture_arguments.device_count(sizes),
        **program.facts, **counts, "arguments": argument_summary(program), "files": files,
    }
    path = prefix.with_name(prefix.name + ".json")
    path.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(f"{path}: {', '.join(entry['file'] for entry in files)} in {time.perf_counter() - start:.1f} s")
    return path


def command_of(options):
    """Return the command that makes this capture again, without the place it was written to."""
    words = ["jax_capture.py", options.target, "--mesh", options.mesh, "--emit", options.emit]
    words += ["--program"] if options.program else []
    words += ["--gzip"] if options.gzip else []
    for flag, values in (("--arg", options.arguments), ("--shard", options.rules), ("--set", options.options),
                         ("--xla-flag", options.xla_flags)):
        words += [f"{flag}={value}" for value in values]
    return shlex.join(words)


def argument_summary(program):
    """Return, for each positional argument, how many tensors it holds and their bytes on all devices together."""
    import jax

    rows = []
    for argument in program.arguments:
        leaves = jax.tree.leaves(argument)
        rows.append({"tensors": len(leaves), "bytes": sum(leaf.size * leaf.dtype.itemsize for leaf in leaves)})
    return rows


def set_environment(sizes, stages, xla_flags, dump):
    """Tell JAX, before it is loaded, to simulate the devices and to write the partitioned program to `dump`."""
    flags = [f"--xla_force_host_platform_device_count={capture_arguments.device_count(sizes)}", f"--xla_dump_to={dump}",
             "--xla_dump_hlo_pass_re=spmd-partitioning"]
    if "optimized" not in stages:
        flags += HURRY
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = " ".join([*flags, *xla_flags])


def capture_into_dump(options):
    """Capture with a folder of its own for what XLA dumps."""
    with tempfile.TemporaryDirectory(prefix="jax_capture_") as dump:
        capture(options, pathlib.Path(dump))


def main(words=None):
    """Run the command line; return the exit code."""
    options = parser_of().parse_args(words)
    sys.path.insert(0, os.getcwd())
    return guard.exit_code("jax_capture.py", options, capture_into_dump)


if __name__ == "__main__":
    sys.exit(main())
