"""Compare logs of real vLLM runs with predictions, fitting constants of the device to one run at a time.

    python -m dse_analysis.serving_logs --dse BUILD/dse --data . RUNS/

RUNS contains, for each run, vllm_requests_NAME.csv (columns queued_s, input_tokens, output_tokens, ttft_s,
tpot_s, latency_s) and vllm_requests_NAME_config.json (casys-kaist/LLMServingSim, bench/examples). Requests
arrive at the times at which they were queued, and the engine has its limits of the run. AXES are constants of
the device about which nothing is published. They are fitted to each run in turn, minimizing the largest
error of its mean latencies, and used to predict all runs.
"""

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from dse_analysis.script import add_program, exit_code

MODELS = {"meta-llama/Llama-3.1-8B": "llama3_8b", "Qwen/Qwen3-32B": "qwen3_32b"}
CLUSTERS = {"RTXPRO6000": "rtx_pro_6000_pcie"}
# Constants of the device, and the values to try.
AXES = {
    "cluster.device.matmul.sustained.bf16": ("300 TFLOPS", "350 TFLOPS", "400 TFLOPS"),
    "cluster.device.memory.efficiency": ("0.8", "0.85", "0.905"),
}
# Columns of a log, and the metrics that they are compared with.
LATENCIES = {"ttft_s": "ttft_mean", "tpot_s": "tpot_mean", "latency_s": "e2e_mean"}


def read_log(file):
    """Return the requests of a log, {column: number}, in the order in which they were queued."""
    with open(file, newline="") as text:
        rows = [{name: float(value or "nan") for name, value in row.items() if name != "request_id"}
                for row in csv.DictReader(text)]
    return sorted(rows, key=lambda row: row["queued_s"])


def mean(rows, column):
    """Return the mean of a column. Values may be missing: a request for one token has no time per token."""
    values = [row[column] for row in rows if not math.isnan(row[column])]
    return sum(values) / len(values)


def write_trace(rows, file):
    """Write requests as a trace for `dse`, with arrivals relative to the first one."""
    first = rows[0]["queued_s"]
    with open(file, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["arrival_s", "input_tokens", "output_tokens"])
        writer.writerows([row["queued_s"] - first, int(row["input_tokens"]), int(row["output_tokens"])] for row in rows)


def sweep_of(config, trace):
    """Return the sweep of a run, with its engine and its requests, over AXES.

    The host works ahead (1 ms a step and 40 us a sequence; with the gap of vllm_2026 between steps, the fit to one
    run is worse for the other). The times of a log begin in the engine, so that there is no delay before its queue.
    """
    engine = config["engine_kwargs"]
    tp = engine["tensor_parallel_size"]
    axes = {"tp": [tp], **{name: list(values) for name, values in AXES.items()}}
    return {
        "name": "log",
        "workload": {
            "model": MODELS[config["model"]], "mode": "serving", "stack": "vllm_2025", "traffic": {"trace": trace.name},
            "launch_factor": 1,
            "serving": {"token_budget": engine["max_num_batched_tokens"], "max_sequences": engine["max_num_seqs"],
                        "asynchronous": True, "host_time": "1 ms", "worker_time": "0 s", "host_time_sequence": "40 us",
                        "accept_time": "0 s", "tokenize_time": "0 s", "request_time": "0 s", "collective_launch": "0 s"},
        },
        "system": {"cluster": CLUSTERS[config["hardware_short"]], "devices": tp},
        "axes": axes,
    }


def predictions(dse, data, folder, name, config, rows):
    """Return {values of AXES: {column: mean predicted by `dse`}} of a run."""
    trace = folder / f"{name}.csv"
    write_trace(rows, trace)
    sweep = folder / f"{name}.yaml"
    sweep.write_text(json.dumps(sweep_of(config, trace)))  # which is YAML
    results = folder / f"{name}.h5"
    for command in (["run", sweep, "-o", results], ["export", results, "--csv"]):
        answer = subprocess.run([dse, *map(str, command)], cwd=data, capture_output=True, text=True)
        if answer.returncode != 0:
            raise ValueError(answer.stderr.strip())
    found = {}
    for row in csv.DictReader(answer.stdout.splitlines()):
        key = tuple(float(row[axis]) for axis in AXES)
        found[key] = {column: float(row[metric]) for column, metric in LATENCIES.items()}
    return found


def errors(predicted, measured):
    """Return {column: relative error}."""
    return {column: predicted[column] / measured[column] - 1 for column in measured}


def fitted(predicted, measured):
    """Return the values of AXES with the smallest maximum error."""
    return min(predicted, key=lambda key: max(map(abs, errors(predicted[key], measured).values())))


def line(what, each):
    return f"{what:58}" + "".join(f"{100 * error:+8.1f} %" for error in each.values())


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, help="folder of the logs")
    add_program(parser)
    options = parser.parse_args(arguments)
    predicted, measured = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(options.runs.glob("vllm_requests_*_config.json")):
            name = file.name.removesuffix("_config.json")
            rows = read_log(file.with_name(f"{name}.csv"))
            predicted[name] = predictions(options.dse, options.data, Path(folder), name, json.loads(file.read_text()), rows)
            measured[name] = {column: mean(rows, column) for column in LATENCIES}
    print(f"{'errors of means':58}" + "".join(f"{column:>10}" for column in LATENCIES))
    for fit in predicted:
        values = fitted(predicted[fit], measured[fit])
        print(f"fitted on {fit}: {', '.join(f'{axis} {value:g}' for axis, value in zip(AXES, values))}")
        for name in predicted:
            print(line(f"  {name}", errors(predicted[name][values], measured[name])))


if __name__ == "__main__":
    sys.exit(main())
