"""Fit the `systolic:` section of a device file, and the rate that belongs to it, to measured matrix products.

    python -m dse_analysis.fit_systolic PRODUCTS.csv --rows 128 --columns 128

The table has the columns M, N, K and latency_us. Products that were measured several times count once, with
their mean. The model is that of include/dse/hardware/device/systolic_spec.hpp,

    t = latency + cycles * cycle + min(bytes, staged) / staging_bandwidth,

where a cycle does 2 * rows * columns FLOP at the rate that the device sustains in the products' format, and
the cycles are those of the best dataflow, in closed form. There is one set of constants for all sizes. Errors
are reported on held-out rows.
"""

import argparse
import sys

import numpy as np
import pandas as pd

from dse_analysis.script import exit_code

BYTES_PER_ELEMENT = 2


def cycles(m, n, k, rows, columns):
    """Return the cycles of the best dataflow, in closed form (model::SystolicFolds).

    Parameters
    ----------
    m, n, k : numpy.ndarray, shape (n_products,)
        Sizes of the products (m x k)(k x n).
    rows, columns : int
        Processing elements of the array.

    Returns
    -------
    numpy.ndarray, shape (n_products,)
    """

    def folded(over_rows, over_columns, streamed, preload):
        folds = np.ceil(over_rows / rows) * np.ceil(over_columns / columns)
        return folds * (preload + rows + columns + streamed - 2) - 1

    return np.minimum.reduce([folded(m, n, k, 0), folded(k, n, m, rows), folded(k, m, n, rows)])


def bytes_moved(m, n, k):
    """Return the bytes of both operands and the result, each counted once [B]."""
    return BYTES_PER_ELEMENT * (m * k + k * n + m * n)


def predict(constants, cycle_counts, data):
    """Return the times of products [s].

    Parameters
    ----------
    constants : numpy.ndarray, shape (4,)
        latency [s], cycle [s], time per staged byte [s/B], staged [B].
    cycle_counts, data : numpy.ndarray, shape (n_products,)
        Cycles, and bytes [B].
    """
    latency, cycle, per_byte, staged = constants
    return latency + cycle * cycle_counts + per_byte * np.minimum(data, staged)


def fit(cycle_counts, data, times, candidates=200):
    """Find the constants with the smallest mean absolute relative error.

    `staged` is found by search, the others by iteratively reweighted least squares.

    Returns
    -------
    numpy.ndarray, shape (4,)
        As for predict().
    """
    best, best_error = None, np.inf
    for staged in np.geomspace(data.min(), data.max(), candidates):
        columns = np.stack([np.ones_like(times), cycle_counts, np.minimum(data, staged)], axis=1)
        # Relative errors, which the weights make count by their absolute values instead of their squares.
        weights = 1.0 / times
        for _ in range(20):
            solution = np.linalg.lstsq(columns * weights[:, None], times * weights, rcond=None)[0]
            residual = np.abs(columns @ solution / times - 1.0)
            weights = 1.0 / times / np.sqrt(np.maximum(residual, 1e-3))
        constants = np.append(solution, staged)
        error = np.abs(predict(constants, cycle_counts, data) / times - 1.0).mean()
        if error < best_error and (solution >= 0.0).all():
            best, best_error = constants, error
    if best is None:
        raise ValueError("no constants with positive times fit these products")
    return best


def held_out_errors(cycle_counts, data, times, folds=5, seed=0):
    """Return each product's relative error under constants fitted to the other folds, shape (n_products,)."""
    fold = np.random.default_rng(seed).permutation(len(times)) % folds
    errors = np.empty_like(times)
    for held in range(folds):
        rest, test = fold != held, fold == held
        constants = fit(cycle_counts[rest], data[rest], times[rest])
        errors[test] = predict(constants, cycle_counts[test], data[test]) / times[test] - 1.0
    return errors


def read_products(path):
    """Return the distinct products of a table: M, N, K and the mean of latency_us."""
    table = pd.read_csv(path)
    return table.groupby(["M", "N", "K"], as_index=False)["latency_us"].mean()


def report(path, rows, columns):
    """Return the rate and the section in the form of a device file, with the errors in a comment."""
    table = read_products(path)
    m, n, k = (table[name].to_numpy(float) for name in ("M", "N", "K"))
    times = table["latency_us"].to_numpy(float) * 1e-6
    counts, data = cycles(m, n, k, rows, columns), bytes_moved(m, n, k)
    latency, cycle, per_byte, staged = fit(counts, data, times)
    errors = np.abs(held_out_errors(counts, data, times))
    return "\n".join([
        f"# {len(times)} products; on held-out ones mean {100 * errors.mean():.1f} %, "
        f"median {100 * np.median(errors):.1f} %, within 20 % {100 * (errors < 0.2).mean():.0f} %",
        f"matmul.sustained, in the products' format: {2e-12 * rows * columns / cycle:.1f} TFLOPS",
        "systolic:",
        f"  rows: {rows}",
        f"  columns: {columns}",
        f"  latency: {latency * 1e6:.3f} us",
        f"  staged: {staged / 1e6:.2f} MB",
        f"  staging_bandwidth: {1e-9 / per_byte:.0f} GB/s",
    ])


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="fit_systolic", description="Fit the systolic section of a device file.")
    parser.add_argument("products", help="CSV with columns M, N, K and latency_us")
    parser.add_argument("--rows", type=int, default=128, help="rows of the array (default: %(default)s)")
    parser.add_argument("--columns", type=int, default=128, help="columns of the array (default: %(default)s)")
    options = parser.parse_args(arguments)
    print(report(options.products, options.rows, options.columns))


if __name__ == "__main__":
    sys.exit(main())
