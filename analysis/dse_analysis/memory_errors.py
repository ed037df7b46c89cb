"""Make the table of errors of predicted memory, workloads/measured/memory_errors.csv, which `fit_errors` derives error bars from.

    dse validate --json > validated.json
    python -m dse_analysis.memory_errors validated.json -o workloads/measured/memory_errors.csv

A row is a measured peak: an allocator's own figure (`peak_memory`), or that of nvidia-smi (`device_memory`). Rows that are set aside, and
those with the weight 0, are left out. Families are programs, their releases and variants of these, below the two kinds of figures, each
of which has a factor of its own; `credibility` says how large their errors are. A peak is not predicted better for being made of weights
and states, whose sizes are known: of the shipped peaks, those with the largest share of them err most.
"""

import argparse
import csv
import json
import math
import sys
from pathlib import Path

import numpy as np

from dse_analysis.credibility import (coverage, factor_of, factors_of, families_of, family_sizes, is_in, key_of, part_of, unseen_families,
                                      unseen_sizes)
from dse_analysis.first_predictions import program_of
from dse_analysis.script import exit_code, write_rows

METRICS = ("peak_memory", "device_memory")
COLUMNS = ("id", "stack", "group", "metric", "weight", "log")

# Software from whose peaks constants of the allocator were set: its errors say nothing of others.
FITTED = ("torchtitan",)


def rows_of(validated):
    """Return the rows of the table, from the JSON of `dse validate`."""
    return [{"id": row["id"], "stack": row["stack"], "group": row["group"], "metric": row["metric"], "weight": row["weight"],
             "log": f"{math.log(row['measured'] / row['predicted']):.5f}"}
            for row in validated["rows"]
            if row["metric"] in METRICS and row["weight"] > 0 and not row["why"] and not row["set_aside"]]


def read_rows(path):
    with path.open(newline="") as file:
        return [numbers(row) for row in csv.DictReader(file)]


def numbers(row):
    return {**row, "log": float(row["log"]), "weight": float(row["weight"]), "path": path_of(row["metric"], row["stack"])}


def path_of(metric, stack):
    """Return the families of a row, widest first. Most of allocators' figures err less than those of nvidia-smi, a few as much."""
    names = (("metric", metric), ("program", program_of(stack)), ("release", stack.split(",")[0]), ("stack", stack))
    return [dict(names[:depth]) for depth in range(len(names) + 1)]


def is_fitted(row):
    return program_of(row["stack"]) in FITTED


def others_of(rows):
    return [row for row in rows if not is_fitted(row)]


def sizes_for(rows):
    """Return (sizes of errors by family of FITTED software, and of all other)."""
    return family_sizes(rows), family_sizes(others_of(rows))


def unseen_widths(rows):
    """Return half-widths of intervals that were made without each row's group of configurations."""
    others = others_of(rows)
    size_of = dict(zip(map(id, others), unseen_sizes(others)))
    sizes = np.array([size_of.get(id(row), size) for row, size in zip(rows, unseen_sizes(rows))])
    factors = factors_of(rows, sizes)
    return np.array([factors[part_of(row)] * size for row, size in zip(rows, sizes)]), factors


def widest(rows):
    """Return half an interval for software without rows, before `fit_errors` adds what first predictions tell of it: with it, SHARE lie
    inside bars that were made without any row of their program."""
    others = others_of(rows)
    sizes = [size for _, size in unseen_families(others, lambda row: program_of(row["stack"]))]
    return factor_of(others, sizes) * family_sizes(others)[()]


def families_with_bars(rows):
    """Return every family of the rows that a stack's name tells, wide ones first: releases and their variants, and FITTED programs."""
    return [family for family in families_of(rows) if "release" in family or family.get("program") in FITTED]


def records(rows):
    """Return the records of errors.yaml. A release with figures of both kinds has the wider bars of the two."""
    _, factors = unseen_widths(rows)
    of_fitted, of_others = sizes_for(rows)
    found = {(): (widest(rows), others_of(rows))}
    for family in families_with_bars(rows):
        inside = [row for row in rows if is_in(row, family)]
        size = (of_fitted if is_fitted(inside[0]) else of_others)[key_of(family)]
        bar = (factors[part_of(inside[0])] * size, inside)
        names = key_of(named(family))
        found[names] = max(bar, found.get(names, bar), key=lambda one: one[0])
    return [dict(names) | {"width": f"{width:.3f}", "rows": len(inside), "groups": len({row["group"] for row in inside})}
            for names, (width, inside) in found.items()]


def named(family):
    """Return what tells a family in the table: the beginning of its stacks' names, or one whole name (`exact`). A release's own name is
    both that of all its recipes and that of one, whose family is the narrower."""
    names = {"stack": list(family.values())[-1]}
    is_recipe_of_its_name = "stack" in family and family["stack"] == family["release"]
    return names | ({"exact": "true"} if is_recipe_of_its_name else {})


def calibration(rows):
    """Check the bars on peaks whose group they were made without.

    Returns
    -------
    dict
        {metric: what `coverage` says of it}
    """
    widths, _ = unseen_widths(rows)
    found = {}
    for metric in METRICS:
        here = [(row, width) for row, width in zip(rows, widths) if row["metric"] == metric]
        if here:
            found[metric] = coverage(*zip(*here))
    return found


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("validated", type=Path, help="output of dse validate --json")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    rows = rows_of(json.loads(options.validated.read_text()))
    for name, (number, inside, width, ratio) in calibration([numbers(row) for row in rows]).items():
        print(f"{name:14} {number:4} rows  inside {100 * inside:5.1f} %  width {100 * width:5.1f} %  = {ratio:.2f} times the median error")
    if options.output:
        write_rows(options.output, COLUMNS, rows)


if __name__ == "__main__":
    sys.exit(main())
