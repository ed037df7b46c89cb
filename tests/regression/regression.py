#!/usr/bin/env python3
"""Runs a sweep and holds its rows against the reviewed ones, every axis and every metric.

    regression.py --dse BUILD/dse --sweep sweeps/smoke.yaml --expected tests/regression/smoke/expected.csv [--update]

After a change that is meant to change answers: run it with --update, look at the diff, commit it with the change.
"""

import argparse
import csv
import math
import sys
from pathlib import Path

from shipped_sweep import rows_of

# Compilers and mathematics libraries differ in the last bits.
TOLERANCE = 1e-9
SHOWN = 10


def equal(found, wanted):
    """Compare two cells: numbers softly, everything else exactly."""
    try:
        return math.isclose(float(found), float(wanted), rel_tol=TOLERANCE, abs_tol=0.0)
    except ValueError:
        return found == wanted


def differences(names, rows, expected_names, expected):
    if names != expected_names:
        yield f"the columns are {', '.join(names)}; they were {', '.join(expected_names)}"
        return
    if len(rows) != len(expected):
        yield f"{len(rows)} rows instead of {len(expected)}"
    for row, wanted in zip(rows, expected):
        for name, cell, before in zip(names, row, wanted):
            if not equal(cell, before):
                yield f"point {wanted[0]}: {name} is {cell or 'missing'}, was {before or 'missing'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--sweep", required=True)
    parser.add_argument("--expected", required=True, type=Path)
    parser.add_argument("--update", action="store_true", help="write the rows of today as the expected ones")
    options = parser.parse_args()
    with rows_of(options.dse, options.sweep, "--parts", "all") as (names, found):
        rows = list(found)
    if options.update:
        with options.expected.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([names, *rows])
        print(f"{options.expected}: {len(rows)} rows")
        return 0
    with options.expected.open(newline="") as file:
        expected_names, *expected = csv.reader(file)
    found = list(differences(names, rows, expected_names, expected))
    for line in found[:SHOWN]:
        print(line)
    if len(found) > SHOWN:
        print(f"… and {len(found) - SHOWN} more")
    if found:
        print("if the new answers are right: --update, and review the diff")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
