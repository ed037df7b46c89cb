#!/usr/bin/env python3
"""Hold mode serving against measured deployments: time to first token and time per output token.

    serving_points.py --dse BUILD/dse --points serving_points.csv [--family NAME] [--every N] [--rows FILE.csv]

The table is that of public measurements (SemiAnalysis InferenceX and AIConfigurator's, Apache-2.0) whose columns
are those of ai-dynamo/aiconfigurator's silicon_sample.csv. Scored are the clean rows of one pool on devices and models that
the project has; every other row is counted with the reason. The client is emulated: so many requests under way in a closed
loop, ten for each of them, all begin at once, and lengths drawn as InferenceX's client draws them (RANDOM_RANGE_RATIO 0.8).
Nothing is fitted to these rows.
"""

import argparse
import collections
import csv
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MODELS = {"meta-llama/Llama-3.1-70B": "llama3_70b", "meta-llama/Llama-3.1-8B-Instruct": "llama3_8b",
          "Qwen/Qwen3-32B": "qwen3_32b", "Qwen/Qwen3-235B-A22B-FP8": "qwen3_235b_a22b",
          "deepseek-ai/DeepSeek-R1": "deepseek_v3", "deepseek-ai/DeepSeek-V3": "deepseek_v3",
          "nvidia/DeepSeek-R1-NVFP4": "deepseek_v3", "nvidia/DeepSeek-V3.1-NVFP4": "deepseek_v3"}
CLUSTERS = {"h100_sxm": "h100_ndr400", "h200_sxm": "dgx_h200_ndr400", "b200_sxm": "dgx_b200"}
PRECISIONS = {"fp8": "fp8", "fp8_block": "fp8", "nvfp4": "fp4", "bfloat16": "bf16"}
# Defaults of the engines: sequences under way, tokens a step, storage of the cache.
ENGINES = {"vllm": {"max_sequences": 1024, "token_budget": 8192, "scheduler": "vllm", "cache": "auto"},
           "trtllm": {"max_sequences": 2048, "token_budget": 8192, "scheduler": "tensorrt", "cache": "fp8"},
           "sglang": {"max_sequences": 2048, "token_budget": 8192, "scheduler": "vllm", "cache": "auto"}}
# The engines' own all-reduce, captured in graphs: 16 KiB over 2 to 8 devices in 3 to 8 us (AIConfigurator's tables of
# custom all-reduce, H100, H200 and B200), where NCCL takes 20.
COLLECTIVE_LAUNCH = "1 us"
# InferenceX draws lengths between 0.8 of the nominal ones and these.
DRAWN = {"inferencex_csv": 0.8, "inferencex_db": 0.8}

SWEEP = """name: serving_point
workload:
  model: llama3_70b
  mode: serving
  stack: vllm_2025
  traffic: {clients: 1}
system: {cluster: h100_ndr400, devices: 1}
axes: {tp: [1]}
objectives: {ttft_mean: minimize}
"""


def number(row, column, default=1):
    return int(float(row[column])) if row[column] not in ("", "0") else default


def uncovered(row):
    """Why a row is not scored; None where it is."""
    if row["mode"] != "agg":
        return "prefill and decode on pools of their own"
    if row["parallelism_suspect"] or row["parallelism_conflict"] == "1":
        return "sizes are not to be trusted"
    if not row["concurrency"]:
        return "concurrency is not known"
    if row["model"] not in MODELS:
        return f"no model {row['model']}"
    if row["gpu"] not in CLUSTERS or row["gemm_quant"] not in PRECISIONS:
        return f"no device {row['gpu']} with {row['gemm_quant']}"
    if number(row, "attention_dp_size") > 1:
        return "attention is data-parallel"
    if number(row, "pp_size") > 1:
        return "pipeline"
    return None


