#!/usr/bin/env python3
"""Changes input files at random, runs every command that reads them, and counts what ends by a signal or hangs.

    mutated_inputs.py --dse BUILD/dse --source . [--inputs 10000] [--seed 1] [--keep DIR]

A command may refuse its input (exit code 2), find that the answer is no (1), or work with it (0). It may not end by a
signal, hang beyond its time, or call its input an internal error (3). Commands run with limits on time and memory.
"""

import argparse
import collections
import functools
import gzip
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS = 20  # of the processor; of the clock ten times as many, since machines are shared


def limit(seconds, memory):
    """Limit this process: seconds of the processor, GiB of addresses (0: none), a GiB for each file, no core file."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


NUMBERS = ["0", "-1", "1", "3", "7", "1048576", "2147483648", "4294967296", "9223372036854775807", "18446744073709551616",
           "9e18", "1e308", "-1e308", "1e-308", "nan", "inf", "0.5", "1e999", "99999999999999999999999"]
NUMBER = re.compile(rb"-?\d+(\.\d+)?([eE][-+]?\d+)?")
TOKENS = [b"", b"{", b"}", b"[", b"]", b":", b"-", b"\n", b"\0", b"\xff", b"\"", b"'", b"null", b"true", b"&a", b"*a", b"<<: *a",
          b"!!binary ", b"../../../escape", b"/absolute", b"%", b"(", b")", b"tensor<", b"while", b"1/0", b"tp", b"x" * 5000,
          b"[" * 3000, b"(" * 3000, b"{a: " * 500]

SCALESIM_CONFIG = """[general]
run_name = "mutated"
[architecture_presets]
ArrayHeight : 32
ArrayWidth : 32
IfmapSramSzkB : 64
FilterSramSzkB : 64
OfmapSramSzkB : 64
IfmapOffset : 0
FilterOffset : 10000000
OfmapOffset : 20000000
Dataflow : ws
Bandwidth : 10
MemoryBanks : 1
ReadRequestBuffer : 32
WriteRequestBuffer : 32
[run_presets]
InterfaceBandwidth : CALC
"""
SCALESIM_USER = SCALESIM_CONFIG.replace("CALC", "USER")
SCALESIM_LAYERS = """Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,
Conv1, 56, 56, 3, 3, 16, 32, 2,
Conv2, 28, 28, 1, 1, 32, 64, 1,
"""
SCALESIM_PRODUCTS = "Layer, M, N, K,\nqkv, 128, 384, 128,\nout, 128, 128, 128,\n"
ASTRA_NETWORK = """topology: [ Ring, Switch ]
npus_count: [ 4, 2 ]
bandwidth: [ 400.0, 100.0 ]
latency: [ 500.0, 1000.0 ]
"""
ASTRA_SYSTEM = """{"scheduling-policy": "LIFO", "endpoint-delay": 10, "active-chunks-per-dimension": 1,
 "preferred-dataset-splits": 4, "all-reduce-implementation": ["ring", "halvingDoubling"],
 "all-gather-implementation": ["ring", "direct"], "reduce-scatter-implementation": ["ring", "direct"],
 "all-to-all-implementation": ["direct", "direct"], "collective-optimization": "localBWAware", "local-mem-bw": 1600,
 "boost-mode": 0, "roofline-enabled": 0, "peak-perf": 900}
