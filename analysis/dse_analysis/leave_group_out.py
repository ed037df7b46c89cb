"""What `dse validate` would err by, had no row of a group been there when constants were fitted.

    python -m dse_analysis.leave_group_out --dse BUILD/dse --data . TRUTH.csv [--residuals FILE.csv]

CONSTANTS are those of devices and stacks that were fitted to published steps. Each is tried at the values of a grid, the
others as they are shipped; the rows of a group (column `group`: a configuration family of one source) are then predicted
with the value that has the least mean absolute error on the other rows that depend on the constant. Constants are left
free one at a time, so a row that depends on several counts with the one whose refit moves it most.
"""

import argparse
import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

# Not above 1.
SHARES = ("in_training", "exposed_ep")

# Of a row: what it is of, in which group and how heavy, and how far it is off with all constants and left out.
FACTS = ("device", "stack", "template", "devices")
RESIDUAL_COLUMNS = ("id", *FACTS, "group", "weight", "error", "left_out")

# File, key, grid of factors on the shipped value.
RATES = np.linspace(0.88, 1.12, 9)
CONSTANTS = [(f"hardware/devices/{device}.yaml", "in_training", RATES)
             for device in ("a100_80_sxm", "a100_80_pcie", "h100_sxm", "h100_sxm_hbm2e_500w", "b200_sxm", "b300_sxm",
                            "gb200", "gb300", "tpu_v5e", "tpu_v5p", "tpu_v6e", "tpu_v7x")]
CONSTANTS += [("hardware/devices/tpu_v4.yaml", "bf16", RATES), ("hardware/devices/gb200.yaml", "fp4", RATES)]
CONSTANTS += [(f"workloads/stacks/{stack}.yaml", key, np.linspace(0.25, 1.75, 7))
              for stack, key in (("nemo_2025", "expert_kernels"), ("nemo_2025_nodes", "expert_kernels"),
                                 ("nemo_2026", "exposed_ep"), ("nemo_2025_nodes_overlap", "exposed_ep"))]


def scaled(text, key, factor):
    """Return a file's text with the last number of a key multiplied by a factor.

    The last: of a device's two `bf16`, the sustained rate stands behind the peak. A share stays at most 1.
    """
    numbers = list(re.finditer(rf"^\s*{key}: (?:\{{value: )?([0-9.]+)", text, re.MULTILINE))
    if not numbers:
        raise ValueError(f"no number '{key}'")
    number = numbers[-1]
    value = float(number[1]) * factor
    if key in SHARES:
        value = min(value, 1.0)
    return text[:number.start(1)] + repr(value) + text[number.end(1):]


def left_out(errors, groups, weights):
    """Errors of each row under the value that is best for the rows of other groups.

    Parameters
    ----------
    errors : numpy.ndarray, shape (n_values, n_rows)
        Relative errors under each value of a constant.
    groups, weights : numpy.ndarray, shape (n_rows,)

    Returns
    -------
    numpy.ndarray, shape (n_rows,)
        NaN where no other group has rows.
    """
    result = np.full(errors.shape[1], np.nan)
    for group in set(groups):
        inside = groups == group
        if inside.all():
            continue
        best = np.argmin(np.abs(errors[:, ~inside]) @ weights[~inside])
        result[inside] = errors[best, inside]
    return result


def validate(dse, data, tables):
    """Return {id: row} of the rows of steps that are predicted, of all tables."""
    steps = {}
    for truth in tables:
        answer = subprocess.run([dse, "validate", "--truth", truth, "--json"], cwd=data, capture_output=True, text=True)
        if not answer.stdout:
            raise RuntimeError(answer.stderr)
        for row in json.loads(answer.stdout)["rows"]:
            if not row["why"] and row["metric"] == "iteration_time":
                steps[row["id"]] = row
    return steps


CONFIGURATION = ("source", "model", "layers", "gpus", "tp", "pp", "gbs", "mbs", "precision")


