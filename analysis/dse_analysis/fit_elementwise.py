"""Fit the form of hardware::VectorSpec to element-wise kernels (columns op, shape, latency_us).

    python -m dse_analysis.fit_elementwise ELEMENTWISE.csv

Prints the constants, and the errors of each operator on held-out shapes (five folds).
"""

import argparse
import sys

import numpy as np
import pandas as pd

from dse_analysis.least_squares import fit_log
from dse_analysis.script import exit_code

LANES = 128
FOLDS = 5
NAMES = ["latency [us]", "per_element [ps]", "per_operand [ps]", "per_padded [ps]", "operand_latency [us]", "quotient [us]"]
START = [1.0, 10.0, 5.0, 10.0, 0.05, 0.03]
TWO_OPERANDS = ("add", "mul")


def columns_of(table):
    """Return the inputs of the form per row: elements, padding, operands beyond the first, divisions."""
    shapes = [[int(size) for size in str(shape).split("x")] for shape in table["shape"]]
    elements = np.array([np.prod(shape, dtype=float) for shape in shapes])
    longest = np.array([max(shape) for shape in shapes], float)
    padded = elements / longest * np.ceil(longest / LANES) * LANES - elements
    flat = np.array([len(shape) < 3 for shape in shapes])
    return (elements, np.where(flat, 0.0, padded), table["op"].isin(TWO_OPERANDS).to_numpy(float),
            (table["op"] == "sigmoid").to_numpy(float))


def time(parameters, columns):
    """Return times in microseconds."""
    elements, padded, others, divides = columns
    latency, per_element, per_operand, per_padded, operand_latency, quotient = parameters
    return (latency + quotient * divides + operand_latency * others
            + 1e-6 * ((per_element + per_operand * others) * elements + per_padded * padded))


def fit(table):
    columns = columns_of(table)
    return fit_log(lambda parameters: time(parameters, columns), START, table["latency_us"].to_numpy(float), scale=0.03)


def held_out(table):
    """Return the relative error of each row under constants fitted to other shapes."""
    folds = (pd.util.hash_pandas_object(table["shape"].astype(str), index=False) % FOLDS).to_numpy()
    errors = np.zeros(len(table))
    for fold in range(FOLDS):
        test = folds == fold
        if test.any() and (~test).any():
            errors[test] = time(fit(table[~test]), columns_of(table[test])) / table["latency_us"].to_numpy(float)[test] - 1
    return errors


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="fit_elementwise", description="Fit element-wise kernels of a device with lanes.")
    parser.add_argument("table", help="CSV with columns op, shape, latency_us")
    options = parser.parse_args(arguments)
    table = pd.read_csv(options.table)
    table = table[table["op"] != "layer_norm"].reset_index(drop=True)
    for name, value in zip(NAMES, fit(table)):
        print(f"{name:22} {value:10.4g}")
    table["error"] = np.abs(held_out(table))
    for operator, error in table.groupby("op")["error"]:
        print(f"{operator:22} {len(error):6} rows  median {error.median():6.1%}  mean {error.mean():6.1%}")


if __name__ == "__main__":
    sys.exit(main())
