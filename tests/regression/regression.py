#!/usr/bin/env python3
"""Runs a sweep and holds its rows against the reviewed ones.

    regression.py --dse BUILD/dse --sweep sweeps/smoke.yaml --expected tests/regression/smoke/expected.csv [--update]

After a change that is meant to change answers: run it with --update, look at the diff, commit it with the change.
"""

import argparse
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

KEPT = ("point_id", "status", "iteration_time", "compute_time", "exposed_tp", "exposed_dp", "exposed_pp", "bubble",
        "mfu", "memory_peak", "memory_activations", "energy", "cost")
# Compilers and mathematics libraries differ in the last bits.
TOLERANCE = 1e-9
SHOWN = 10


def run_sweep(dse, sweep):
    with tempfile.TemporaryDirectory(prefix="dse_regression_") as folder:
        out = Path(folder) / "out.h5"
        subprocess.run([dse, sweep, "-o", out, "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
        text = subprocess.run([dse, "export", out, "--csv"], check=True, capture_output=True, text=True).stdout
    return [{key: row[key] for key in KEPT} for row in csv.DictReader(text.splitlines())]


def equal(found, wanted):
    """Compare two cells: numbers softly, everything else exactly."""
    try:
        return math.isclose(float(found), float(wanted), rel_tol=TOLERANCE, abs_tol=0.0)
    except ValueError:
        return found == wanted


def differences(rows, expected):
    if len(rows) != len(expected):
        yield f"{len(rows)} rows instead of {len(expected)}"
    for row, wanted in zip(rows, expected):
        for key in KEPT:
            if not equal(row[key], wanted[key]):
                yield f"point {wanted['point_id']}: {key} is {row[key] or 'missing'}, was {wanted[key] or 'missing'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--sweep", required=True)
    parser.add_argument("--expected", required=True, type=Path)
    parser.add_argument("--update", action="store_true", help="write the rows of today as the expected ones")
    options = parser.parse_args()
    rows = run_sweep(options.dse, options.sweep)
    if options.update:
        with options.expected.open("w", newline="") as file:
            writer = csv.DictWriter(file, KEPT, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        print(f"{options.expected}: {len(rows)} rows")
        return 0
    with options.expected.open(newline="") as file:
        found = list(differences(rows, list(csv.DictReader(file))))
    for line in found[:SHOWN]:
        print(line)
    if len(found) > SHOWN:
        print(f"… and {len(found) - SHOWN} more")
    if found:
        print("if the new answers are right: --update, and review the diff")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
