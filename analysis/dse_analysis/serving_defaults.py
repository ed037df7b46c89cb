"""Compare published throughputs of engines with their default settings with predictions of `mode: serving`.

    python -m dse_analysis.serving_defaults --dse BUILD/dse --data .

The rows are those of workloads/measured/serving_defaults.csv; no constant was fitted to them. All requests arrive at
once, and most of them wait: caches of few long prompts are full, so that requests are preempted under vLLM.
"""

import argparse
import sys

from dse_analysis.script import add_program, exit_code, point_metrics
from dse_analysis.serving_throughput import FACTS, read_skews, read_table, summary

TABLE = "workloads/measured/serving_defaults.csv"
CLUSTERS = {"a100": "dgx_a100_hdr200", "h100": "h100_ndr400", "h200": "dgx_h200_ndr400"}
STACKS = {"vllm": "vllm_2025", "sglang": "sglang_2025", "trtllm": "trtllm_2025"}
# Rates of experts over prompts by engine and model, where Triton's kernels miss the usual 0.5 in narrow slices: 8,192 tokens of DeepSeek-R1 take 2.44
# to 2.55 ms a layer over eight H200s under vLLM (0.14.0 to 0.24.0), 1.78 to 1.85 ms under SGLang (0.5.6, 0.5.9), where 1.50 are modelled
# (AIConfigurator 095f58a, systems/data, moe).
EXPERT_RATES = {("vllm", "deepseek_v3"): 0.28, ("sglang", "deepseek_v3"): 0.38}
METRICS = {"tokens_per_second": ("output_tokens_per_second", 1.0), "ttft_mean_s": ("ttft_mean", 1.0),
           "tpot_mean_ms": ("tpot_mean", 1e3)}


def sweep_of(row, skews):
    """Return the sweep of a row, which has a single point.

    Parameters
    ----------
    skews : dict
        Of `read_skews`.
    """
    requests, tp = int(row["requests"]), int(row["tp"])
    serving = {"token_budget": int(row["token_budget"]), "max_sequences": int(row["max_sequences"])}
    workload = {
        "model": row["model"], "mode": "serving", "stack": STACKS[row["engine"]], "precision": row["precision"],
        "traffic": {"clients": requests, "requests": requests, "prompt": int(row["prompt"]), "output": int(row["output"])},
        "serving": serving,
    }
    if row["precision"] == "fp8":
        workload["fused_casts"] = False  # a scale for each block
    if row["engine"] == "trtllm":
        serving["cache_share"] = 0.9  # free_gpu_memory_fraction of KvCacheConfig
        workload["allocator_overhead"] = 0
    if (row["engine"], row["model"]) in EXPERT_RATES:
        workload["prompt_expert_rate"] = EXPERT_RATES[row["engine"], row["model"]]
    if row["model"] in skews:
        workload |= {"imbalance": "zipf", "routing_skew": skews[row["model"]]}
    return {"name": "defaults", "workload": workload, "system": {"cluster": CLUSTERS[row["gpu"]], "devices": tp},
            "axes": {"tp": [tp]}}


def predict(dse, data, row, skews):
    """Return the predicted metrics of a row."""
    return point_metrics(dse, data, sweep_of(row, skews))


def errors_of(row, metrics):
    """Return {column: error} of a row, relative to what was published."""
    return {column: metrics[name] * unit / float(row[column]) - 1 for column, (name, unit) in METRICS.items()}


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_program(parser)
    options = parser.parse_args(arguments)
    skews = read_skews(options.data / FACTS)
    groups = {}
    for row in read_table(options.data / TABLE):
        errors = errors_of(row, predict(options.dse, options.data, row, skews))
        groups.setdefault(f"{row['engine']} {row['model']} {row['gpu']} {row['precision']}", []).append(errors)
        print(f"{row['engine']:7} {row['model']:16} {row['gpu']} {row['precision']} tp {row['tp']} {row['prompt']:>6} {row['output']:>4} "
              + "  ".join(f"{column} {100 * error:+6.1f} %" for column, error in errors.items()))
    for column in METRICS:
        print(column)
        for name, errors in groups.items():
            print("  " + summary(name, [each[column] for each in errors]))
        print("  " + summary("all", [each[column] for errors in groups.values() for each in errors]))


if __name__ == "__main__":
    sys.exit(main())
