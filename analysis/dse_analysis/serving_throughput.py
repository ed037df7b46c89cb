"""Compare published maximum throughputs of TensorRT-LLM and vLLM with predictions of `mode: serving`.

    python -m dse_analysis.serving_throughput --dse BUILD/dse --data .

The rows are those of workloads/measured/serving_throughput.csv; no constant was fitted to them. All requests
arrive at once, and TensorRT-LLM admits a request if there are enough pages for it until its end. With a cache in
fp8, its attention over prompts multiplies in fp8. Limits of the engine are those that its benchmark derives from the
sizes of model, device and requests (`limits_of`). Its graphs are captured for 128, 256, 384, 512, 1,024, … sequences
and for the largest batch, and batches are padded to them. vLLM's limits are those of AMD's scripts: as many sequences
as requests, and 131,072 tokens a step.
"""

import argparse
import csv
import math
import re
import statistics
import sys
from pathlib import Path

from dse_analysis.script import add_program, exit_code, point_metrics

TABLE = "workloads/measured/serving_throughput.csv"
CLUSTERS = {"h100": "h100_ndr400", "h200": "dgx_h200_ndr400", "b200": "dgx_b200", "gb200": "gb200_nvl72",
            "mi300x": "mi300x_roce400"}
# `attention.efficiency` of the devices, times 1.43, 1.19 and 1.21: the rate of TensorRT-LLM's attention over prompts of
# 8,192 tokens with a cache in fp8 over that with one in bf16 (AIConfigurator 095f58a, systems/data, context_attention).
ATTENTION = {"h100": 0.79, "h200": 0.79, "b200": 0.77, "gb200": 0.787}
# Memory of the devices, as nvidia-smi shows it [GiB].
MEMORY = {"h100": 79.65, "h200": 140.4, "b200": 179.06, "gb200": 185.03}
# Parameters [10^9], layers, key-value heads and their elements, from the models' config.json.
SIZES = {"llama3_8b": (8.03, 32, 8, 128), "llama3_70b": (70.6, 80, 8, 128), "llama3_405b": (405.9, 126, 8, 128),
         "qwen3_30b_a3b": (30.5, 48, 4, 128), "qwen3_235b_a22b": (235.1, 94, 4, 128),
         "gpt_oss_20b": (20.9, 24, 8, 64), "gpt_oss_120b": (116.8, 36, 8, 64)}
# Largest message of an all-reduce in one step, of 128 tokens; more take NCCL, until NVIDIA/TensorRT-LLM#7870 (1.2).
ONE_STEP = {"llama3_70b": "2 MiB", "llama3_405b": "4 MiB"}
BYTES = {"fp8": 1.0, "fp4": 0.5}
# Tiles of TensorRT-LLM's kernel of experts in MXFP4 on Blackwell, as of those in fp8 (workloads/measured/serving.yaml): gpt-oss-120b's take 391 us with
# 1,024 tokens and 672 with 4,096 where experts are chosen unevenly, 276 and 493 modelled without (AIConfigurator 095f58a, systems/data, moe on B200,
# w4a8_mxfp4_mxfp8, power_law_1.01).
TILES = {"expert_tile": 64, "few_expert_rows": 8}
# Bits of a weight that it reads: 1.2 pads gpt-oss' 2,880 inputs to 3,072 and 2,944 (NVIDIA/TensorRT-LLM#9025), and 32 weights have a scale of eight bits.
PADDED_BITS = 4.47
CACHE_SHARE = 0.95  # --kv_cache_free_gpu_mem_fraction
# Facts about models; their skews are those with which `dse validate` predicts deployments.
FACTS = "workloads/measured/serving.yaml"
GRAPHS = {"graph_batch": 128, "graph_double_from": 512}  # cuda_graph_config.batch_sizes, from 128 on
VLLM_TOKENS = 131072  # max_num_batched_tokens in ROCm/MAD, scripts/vllm/configs/default.csv


def read_table(file):
    """Return the rows of the table. Lines that begin with # state their sources."""
    with open(file, newline="") as text:
        return list(csv.DictReader(line for line in text if not line.startswith("#")))


def read_skews(file):
    """Return {model: exponent of its experts' popularity} of the models that have one in serving.yaml."""
    entries = re.findall(r"^  - \{name: .*\bfile: (\w+),.*\brouting_skew: ([\d.]+)[,}]", Path(file).read_text(encoding="utf-8"), re.MULTILINE)
    return {model: float(skew) for model, skew in entries}


def up_to(value, multiple):
    return multiple * math.ceil(value / multiple)


