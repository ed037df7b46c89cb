"""Published maximum throughputs of TensorRT-LLM beside those that `mode: serving` predicts.

    python -m dse_analysis.serving_throughput --dse BUILD/dse --data .

The rows of workloads/measured/serving_throughput.csv, none of which had a say in any constant: all requests are there
at once, and TensorRT-LLM lets in what has pages to its end.
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
# Of all requests, so many that filling and draining count little.
REQUESTS = 4096


def read_table(file):
    """Return the rows of the table; lines that begin with # say where they are from."""
    with open(file, newline="") as text:
        return list(csv.DictReader(line for line in text if not line.startswith("#")))


def sweep_of(row):
    """Return the sweep of a row: one point."""
    tp = int(row["tp"])
    return {
        "name": "throughput",
        "workload": {
            "model": row["model"], "mode": "serving", "stack": "vllm_2025", "precision": "fp8",
            "kv_cache_precision": "fp8",
            "traffic": {"clients": REQUESTS, "requests": REQUESTS, "prompt": int(row["prompt"]),
                        "output": int(row["output"])},
            "serving": {"scheduler": "tensorrt", "token_budget": 8192, "max_sequences": REQUESTS,
                        "memory_share": 0.95, "asynchronous": True, "host_time": "1 ms"},
        },
        "system": {"cluster": "h100_ndr400", "devices": tp},
        "axes": {"tp": [tp], "cluster.network.collective.launch": ["1 us"]},
    }


def predict(dse, data, row):
    """Return output tokens a second of a row."""
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
    parser.add_argument("--data", default=".", type=Path, help="folder of hardware/ and workloads/")
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
