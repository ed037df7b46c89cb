"""Compare published maximum throughputs of TensorRT-LLM with predictions of `mode: serving`.

    python -m dse_analysis.serving_throughput --dse BUILD/dse --data .

The rows are those of workloads/measured/serving_throughput.csv; no constant was fitted to them. All requests
arrive at once, and TensorRT-LLM admits a request if there are enough pages for it until its end. With a cache in
fp8, its attention over prompts multiplies in fp8.
"""

import argparse
import csv
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from dse_analysis.script import exit_code

TABLE = "workloads/measured/serving_throughput.csv"
# `attention.efficiency` of H100 (0.55), times 1.43: the rate of TensorRT-LLM's attention over prompts of 8,192 tokens
# with a cache in fp8 over that with one in bf16, on H100 (AIConfigurator 095f58a, systems/data, context_attention).
ATTENTION = 0.79
# Number of requests, large enough for filling and draining to be negligible.
REQUESTS = 4096


def read_table(file):
    """Return the rows of the table. Lines that begin with # state their sources."""
    with open(file, newline="") as text:
        return list(csv.DictReader(line for line in text if not line.startswith("#")))


def sweep_of(row):
    """Return the sweep of a row, which has a single point."""
    tp = int(row["tp"])
    return {
        "name": "throughput",
        "workload": {
            "model": row["model"], "mode": "serving", "stack": "vllm_2025", "precision": "fp8",
            "kv_cache_precision": "fp8",
            "traffic": {"clients": REQUESTS, "requests": REQUESTS, "prompt": int(row["prompt"]),
                        "output": int(row["output"])},
            "launch_factor": 1,
            "serving": {"scheduler": "tensorrt", "token_budget": 8192, "max_sequences": REQUESTS,
                        "memory_share": 0.95, "asynchronous": True, "host_time": "1 ms",
                        "host_time_sequence": "0 s", "tokenize_time": "0 s", "request_time": "0 s"},
        },
        "system": {"cluster": "h100_ndr400", "devices": tp},
        "axes": {"tp": [tp], "cluster.network.collective.launch": ["1 us"],
                 "cluster.device.attention.efficiency": [ATTENTION]},
    }


def predict(dse, data, row):
    """Return the predicted output tokens per second of a row."""
    with tempfile.TemporaryDirectory() as folder:
        sweep = Path(folder) / "throughput.yaml"
        sweep.write_text(json.dumps(sweep_of(row)))  # which is YAML
        answer = subprocess.run([dse, "point", str(sweep), "--json"], cwd=data, capture_output=True, text=True)
    if answer.returncode != 0:
        raise ValueError(answer.stderr.strip())
    return json.loads(answer.stdout)["metrics"]["output_tokens_per_second"]


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True, help="the program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--data", default=".", type=Path, help="folder that contains hardware/ and workloads/")
    options = parser.parse_args(arguments)
    errors = []
    for row in read_table(options.data / TABLE):
        predicted, published = predict(options.dse, options.data, row), float(row["tokens_per_second"])
        errors.append(predicted / published - 1)
        print(f"{row['model']:12} tp {row['tp']} {row['prompt']:>6} {row['output']:>5} "
              f"{published:7.0f} {predicted:7.0f} {100 * errors[-1]:+6.1f} %")
    size = [abs(error) for error in errors]
    print(f"median error {100 * statistics.median(size):.1f} %, bias {100 * statistics.median(errors):+.1f} %")


if __name__ == "__main__":
    sys.exit(main())
