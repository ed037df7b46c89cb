"""Makes llm.model: a family of training jobs of language models, from dse's own templates.

Usage: make_llm.py DSE [FOLDER]

Traces of every layout below are written into FOLDER (default: one that is removed again), each with what it is known by, and
a family is learned from them.
"""

import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

MODELS = {"llama2_7b": 4096, "llama3_8b": 8192, "qwen3_1.7b": 4096, "qwen3_4b": 4096}
SWEEP = """name: {name}
workload: {{model: {model}, global_batch: {batch}, sequence: {sequence}}}
system: {{cluster: h100_ndr400, devices: {devices}}}
axes: {{tp: [{tp}], pp: [1], microbatch: [1], zero: [{zero}], recompute: [{recompute}], sequence_parallel: [{parallel}]}}
"""


def jobs():
    """Yield the facts of each job, batches growing with the devices."""
    for (model, longest), devices, tp, zero, recompute in itertools.product(
            MODELS.items(), (8, 16, 32), (1, 2, 4, 8), (1, 3), ("none", "full")):
        if (tp == 1) == (zero == 1):  # small groups shard states, large ones layers
            continue
        dp = devices // tp
        yield {"model": model, "devices": devices, "tp": tp, "zero": zero, "recompute": recompute,
               "batch": 2 * dp, "sequence": longest, "parallel": "true" if tp > 1 else "false"}


def main(dse, folder):
    prefixes = []
    for number, job in enumerate(jobs()):
        name = f"job{number:03}"
        sweep = folder / f"{name}.yaml"
        sweep.write_text(SWEEP.format(name=name, **job), encoding="utf-8")
        done = subprocess.run([dse, "trace", sweep, "-o", folder / name, "--force"], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name}: {done.stderr.strip()}", file=sys.stderr)
            continue
        facts = {"global_batch": job["batch"], "sequence": job["sequence"]}
        (folder / f"{name}.conditions.json").write_text(json.dumps(facts), encoding="utf-8")
        prefixes.append(folder / name)
    target = pathlib.Path(__file__).with_name("llm.model")
    subprocess.run([dse, "synth", "fit", *prefixes, "-o", target, "--force", "--license", "as dse",
                    "--data", "training of language models of 2 to 8 billion parameters on 8 to 32 devices: tensor and data "
                              "parallel, ZeRO 1 and 3, from dse's templates (workloads/families/make_llm.py)"], check=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(sys.argv[1], pathlib.Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as scratch:
            main(sys.argv[1], pathlib.Path(scratch))
