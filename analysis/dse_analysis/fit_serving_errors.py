"""The table of error bars of inference, workloads/measured/serving_errors.yaml, from measured deployments.

    dse validate --truth DEPLOYMENTS.csv --json > deployments.json
    python -m dse_analysis.fit_serving_errors deployments.json -o workloads/measured/serving_errors.yaml
    python -m dse_analysis.fit_serving_errors deployments.json        how many rows lie inside bars made without their model

An error is the logarithm of measured over predicted time: per output token (decode), to the first token of deployments
that are not overloaded (prefill). Three numbers, one an engine, were chosen by these rows; all others come from
elsewhere. A family's half interval holds SHARE of its rows, by weight; one of few models borrows from its parent as if
BORROWED models of it had the parent's.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from dse_analysis.script import exit_code

SHARE = 0.80
BORROWED = 2.0
METRICS = {"prefill": "ttft", "decode": "tpot"}
GENERATIONS = {"h100_sxm": "hopper", "h200_sxm": "hopper", "b200_sxm": "blackwell", "gb200": "blackwell", "b300_sxm": "blackwell",
               "gb300": "blackwell", "a100_sxm": "ampere"}
#: Parts of the names of models with experts.
EXPERTS = ("DeepSeek", "A22B", "A3B", "Kimi", "gpt-oss", "Mixtral")
#: First words of the stacks of engines.
STACKS = {"vllm": "vLLM", "trtllm": "TensorRT-LLM", "sglang": "SGLang"}


def read_errors(path, metric):
    """Return the rows of a metric: family names from wide to narrow, model, weight, error."""
    rows = []
    for row in json.loads(Path(path).read_text(encoding="utf-8"))["rows"]:
        if row["metric"] != metric or row["why"] or row["error"] is None or (metric == "ttft" and row["overloaded"]):
            continue
        kind = "experts" if any(part in row["model"] for part in EXPERTS) else "dense"
        names = (("kind", kind), ("generation", GENERATIONS[row["chip"]]), ("stack", STACKS[row["framework"]]))
        rows.append({"path": [names[:depth] for depth in range(len(names) + 1)], "model": row["model"], "weight": row["weight"],
                     "error": -np.log1p(row["error"])})
    return rows


def half_interval(rows):
    sizes = np.abs([row["error"] for row in rows])
    order = np.argsort(sizes)
    share = np.cumsum(np.array([row["weight"] for row in rows])[order])
    return sizes[order][np.searchsorted(share, SHARE * share[-1])]


def widths_of(rows):
    """Return {family: (width, rows, models)}, wide families first."""
    families = {}
    for row in rows:
        for family in row["path"]:
            families.setdefault(family, []).append(row)
    widths = {}
    for family in sorted(families, key=len):
        own, models = half_interval(families[family]), len({row["model"] for row in families[family]})
        if family:
            own = (own * models + widths[family[:-1]][0] * BORROWED) / (models + BORROWED)
        widths[family] = (own, len(families[family]), models)
    return widths


def inside(rows):
    """Return the share of the rows, by weight, that lie inside bars made without their model; and these bars' median."""
    hits, total, widths = 0.0, 0.0, []
    for model in {row["model"] for row in rows}:
        known = widths_of([row for row in rows if row["model"] != model])
        for row in (row for row in rows if row["model"] == model):
            width = next(known[family][0] for family in reversed(row["path"]) if family in known)
            hits += row["weight"] * (abs(row["error"]) <= width)
            total += row["weight"]
            widths.append(width)
    return hits / total, float(np.median(widths))


def text_of(tables):
    lines = ["# How far predicted steps of inference are off, by family. Not to be edited: analysis/dse_analysis/fit_serving_errors.py",
             "# makes it of measured deployments, and says how. Half an interval of 80 %, of the logarithm of measured over predicted."]
    for mode, widths in tables.items():
        lines.append(f"{mode}:")
        for family, (width, rows, models) in widths.items():
            names = "".join(f'{key}: "{name}", ' for key, name in family)
            lines.append(f"  - {{{names}width: {width:.3f}, rows: {rows}, groups: {models}}}")
    return "\n".join(lines) + "\n"


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="fit_serving_errors", description="Error bars of inference.")
    parser.add_argument("deployments", help="JSON of dse validate --truth")
    parser.add_argument("-o", "--output", help="table to write")
    options = parser.parse_args(arguments)
    tables = {}
    for mode, metric in METRICS.items():
        rows = read_errors(options.deployments, metric)
        tables[mode] = widths_of(rows)
        share, width = inside(rows)
        sizes = np.abs([row["error"] for row in rows])
        print(f"{mode}: {len(rows)} rows, {share:.0%} inside, half of the interval {width:.3f}, median error {np.median(sizes):.3f}")
    if options.output:
        Path(options.output).write_text(text_of(tables), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