def limits_of(row):
    """Return the largest batch and the most tokens of a step that trtllm-bench sets for a row.

    They follow from the number of whole requests whose cache fits beside the parameters (tensorrt_llm/bench/build/tuning.py
    and bench/benchmark/utils/general.py); a step has room for a prompt beside a full batch.
    """
    prompt, output = int(row["prompt"]), int(row["output"])
    devices = int(row["tp"]) * int(row["attention_dp"])  # the benchmark calls all of them tp
    parameters, layers, heads, elements = SIZES[row["model"]]
    cache = 2 * layers * max(devices, heads) * elements  # bytes a token, in fp8
    free = (devices * MEMORY[row["gpu"]] * 2**30 - parameters * 1e9 * BYTES[row["precision"]]) * CACHE_SHARE
    batch = min(free / (cache * (prompt + output)), 4096)
    tokens = min(batch * (1 + prompt / output), 32768)
    if batch < 256:
        batch = max(64, up_to(batch, 32))
    else:
        batch = up_to(batch, 128 if batch < 1024 else 256)
    if tokens < 4096:
        tokens = max(2048, up_to(tokens, 256))
    else:
        tokens = up_to(tokens, 512 if tokens < 8192 else 1024)
    return batch, max(tokens, prompt + batch)


def is_vllm(row):
    return row["release"].startswith("vllm")


def vllm_sweep_of(row):
    """Return the sweep of a row of vLLM, which has a single point."""
    requests = int(row["requests"])
    return {
        "name": "throughput",
        "workload": {
            "model": row["model"], "mode": "serving", "stack": "vllm_2025", "precision": row["precision"],
            "kv_cache_precision": "fp8",
            "traffic": {"clients": requests, "requests": requests, "prompt": int(row["prompt"]), "output": int(row["output"])},
            "serving": {"token_budget": VLLM_TOKENS, "max_sequences": requests, "accept_time": "0 s", "tokenize_time": "0 s",
                        "request_time": "0 s"},
        },
        "system": {"cluster": CLUSTERS[row["gpu"]], "devices": int(row["tp"])},
        "axes": {"tp": [int(row["tp"])]},
    }


def sweep_of(row, skews):
    """Return the sweep of a row, which has a single point.

    Parameters
    ----------
    skews : dict
        Of `read_skews`.
    """
    if is_vllm(row):
        return vllm_sweep_of(row)
    tp, ranks, requests = int(row["tp"]), int(row["attention_dp"]), int(row["requests"])
    batch, tokens = limits_of(row)
    serving = {"token_budget": tokens, "max_sequences": batch, "cache_share": CACHE_SHARE, "attention_dp": ranks,
               "accept_time": "0 s", "tokenize_time": "0 s", "request_time": "0 s"} | GRAPHS
    if tp > 1 and row["release"] in ("0.20", "1.0"):
        serving["one_step_limit"] = ONE_STEP[row["model"]]
    workload = {
        "model": row["model"], "mode": "serving", "stack": "trtllm_2025", "precision": row["precision"],
        "kv_cache_precision": "fp8",
        "traffic": {"clients": requests, "requests": requests, "prompt": int(row["prompt"]), "output": int(row["output"])},
        "serving": serving,
        "allocator_overhead": 0,  # what CACHE_SHARE leaves is the reserve
    }
    if row["model"] in skews:
        workload |= {"imbalance": "zipf", "routing_skew": skews[row["model"]]}
    if row["model"].startswith("gpt_oss"):
        workload |= TILES | {"weight_bits": PADDED_BITS}
    if ranks > 1:
        workload |= {"ep": ranks, "etp": 1, "dispatcher": "deduplicated"}
    return {
        "name": "throughput", "workload": workload,
        "system": {"cluster": CLUSTERS[row["gpu"]], "devices": tp * ranks},
        "axes": {"tp": [tp], "cluster.device.attention.efficiency": [ATTENTION[row["gpu"]]]},
    }


def predict(dse, data, row, skews):
    """Return the predicted output tokens per second of a row."""
    return point_metrics(dse, data, sweep_of(row, skews))["output_tokens_per_second"]


def summary(name, errors):
    size = [abs(error) for error in errors]
    return (f"{name:31} {len(errors):3} rows  median error {100 * statistics.median(size):.1f} %, mean "
            f"{100 * statistics.mean(size):.1f} %, bias {100 * statistics.median(errors):+.1f} %")


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_program(parser)
    options = parser.parse_args(arguments)
    skews = read_skews(options.data / FACTS)
    groups = {}
    for row in read_table(options.data / TABLE):
        predicted, published = predict(options.dse, options.data, row, skews), float(row["tokens_per_second"])
        error = predicted / published - 1
        groups.setdefault(f"{row['release']} {row['model']} {row['gpu']} {row['precision']}", []).append(error)
        print(f"{row['release']:9} {row['model']:15} {row['gpu']:6} tp {row['tp']} dp {row['attention_dp']} "
              f"{row['prompt']:>6} {row['output']:>5} {published:7.0f} {predicted:7.0f} {100 * error:+6.1f} %")
    for name, errors in groups.items():
        print(summary(name, errors))
    kinds = {}
    for name, errors in groups.items():
        kind = "vLLM, " if name.startswith("vllm") else "TensorRT-LLM, "
        kinds.setdefault(kind + ("dense" if "llama3" in name else "experts"), []).extend(errors)
    for kind, errors in kinds.items():
        print(summary(kind, errors))


if __name__ == "__main__":
    sys.exit(main())
