"""What `dse validate` would err by, had no row of a group been there when constants were fitted.

    python -m dse_analysis.leave_group_out --dse BUILD/dse --data . TRUTH.csv

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


def validate(dse, data, truth):
    """Return {row: error} of the rows of steps that are predicted."""
    answer = subprocess.run([dse, "validate", "--truth", truth, "--json"], cwd=data, capture_output=True, text=True)
    if not answer.stdout:
        raise RuntimeError(answer.stderr)
    rows = json.loads(answer.stdout)["rows"]
    return {row["id"]: row["error"] for row in rows if not row["why"] and row["metric"] == "iteration_time"}


def describe(name, errors, weights):
    """Return a line: rows, weighted mean and bias, median and 90th percentile of the absolute errors [%]."""
    size = 100 * np.abs(errors)
    return (f"{name:24} {len(errors):4}  mean {np.average(size, weights=weights):5.1f}  median {np.median(size):5.1f}"
            f"  90 % {np.percentile(size, 90):5.1f}  bias {100 * np.average(errors, weights=weights):+5.1f}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--dse", required=True, help="the program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--data", default=".", type=Path, help="folder of hardware/ and workloads/")
    options = parser.parse_args(arguments)
    truth = str(options.truth.resolve())
    with open(truth, newline="") as file:
        table = {row["id"]: row for row in csv.DictReader(file)}
    with tempfile.TemporaryDirectory() as folder:
        for part in ("hardware", "workloads"):
            shutil.copytree(options.data / part, Path(folder) / part)
        shipped = validate(options.dse, folder, truth)
        ids = [row for row in shipped if float(table[row]["weight"] or 1) > 0]
        base = np.array([shipped[row] for row in ids])
        groups = np.array([table[row]["group"] for row in ids])
        weights = np.array([float(table[row]["weight"] or 1) for row in ids])
        unseen = base.copy()
        for path, key, factors in CONSTANTS:
            file = Path(folder) / path
            text = file.read_text()
            errors = []
            for factor in factors:
                file.write_text(scaled(text, key, factor))
                answer = validate(options.dse, folder, truth)
                errors.append([answer[row] for row in ids])
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
    experts = np.array([bool(table[row]["experts"]) for row in ids])
    for name, rows in (("dense models", ~experts), ("mixtures of experts", experts)):
        print(describe(name + ", shipped", base[rows], weights[rows]))
        print(describe(name + ", left out", unseen[rows], weights[rows]))


if __name__ == "__main__":
    sys.exit(main())