"""
ASTRA_MEMORY = '{"memory-type": "NO_MEMORY_EXPANSION"}\n'


class Case:
    """A file to change, and the commands that read it; {} stands for the file."""

    def __init__(self, name, content, *commands):
        self.name, self.content, self.commands = name, content, commands


class Bench:
    def __init__(self, options, folder):
        self.dse, self.source, self.folder = Path(options.dse).resolve(), Path(options.source).resolve(), Path(folder)
        self.keep = Path(options.keep) if options.keep else None
        self.codes = collections.Counter()
        self.memory = options.memory
        self.faults = collections.Counter()
        self.slowest = 0.0, ""

    def read(self, path):
        return (self.source / path).read_bytes()

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    @functools.cached_property
    def few_steps(self):
        """The first published steps: predicting all of them takes a sanitized build longer than any one input may."""
        path = self.folder / "few_steps.csv"
        path.write_bytes(b"".join(self.read("workloads/measured/steps.csv").splitlines(keepends=True)[:20]))
        return path

    def make(self, *arguments):
        """Run a command that prepares inputs."""
        subprocess.run([self.dse, *map(str, arguments)], check=True, capture_output=True, cwd=self.folder)

    def run(self, command, case, content):
        begin = time.monotonic()
        try:
            done = subprocess.run([self.dse, *command], cwd=self.folder, capture_output=True, timeout=10 * SECONDS,
                                  preexec_fn=functools.partial(limit, SECONDS, self.memory), check=False)
            code, text = done.returncode, done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            code, text = -int(signal.SIGXCPU), "hangs"
        self.slowest = max(self.slowest, (time.monotonic() - begin, f"{case.name}: {' '.join(command)}"))
        if code in (0, 1, 2, 4):
            self.codes[code] += 1
            return
        kind = "hangs" if code == -signal.SIGXCPU else "internal errors" if code == 3 else "signals"
        self.faults[kind] += 1
        print(f"{kind}: {case.name}: {' '.join(command)} ended with {code}: {text[-400:]}", file=sys.stderr, flush=True)
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            number = sum(self.faults.values())
            (self.keep / f"{kind.split()[0]}-{number:03}-{case.name.replace('/', '_')}").write_bytes(content)


def cases_of(bench):
    """Every kind of input with the commands that read it."""
    sweep = (["check", "{}"], ["plan", "{}", "--json"], ["point", "{}", "--json"], ["{}", "-o", "run.h5", "--fresh", "--limit", "3"],
             ["trace", "{}", "-o", "traces/t", "--ranks", "0"])
    cases = [Case(f"{name}.yaml", bench.read(f"sweeps/{name}.yaml"), *sweep)
             for name in ("smoke", "mixtral_8x7b", "llama3_70b_inference", "dlrm")]
    cases += [Case(path, bench.read(path), ["check", "{}"])
              for path in ("workloads/models/llama3_8b.yaml", "workloads/models/deepseek_v3.yaml", "workloads/models/dlrm_mlperf.yaml",
                           "hardware/clusters/h100_ndr400.yaml", "hardware/clusters/tpu_v4_pod.yaml", "hardware/devices/h100_sxm.yaml",
                           "hardware/tables/h100_sxm.csv", "hardware/tables/tpu_v4.yaml", "tests/fuzz/topologies/torus.yaml")]
    cases += [Case(path.name, path.read_bytes(), ["check", "{}"])
              for path in sorted((bench.source / "workloads/templates").glob("*.yaml"))[:4]]
    cases += [Case(f"own_{Path(path).name}", bench.read(path), [*command, "{}", *rest])
              for path, command, rest in (("hardware/clusters/dgx_h200_ndr400.yaml",
                                           ["collective", "all_reduce", "--bytes", "64MiB", "--ranks", "16", "--system"], []),
                                          ("hardware/devices/b200_sxm.yaml", ["gemm", "4096", "4096", "4096", "--device"], []))]
    programs = [*sorted((bench.source / "tests/fuzz/mlir").iterdir()), *sorted((bench.source / "tests/fuzz/hlo").iterdir()),
                *sorted((bench.source / "tests/fuzz/fx").iterdir())]
    cases += [Case(path.name, path.read_bytes(), ["import", "{}", "--json"], ["import", "{}", "-o", "imported", "--ranks", "classes"])
              for path in programs]
    cases.append(Case("zipped.mlir.gz", gzip.compress(bench.read("tests/fuzz/mlir/sharded.mlir"), mtime=0), ["import", "{}", "--json"]))
    cases += trace_cases(bench) + results_cases(bench) + systolic_cases(bench) + astra_cases(bench)
    cases += [Case("profile.json", bench.read("tests/fuzz/profile.json"), ["et", "kineto", "{}", "--json"]),
              Case("steps.csv", bench.few_steps.read_bytes(), ["validate", "--truth", "{}", "--json"]),
              Case("sources.yaml", bench.read("workloads/measured/sources.yaml"),
                   ["validate", "--truth", str(bench.few_steps), "--sources", "{}", "--json"])]
    return cases


def trace_cases(bench):
    bench.make("trace", bench.source / "sweeps/smoke.yaml", "--set", "tp=8", "-o", "ref/t", "--ranks", "0,1")
    trace, groups = (bench.folder / "ref/t.0.et").read_bytes(), (bench.folder / "ref/t.json").read_bytes()
    play = ["--system", "h100_ndr400", "--json"]
    commands = (["et", "info", "{}"], ["et", "check", "{}"], ["et", "json", "{}"], ["et", "diff", "{}", "ref/t.1.et"],
                ["et", "repair", "{}", "-o", "repaired"], ["simulate", "{}", *play])
    return [Case("t.0.et", trace, *commands), Case("collectives.et", bench.read("tests/fuzz/traces/collectives.et"), *commands),
            Case("groups.json", groups, ["simulate", "ref/t.0.et", "--comm-groups", "{}", *play])]


def results_cases(bench):
    bench.make(bench.source / "sweeps/smoke.yaml", "-o", "ref.h5", "--limit", "40")
    results = (bench.folder / "ref.h5").read_bytes()
    commands = (["pareto", "{}", "--json"], ["export", "{}", "--csv"], ["merge", "{}", "-o", "merged.h5"],
                ["pareto", "{}", "--json", "--unsealed"], ["export", "{}", "--csv", "--unsealed"])
    return [Case("results.h5", results, *commands)]


def systolic_cases(bench):
    bench.write("ref.cfg", SCALESIM_CONFIG)
    bench.write("ref.csv", SCALESIM_LAYERS)
    return [Case("calc.cfg", SCALESIM_CONFIG.encode(), ["systolic", "-c", "{}", "-t", "ref.csv", "--json"]),
            Case("user.cfg", SCALESIM_USER.encode(), ["systolic", "-c", "{}", "-t", "ref.csv", "--json"]),
            Case("layers.csv", SCALESIM_LAYERS.encode(), ["systolic", "-c", "ref.cfg", "-t", "{}", "-p", "reports"]),
            Case("products.csv", SCALESIM_PRODUCTS.encode(), ["systolic", "-c", "ref.cfg", "-t", "{}", "-i", "gemm", "--json"])]


def astra_cases(bench):
    files = {"network": ("net.yml", ASTRA_NETWORK), "system": ("sys.json", ASTRA_SYSTEM), "memory": ("mem.json", ASTRA_MEMORY)}
    for name, content in files.values():
        bench.write(name, content)
    cases = []
    for changed, (_, content) in files.items():
        options = [text for part, (name, _) in files.items()
                   for text in (f"--astra-{part}", "{}" if part == changed else name)]
        cases.append(Case(f"astra_{changed}", content.encode(), ["simulate", "ref/t", *options, "--json"]))
    return cases


def mutated(content, seeded):
    """One to four changes of a file."""
    data = bytearray(content)
    for _ in range(seeded.choice((1, 1, 1, 2, 4))):
        seeded.choice(CHANGES)(data, seeded)
    return bytes(data)


def place(data, seeded):
    return seeded.randrange(len(data)) if data else 0


def flip_bit(data, seeded):
    if data:
        data[place(data, seeded)] ^= 1 << seeded.randrange(8)


def cut_end(data, seeded):
    del data[place(data, seeded):]


def drop(data, seeded):
    begin = place(data, seeded)
    del data[begin:begin + seeded.choice((1, 8, 200))]


def double(data, seeded):
    begin = place(data, seeded)
    part = bytes(data[begin:begin + seeded.choice((1, 40, 1000))])
    where = place(data, seeded)
    data[where:where] = part * seeded.choice((1, 3, 50))


def insert(data, seeded):
    where = place(data, seeded)
    data[where:where] = seeded.choice(TOKENS)


def other_number(data, seeded):
    numbers = list(NUMBER.finditer(data))
    if numbers:
        found = seeded.choice(numbers)
        data[found.start():found.end()] = seeded.choice(NUMBERS).encode()


def other_line(data, seeded):
    lines = bytes(data).split(b"\n")
    at = seeded.randrange(len(lines))
    seeded.choice((lambda: lines.pop(at), lambda: lines.insert(at, seeded.choice(lines)),
                   lambda: lines.__setitem__(at, seeded.choice(lines))))()
    data[:] = b"\n".join(lines)


CHANGES = (flip_bit, cut_end, drop, double, insert, other_number, other_number, other_number, other_line)


def try_one(bench, case, seeded):
    content = mutated(case.content, seeded)
    path = bench.write(f"changed/{Path(case.name).name}", content)
    for left in ("run.h5", "merged.h5"):
        (bench.folder / left).unlink(missing_ok=True)
    for left in ("run.h5.shards", "imported", "traces", "reports"):
        shutil.rmtree(bench.folder / left, ignore_errors=True)
    for left in bench.folder.glob("repaired.*.et"):
        left.unlink()
    command = [text.replace("{}", str(path)) for text in seeded.choice(case.commands)]
    bench.run(command, case, content)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--source", required=True, help="the source tree, for inputs to change")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=6,
                        help="GiB of addresses that a command may have; 0: any, for AddressSanitizer, which reserves 16 TiB")
    parser.add_argument("--only", help="part of the names of the files to change")
    parser.add_argument("--keep", help="folder for inputs that led to a fault")
    options = parser.parse_args()
    os.environ.pop("OMPI_COMM_WORLD_SIZE", None)
    seeded = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="dse_inputs_") as folder:
        bench = Bench(options, folder)
        cases = [case for case in cases_of(bench) if (options.only or "") in case.name]
        for number in range(options.inputs):
            try_one(bench, cases[number % len(cases)], seeded)
            if (number + 1) % 1000 == 0:
                print(f"{number + 1} inputs, {sum(bench.faults.values())} faults", file=sys.stderr, flush=True)
        print(f"{options.inputs} changed inputs of {len(cases)} files: exit codes "
              + ", ".join(f"{code}: {count}" for code, count in sorted(bench.codes.items())))
        print(f"slowest: {bench.slowest[0]:.1f} s, {bench.slowest[1]}")
        for kind in ("signals", "hangs", "internal errors"):
            print(f"  {kind}: {bench.faults[kind]}")
        return 1 if any(bench.faults.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