def settings_of(row):
    tp = number(row, "tp_size")
    concurrency = int(float(row["concurrency"]))
    engine = ENGINES[row["framework"]]
    settings = {
        "workload.model": MODELS[row["model"]], "system.cluster": CLUSTERS[row["gpu"]], "system.devices": tp, "tp": tp,
        "cluster.network.collective.launch": COLLECTIVE_LAUNCH,
        "workload.precision": PRECISIONS[row["gemm_quant"]], "workload.kv_cache_precision": engine["cache"],
        "traffic.clients": concurrency, "traffic.trace": "requests.csv",
        "serving.max_sequences": engine["max_sequences"], "serving.token_budget": engine["token_budget"],
        "serving.scheduler": engine["scheduler"]}
    experts = number(row, "moe_ep_size")
    if experts > 1:
        settings["ep"], settings["etp"] = experts, max(1, tp // experts)
    return settings


def write_requests(path, row):
    """Lengths between a share of the nominal ones and these; when they are sent is the clients' business."""
    draw = random.Random(1)
    least = DRAWN.get(row["source_kind"], 1.0)
    lengths = [int(float(row[column])) for column in ("isl_tokens", "osl_tokens")]
    with path.open("w") as file:
        file.write("arrival_s,input_tokens,output_tokens\n")
        for _ in range(10 * int(float(row["concurrency"]))):
            drawn = [draw.randint(max(1, int(least * length)), length) for length in lengths]
            file.write(f"0,{drawn[0]},{drawn[1]}\n")


def predict(dse, sweep, row):
    write_requests(Path(sweep).with_name("requests.csv"), row)
    sets = [part for key, value in settings_of(row).items() for part in ("--set", f"{key}={value}")]
    result = subprocess.run([dse, "point", sweep, "--json", "--no-what-if", *sets], capture_output=True, text=True)
    if result.returncode > 1:
        return None, result.stderr.strip().splitlines()[-1]
    point = json.loads(result.stdout)
    return (point["metrics"], None) if point["status"] == "ok" else (None, f"{point['status']}: {point['reason']}")


def summary(errors):
    """Median of the absolute errors, and the signed median."""
    return f"{100 * statistics.median(map(abs, errors)):5.1f} % ({100 * statistics.median(errors):+6.1f} %)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--points", required=True, type=Path)
    parser.add_argument("--family", help="only rows whose model, device and framework hold this")
    parser.add_argument("--every", type=int, default=1, help="only every so many of the rows")
    parser.add_argument("--rows", type=Path, help="write predictions beside measurements")
    options = parser.parse_args()
    reasons = collections.Counter()
    scored = []
    with options.points.open() as file:
        rows = list(csv.DictReader(file))
    covered = []
    for row in rows:
        why = uncovered(row)
        if why:
            reasons[why] += 1
        elif not options.family or options.family in f"{row['model']} {row['gpu']} {row['framework']}":
            covered.append(row)
    with tempfile.TemporaryDirectory() as folder:
        sweep = Path(folder) / "serving_point.yaml"
        sweep.write_text(SWEEP)
        for row in covered[::options.every]:
            metrics, why = predict(options.dse, str(sweep), row)
            if why:
                reasons[why.split(" pages")[0][:80]] += 1
                continue
            scored.append((row, metrics))
    groups = collections.defaultdict(lambda: ([], []))
    for row, metrics in scored:
        tpot = metrics["tpot_mean"] / float(row["tpot_s"]) - 1.0
        ttft = metrics["ttft_mean"] / float(row["ttft_s"]) - 1.0
        for name in ("all", f"{MODELS[row['model']]} {row['gpu']} {row['framework']}"):
            if not math.isnan(tpot):
                groups[name][0].append(tpot)
            groups[name][1].append(ttft)
    print(f"{'':40} rows  TPOT |median| (signed)   TTFT |median| (signed)")
    for name, (tpot, ttft) in sorted(groups.items()):
        print(f"{name:40} {len(ttft):4}  {summary(tpot)}     {summary(ttft)}")
    for why, count in reasons.most_common():
        print(f"{count:6} not scored: {why}")
    if options.rows:
        with options.rows.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "model", "gpu", "framework", "isl", "osl", "concurrency", "tp", "ttft_s", "ttft_predicted",
                             "tpot_s", "tpot_predicted"])
            for row, m in scored:
                writer.writerow([row["id"], row["model"], row["gpu"], row["framework"], row["isl_tokens"],
                                 row["osl_tokens"], row["concurrency"], row["tp_size"], row["ttft_s"], m["ttft_mean"],
                                 row["tpot_s"], m["tpot_mean"]])
    if not scored:
        sys.exit("no row was scored")


if __name__ == "__main__":
    main()