def measurement(row):
    """Return what makes a row the same measurement in two tables, whatever they call it."""
    if not row["derived_iter_s"]:
        return row["id"]
    return (*(row[column] for column in CONFIGURATION), f"{float(row['derived_iter_s']):.4g}")


def read_tables(files):
    """Return {id: row} of all tables; of a measurement that stands in several, the last one's row."""
    rows = {}
    for file in files:
        with open(file, newline="") as text:
            for row in csv.DictReader(text):
                rows[measurement(row)] = row
    return {row["id"]: row for row in rows.values()}


def describe(name, errors, weights):
    """Return a line: rows, weighted mean and bias, median and 90th percentile of the absolute errors [%]."""
    size = 100 * np.abs(errors)
    return (f"{name:24} {len(errors):4}  mean {np.average(size, weights=weights):5.1f}  median {np.median(size):5.1f}"
            f"  90 % {np.percentile(size, 90):5.1f}  bias {100 * np.average(errors, weights=weights):+5.1f}")


def refit(dse, data, tables, table, ids, base):
    """Return the errors of rows, each under constants that were fitted without its group."""
    groups = np.array([table[row]["group"] for row in ids])
    weights = np.array([float(table[row]["weight"] or 1) for row in ids])
    unseen = base.copy()
    for path, key, factors in CONSTANTS:
        file = Path(data) / path
        text = file.read_text()
        errors = []
        for factor in factors:
            file.write_text(scaled(text, key, factor))
            answer = validate(dse, data, tables)
            errors.append([answer[row]["error"] for row in ids])
            if np.array_equal(errors[-1], base) and factor != 1.0:
                break  # no row depends on it
        file.write_text(text)
        errors = np.array(errors)
        moved = np.ptp(errors, axis=0) > 1e-9
        if not moved.any():
            continue
        refitted = left_out(errors[:, moved], groups[moved], weights[moved])
        print(f"{path} {key}: {moved.sum()} rows, {len(set(groups[moved]))} groups")
        here = np.flatnonzero(moved)
        further = np.abs(refitted - base[here]) > np.abs(unseen[here] - base[here])
        unseen[here[further]] = refitted[further]
    return unseen


def write_residuals(file, table, steps, ids, unseen):
    """Write what `fit_errors` reads: what a row is of, and by how much it errs, left out."""
    with open(file, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(RESIDUAL_COLUMNS)
        for row, error in zip(ids, unseen):
            step = steps[row]
            facts = [step[fact] if fact != "devices" else int(step[fact]) for fact in FACTS]
            entry = table[row]
            writer.writerow([row, *facts, entry["group"], entry["weight"] or 1, f"{step['error']:.4f}", f"{error:.4f}"])


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path, nargs="+", help="tables; what stands in several counts in the last")
    parser.add_argument("--dse", required=True, help="the program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--data", default=".", type=Path, help="folder of hardware/ and workloads/")
    parser.add_argument("--residuals", type=Path, help="also write each row's errors here")
    options = parser.parse_args(arguments)
    tables = [str(file.resolve()) for file in options.truth]
    table = read_tables(tables)
    with tempfile.TemporaryDirectory() as folder:
        for part in ("hardware", "workloads"):
            shutil.copytree(options.data / part, Path(folder) / part)
        steps = validate(options.dse, folder, tables)
        ids = [row for row in steps if row in table and float(table[row]["weight"] or 1) > 0]
        base = np.array([steps[row]["error"] for row in ids])
        unseen = refit(options.dse, folder, tables, table, ids, base)
    if options.residuals:
        write_residuals(options.residuals, table, steps, ids, unseen)
    weights = np.array([float(table[row]["weight"] or 1) for row in ids])
    experts = np.array([bool(table[row]["experts"]) for row in ids])
    for name, rows in (("dense models", ~experts), ("mixtures of experts", experts)):
        if rows.any():
            print(describe(name + ", shipped", base[rows], weights[rows]))
            print(describe(name + ", left out", unseen[rows], weights[rows]))


if __name__ == "__main__":
    sys.exit(main())
