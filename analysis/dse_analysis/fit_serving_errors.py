"""Make the table of inference's error bars, workloads/measured/serving_errors.yaml, from measurements.

    dse validate --json > steps.json
    dse validate --truth DEPLOYMENTS.csv --json > deployments.json
    python -m dse_analysis.fit_serving_errors steps.json deployments.json --residuals workloads/measured/serving_left_out.csv
    python -m dse_analysis.fit_serving_errors workloads/measured/serving_left_out.csv -o workloads/measured/serving_errors.yaml

An error is the logarithm of measured over predicted time: of forward passes of whole prompts (prompts), to
the first token of deployments that are not overloaded (first_token), per output token (decode). Three
constants, one per engine, were chosen from rows of deployments; all others come from elsewhere. Families and
their widths are made as those of training steps by `fit_errors`, with one model as a group: the size of a
family's errors, part of which is taken from wider ones, times the factor with which SHARE of the rows lie
inside bars that were made without their group. Each of the widest families below all (engines, kinds
of models) has a factor of its own.
"""

import argparse
import csv
import json
import sys
from pathlib import Path

import numpy as np

from dse_analysis.credibility import SHARE, coverage, factors_of, families_of, family_sizes, is_in, key_of, part_of, unseen_sizes, weighted_quantile
from dse_analysis.fit_errors import KINDS, idealized_records, members, read_unknown, table_lines
from dse_analysis.script import exit_code, write_rows

# Metric of a row, and its families from wide to narrow, which are columns of the residuals.
QUANTITIES = {"prompts": ("prefill_latency", ("stack",)),
              "first_token": ("ttft", ("kind", "stack", "generation", "prompt")),
              "decode": ("tpot", ("kind", "stack", "generation"))}
GENERATIONS = {"h100_sxm": "hopper", "h200_sxm": "hopper", "b200_sxm": "blackwell", "gb200": "blackwell", "b300_sxm": "blackwell",
               "gb300": "blackwell", "a100_sxm": "ampere"}
# Kinds of models of the templates that have rows of deployments only.
SERVED = {"gpt_oss": "experts", "qwen3_5": "experts", "glm_5": "experts"}
# First words of the engines' stacks.
STACKS = {"vllm": "vLLM", "trtllm": "TensorRT-LLM", "sglang": "SGLang"}
COLUMNS = ("quantity", "kind", "generation", "stack", "prompt", "group", "weight", "left_out")
# Prompts of deployments of up to so many tokens are short: their first tokens depend on the host, those of others on the devices.
LONGEST_SHORT = 1024


def is_counted(row, metric):
    return (row["metric"] == metric and not row["why"] and row["error"] is not None
            and not (metric == "ttft" and row["overloaded"]))


def residual(quantity, row):
    """Return what the table is made from: a row's families, its group and its error."""
    prompt = quantity == "prompts"
    return {"quantity": quantity, "kind": (KINDS | SERVED)[row["template"]],
            "generation": "" if prompt else GENERATIONS[row["chip"]],
            "stack": row["stack"].split()[0] if prompt else STACKS[row["framework"]],
            "prompt": "" if prompt else "short" if row["prompt"] <= LONGEST_SHORT else "long",
            "group": row["model"], "weight": row.get("weight", 1.0), "left_out": row["error"]}


def read_answers(files):
    """Return the residuals from the output of `dse validate --json`."""
    rows = [row for file in files for row in json.loads(Path(file).read_text(encoding="utf-8"))["rows"]]
    return [residual(quantity, row) for quantity, (metric, _) in QUANTITIES.items() for row in rows if is_counted(row, metric)]


def write_residuals(file, rows):
    write_rows(file, COLUMNS, (row | {"weight": f"{row['weight']:.4g}", "left_out": f"{row['left_out']:.4f}"} for row in rows))


def read_residuals(file):
    """Return {quantity: rows}, with rows in the form that `fit_errors` uses."""
    tables = {quantity: [] for quantity in QUANTITIES}
    with open(file, newline="") as text:
        for row in csv.DictReader(text):
            names = tuple((name, row[name]) for name in QUANTITIES[row["quantity"]][1] if row.get(name))
            row["path"] = [dict(names[:depth]) for depth in range(len(names) + 1)]
            row["log"] = -float(np.log1p(float(row["left_out"])))
            row["weight"] = float(row["weight"])
            tables[row["quantity"]].append(row)
    return tables


def calibration(rows):
    """Check the error bars on rows whose group they were made without.

    Returns
    -------
    dict
        {family: what `coverage` says of it}
    """
    sizes = unseen_sizes(rows)
    factors = factors_of(rows, sizes)
    widths = [factors[part_of(row)] * size for row, size in zip(rows, sizes)]
    found = {}
    for part in (*sorted(factors)[1:], ()):
        here = [(row, width) for row, width in zip(rows, widths) if part in ((), part_of(row))]
        found[part[0][1] if part else "all"] = coverage(*zip(*here))
    return found


def calibrations(tables):
    """Return {quantity: result of calibration()}."""
    return {quantity: calibration(rows) for quantity, rows in tables.items()}


def records_of(rows):
    factors = factors_of(rows, unseen_sizes(rows))
    sizes = family_sizes(rows)
    records = []
    for family in families_of(rows):
        inside = [row for row in rows if is_in(row, family)]
        factor = factors[part_of(inside[0]) if family else ()]
        # Errors of few rows may lie together beyond a multiple of their mean: bars hold SHARE of their own rows, too.
        own = weighted_quantile([abs(row["log"]) for row in inside], [row["weight"] for row in inside], SHARE)
        records.append(family | {"width": f"{max(factor * sizes[key_of(family)], own):.4f}", "rows": len(inside),
                                 "groups": len({row["group"] for row in inside})})
    return records


def text_of(tables, unknown):
    lines = ["# How far predicted inference is off, by family. Not to be edited: analysis/dse_analysis/fit_serving_errors.py makes it",
             "# of serving_left_out.csv, and says how. Half an interval of 80 %, of the logarithm of measured over predicted.",
             f"longest_short: {LONGEST_SHORT}",
             *table_lines("templates", members(SERVED))]
    for quantity, rows in tables.items():
        lines += table_lines(quantity, [*records_of(rows), *idealized_records(unknown, quantity)])
    return "\n".join(lines) + "\n"


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="fit_serving_errors", description="Error bars of inference.")
    parser.add_argument("answers", nargs="+", help="JSON of dse validate, or the residuals made from it (CSV)")
    parser.add_argument("--residuals", help="write the residuals of JSON to this file")
    parser.add_argument("-o", "--output", help="write the table to this file")
    options = parser.parse_args(arguments)
    if options.residuals:
        write_residuals(options.residuals, read_answers(options.answers))
    tables = read_residuals(options.residuals or options.answers[0])
    for quantity, families in calibrations(tables).items():
        for name, (rows, inside, width, ratio) in families.items():
            print(f"{quantity:12} {name:14} {rows:4} rows  inside {inside:4.0%}  half of the interval {width:.3f}"
                  f"  = {ratio:.2f} times the median error")
    print(f"aim: {SHARE:.0%} inside")
    if options.output:
        unknown = read_unknown(Path(options.output).with_name("unknown_errors.csv"))
        Path(options.output).write_text(text_of(tables, unknown), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
