#!/usr/bin/env python3
"""Draws models, stacks, machines and layouts at random, and holds what anyone expects of their predictions.

    random_orders.py --dse BUILD/dse --source . [--sweeps 10] [--points 12] [--seed 1]

A faster link, memory or host never makes a step slower, and never takes more memory; more memory never makes a point
unfit; both engines predict the same step; weights of 8 bits take no more memory in inference; recomputation and ZeRO-1
take no more memory. Network models other than latency_bandwidth choose algorithms, and may be slower on faster links.
"""

import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from random_sweeps import CLUSTERS, options_of, stacks_of

MODELS = ("llama3_8b", "mixtral_8x7b", "qwen3_30b_a3b", "nemotron_nano_9b_v2", "mamba2_1.3b", "gemma3_12b", "gpt_oss_20b",
          "moonlight_16b_a3b", "deepseek_v3", "glm_4_5", "llama4_scout")
# In SI units, as points are asked for; each second value is the better one.
MACHINE = {"scale_out.bandwidth": (25e9, 50e9, "B/s"), "scale_up.bandwidth": (100e9, 200e9, "B/s"), "scale_out.latency": (5e-6, 2e-6, "s"),
           "device.memory.bandwidth": (2e12, 3e12, "B/s"), "device.memory.capacity": (64e9, 128e9, "B"), "host.bandwidth": (25e9, 50e9, "B/s")}
LAYOUT = {"tp": (1, 2, 4, 8), "pp": (1, 2, 4), "ep": (1, 2, 4, 8)}
TRAINING = {"cp": (1, 2), "microbatch": (1, 2), "zero": (0, 1, 2, 3), "recompute": ("none", "selective", "full"),
            "schedule": ("gpipe", "1f1b", "interleaved", "zb_h1", "zb_v", "dualpipe"), "virtual_stages": (1, 2),
            "sequence_parallel": (True, False), "engine": ("folded", "event")}
INFERENCE = {"precision": ("bf16", "fp8"), "kv_cache_precision": ("auto", "fp8")}
MORE = 1 + 1e-9


class Predictor:
    """Answers points of one sweep; None once it has refused the sweep."""

    def __init__(self, dse, sweep, folder):
        path = Path(folder) / "random.yaml"
        path.write_text(json.dumps(sweep))
        command = [dse, "answer", path, "--metrics", "iteration_time,memory_peak"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, values):
        try:
            self.process.stdin.write(json.dumps({"values": values}) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        return self.process.wait()


def drawn_sweep(seeded, stacks):
    mode = seeded.choice(("training", "training", "decode", "prefill"))
    workload = {"model": seeded.choice(MODELS), "mode": mode, "sequence": seeded.choice((1024, 4096)), "global_batch": seeded.choice((16, 32))}
    if mode == "decode":
        workload["output"] = 100
    if seeded.random() < 0.9:
        workload["stack"] = seeded.choice(stacks)
    axes = {**LAYOUT, **(TRAINING if mode == "training" else INFERENCE)}
    ranks = "tp * pp * cp" if mode == "training" else "tp * pp"
    machine = {name: [f"{value:g} {unit}" for value in values] for name, (*values, unit) in MACHINE.items()}
    derive = {"dp": f"devices // ({ranks})"} | ({"etp": 1} if seeded.random() < 0.5 else {})
    return {"name": "random", "workload": workload, "system": {"cluster": seeded.choice(CLUSTERS), "devices": seeded.choice((8, 16, 32))},
            "axes": {**axes, **machine}, "derive": derive, "objectives": {"iteration_time": "minimize"}}, axes


def variants(values, seeded):
    """Each better or equal point, with whether its time may not be longer, and its memory not larger."""
    for name, (_, better, _unit) in MACHINE.items():
        yield name, {**values, name: better}, True, True
    if "engine" in values:
        yield "engine", {**values, "engine": "event"}, True, True
        # Deferred weight gradients keep what recomputation has made again (docs/sweeps.md, "Pipeline schedules").
        if values["schedule"] in ("gpipe", "1f1b", "interleaved") and values["recompute"] == "none":
            yield "recompute", {**values, "recompute": seeded.choice(("selective", "full"))}, False, True
        # The other stages have buffers of their own.
        if values["zero"] == 0:
            yield "zero", {**values, "zero": 1}, False, True
    elif values["precision"] == "bf16":
        yield "precision", {**values, "precision": "fp8"}, False, True


def faults_of(one, other, name, faster, lighter):
    if one["status"] == "ok" and other["status"] == "out_of_memory":
        return ["no longer fits"]
    if one["status"] != "ok" or other["status"] != "ok":
        return []
    faults = []
    if faster and other["iteration_time"] > one["iteration_time"] * MORE:
        faults.append("slower")
    if lighter and other["memory_peak"] > one["memory_peak"] * MORE:
        faults.append("larger")
    if name == "engine" and min(other[key] / one[key] for key in ("iteration_time", "memory_peak")) < 2 - MORE:
        faults.append("another prediction")
    return faults


def main():
    options = options_of(__doc__, sweeps=10, points=12, seed=1)
    seeded = random.Random(options.seed)
    stacks = stacks_of(options.source)
    counts, faults = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="dse_random_") as folder:
        for _ in range(options.sweeps):
            sweep, axes = drawn_sweep(seeded, stacks)
            predictor = Predictor(options.dse, sweep, folder)
            for _ in range(options.points):
                values = {name: seeded.choice(choices) for name, choices in axes.items()}
                values |= {name: worse for name, (worse, *_rest) in MACHINE.items()}
                if "engine" in values:
                    values |= {"engine": "folded", "virtual_stages": values["virtual_stages"] if values["schedule"] == "interleaved" else 1}
                one = predictor.ask(values)
                if one is None:
                    counts["refused sweeps"] += 1
                    break
                counts[one["status"]] += 1
                if one["status"] != "ok":
                    continue
                for name, better, faster, lighter in variants(values, seeded):
                    other = predictor.ask(better)
                    counts["pairs"] += 1
                    for fault in faults_of(one, other, name, faster, lighter):
                        faults += 1
                        print(f"{name}: {fault}: {one} {other}\n  {json.dumps(sweep['workload'])} {json.dumps(sweep['system'])} "
                              f"{json.dumps(sweep['derive'])}\n  {json.dumps(values)}", file=sys.stderr)
            code = predictor.end()
            if code not in (0, 1, 2):
                faults += 1
                print(f"ended with {code}: {json.dumps(sweep)}", file=sys.stderr)
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    if not counts["pairs"]:
        print("nothing was compared", file=sys.stderr)
    return 1 if faults or counts["failed"] or not counts["pairs"] else 0


if __name__ == "__main__":
    sys.exit(main())
