"""Make the table of errors of predicted memory, workloads/measured/memory_errors.csv, which `fit_errors` derives error bars from.

    dse validate --json > validated.json
    python -m dse_analysis.memory_errors validated.json -o workloads/measured/memory_errors.csv

A row is a measured peak: an allocator's own figure (`peak_memory`), or that of nvidia-smi (`device_memory`). Rows that are set aside, and
those with the weight 0, are left out.
"""

import argparse
import csv
import json
import math
import sys
from pathlib import Path

from dse_analysis.script import exit_code

METRICS = ("peak_memory", "device_memory")
COLUMNS = ("id", "stack", "group", "metric", "weight", "log")

# Half an interval is that order statistic of the errors' sizes which this share of further ones is expected to lie below.
SHARE = 0.80
# Software with fewer rows has the bars of all.
FEWEST = 10
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
    return {**row, "log": float(row["log"]), "weight": float(row["weight"])}


def width_of(rows):
    """Return the size below which SHARE of further errors are expected: of n with equal weights, that with the rank SHARE (n + 1)."""
    total = sum(row["weight"] for row in rows)
    wanted = SHARE * (total + total / len(rows)) * (1 - 1e-12)
    below = 0.0
    for size, weight in sorted((abs(row["log"]), row["weight"]) for row in rows):
        below += weight
        if below >= wanted:
            break
    return size


def program_of(stack):
    """Return the name of a stack's software without its release: "torchtitan" of "torchtitan 2024, eager"."""
    words = stack.split(",")[0].split()
    return " ".join(words[:next((i for i, word in enumerate(words) if word.isdigit()), len(words))])


def families_of(rows):
    """Return [(stack or None for all, rows of the width, rows inside)]: all software but FITTED, stacks with FEWEST rows or more,
    and variants of those, which would have their bars, with the width of all."""
    others = [row for row in rows if program_of(row["stack"]) not in FITTED]
    of_stack = {stack: [row for row in others if row["stack"] == stack] for stack in sorted({row["stack"] for row in others})}
    known = [stack for stack, own in of_stack.items() if len(own) >= FEWEST]
    families = [(None, others, others)]
    for stack, own in of_stack.items():
        if stack in known:
            families.append((stack, own, own))
        elif any(stack.startswith(f"{name},") for name in known):
            families.append((stack, others, own))
    for program in FITTED:
        inside = [row for row in rows if program_of(row["stack"]) == program]
        if inside:
            families.append((program, inside, inside))
    return families


def widest(rows):
    """Return the width of the family of all software."""
    return width_of(families_of(rows)[0][1])


def records(rows):
    """Return the records of errors.yaml."""
    return [{"stack": stack or "", "width": f"{width_of(deciding):.3f}", "rows": len(inside),
             "groups": len({row["group"] for row in inside})} for stack, deciding, inside in families_of(rows)]


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("validated", type=Path, help="output of dse validate --json")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    rows = rows_of(json.loads(options.validated.read_text()))
    for record in records([numbers(row) for row in rows]):
        print(*record.values(), sep=", ")
    if options.output:
        with options.output.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
