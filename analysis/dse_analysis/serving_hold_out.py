"""Errors of `dse validate` on measured deployments, with serving constants fitted without their group.

    python -m dse_analysis.serving_hold_out --dse BUILD/dse --data . TABLE.csv

A group is a family of models on one chip with one engine. Each engine's constants are tried at all
combinations of the VALUES below. A group's deployments are then predicted with the combination that is best
for the engine's other groups: the one with the smallest sum of the medians of absolute errors in time per
output token and to first token, each divided by its GOAL. A deployment that was measured several times counts
once, and less if its repetitions vary: the weights of `dse validate`. An engine with a single group cannot be
fitted and keeps the constants of the file.
"""

import argparse
import csv
import itertools
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

from dse_analysis.script import add_program, exit_code, validated_rows

# Keys of workloads/measured/serving.yaml, with their unit in the file and the values to try.
VALUES = {
    "host_time": (" ms", (0.5, 1.25, 2.0)),
    "host_time_sequence": (" us", (10.0, 40.0)),
    "step_gap": (" ms", (0.0, 0.25, 0.5)),
    "request_time": (" ms", (5.0, 12.0, 20.0, 60.0, 120.0)),
}
METRICS = ("tpot", "ttft", "output_tokens_per_second")
GOALS = {"tpot": 0.10, "ttft": 0.25}


def with_constants(text, values):
    """Return the text of serving.yaml with all engines' constants replaced by {key of VALUES: number}."""
    for key, value in values.items():
        text, found = re.subn(rf"(\b{key}: )[^,}}]+", rf"\g<1>{value}{VALUES[key][0]}", text)
        if not found:
            raise ValueError(f"no '{key}'")
    return text


def weighted_median(values, weights):
    """Return the value below which half of the weight lies."""
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return values[order][np.searchsorted(sums, 0.5 * sums[-1])]


def cost(errors, rows):
    """Return the sum of the medians of absolute errors, each divided by its goal.

    Parameters
    ----------
    errors : dict
        By row: {metric: relative error}, without those that do not count.
    rows : dict
        Weight of each row to count.
    """
    total = 0.0
    for metric, goal in GOALS.items():
        counted = [row for row in rows if metric in errors.get(row, {})]
        if counted:
            size = np.array([abs(errors[row][metric]) for row in counted])
            total += weighted_median(size, np.array([rows[row] for row in counted])) / goal
    return total


def held_out(trials, groups, weights):
    """Return {row: errors} of every group in the trial with the smallest cost for the other groups.

    Parameters
    ----------
    trials : list of dict
        Errors by row, for each combination of constants; the first combination is that of the file.
    groups : dict
        Rows by group, all of one engine.
    weights : dict
        Weight by row.
    """
    unseen = {}
    for group, inside in groups.items():
        others = {row: weights[row] for other, rows in groups.items() if other != group for row in rows}
        best = min(trials, key=lambda errors: cost(errors, others))
        unseen.update({row: best[row] for row in inside})
    return unseen


def validate(dse, folder, table):
    """Return {row: {metric: error}}, without errors that do not count, and {row: weight}."""
    errors, weights = {}, {}
    for row in validated_rows(dse, table, folder):
        if row["error"] is None:
            continue
        weights[row["id"]] = row["weight"]
        # The times to first token of overloaded deployments are those of a growing queue.
        if row["metric"] == "tpot" or not row["overloaded"]:
            errors.setdefault(row["id"], {})[row["metric"]] = row["error"]
    return errors, weights


def describe(name, errors, rows):
    """Return a line with the weighted medians of absolute errors and of errors for each metric [%]."""
    parts = []
    for metric in METRICS:
        counted = [row for row in rows if metric in errors.get(row, {})]
        if not counted:
            parts.append(" " * 14)
            continue
        error = 100 * np.array([errors[row][metric] for row in counted])
        weights = np.array([rows[row] for row in counted])
        parts.append(f"{weighted_median(np.abs(error), weights):6.1f} {weighted_median(error, weights):+7.1f}")
    return f"{name:42} {len(rows):4} " + " | ".join(parts)


def try_all(dse, data, table):
    """Return the errors for each combination of constants, first for those of the file, and the weights."""
    with tempfile.TemporaryDirectory() as folder:
        for part in ("hardware", "workloads"):
            shutil.copytree(data / part, Path(folder) / part)
        shipped, weights = validate(dse, folder, table)
        trials = [shipped]
        file = Path(folder) / "workloads/measured/serving.yaml"
        text = file.read_text()
        for values in itertools.product(*(values for _, values in VALUES.values())):
            file.write_text(with_constants(text, dict(zip(VALUES, values))))
            trials.append(validate(dse, folder, table)[0])
    return trials, weights


@exit_code(RuntimeError)
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="measured deployments, with columns model_family and mode")
    add_program(parser)
    options = parser.parse_args(arguments)
    with open(options.table, newline="") as text:
        table = {row["id"]: row for row in csv.DictReader(text)}
    trials, weights = try_all(options.dse, options.data, str(options.table.resolve()))
    engines = {}
    for row in trials[0]:
        facts = table[row]
        groups = engines.setdefault(facts["framework"], {})
        groups.setdefault(f"{facts['model_family']} {facts['gpu']} {facts['framework']}", []).append(row)
    unseen = {}
    print(f"{'median, bias [%]':42} rows  time per token |  to first token |      throughput")
    for _, groups in sorted(engines.items()):
        fitted = trials if len(groups) > 1 else trials[:1]
        unseen.update(held_out(fitted, groups, weights))
        for name, rows in sorted(groups.items()):
            print(describe(name, unseen, {row: weights[row] for row in rows}))
    for name, mode in (("one pool", "agg"), ("two pools", "disagg")):
        rows = {row: weights[row] for row in weights if table[row]["mode"] == mode}
        if rows:
            print(describe(f"{name}, shipped", trials[0], rows))
            print(describe(f"{name}, left out", unseen, rows))


if __name__ == "__main__":
    sys.exit(main())
