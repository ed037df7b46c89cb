"""Reduce measured kernels to a table for hardware/tables/.

    python -m dse_analysis.thin_table --products GEMM.csv --device A100 --precision fp16 \\
        --streams ELEMENTWISE.csv:add=elementwise:3 -o a100.csv

Of matrix products, the rows that are furthest apart in the logarithms of their sizes are kept, outermost ones
first. Streams become one curve per class of operators: the median time in each bin of bytes. The remaining
rows can be used to test the table, as tests/conformance/table_test.cpp does.
"""

import argparse
import sys

import numpy as np
import pandas as pd

from dse_analysis.script import exit_code

BYTES = {"fp32": 4, "bf16": 2, "fp16": 2, "fp8": 1, "int8": 1}
COLUMNS = ["operator", "precision", "shape", "bytes", "seconds"]


def spread(points, count):
    """Pick points that are far apart: each one is the furthest from those picked before.

    Parameters
    ----------
    points : numpy.ndarray, shape (n_points, n_coordinates)
    count : int

    Returns
    -------
    numpy.ndarray of int, shape (min(count, n_points),)
        Indices. The first ones are the smallest and the largest of each coordinate.
    """
    ends = [index for column in points.T for index in (column.argmin(), column.argmax())]
    picked = list(dict.fromkeys(int(index) for index in ends))[:count]
    distance = np.min([((points - points[index]) ** 2).sum(axis=1) for index in picked], axis=0)
    while len(picked) < min(count, len(points)):
        index = int(distance.argmax())
        picked.append(index)
        distance = np.minimum(distance, ((points - points[index]) ** 2).sum(axis=1))
    return np.array(picked)


def thin_products(table, precision, count):
    """Return the reduced rows of a table of products (columns M, N, K, latency_us; B if batched)."""
    table = table.assign(B=table["B"] if "B" in table else 1)
    table = table.groupby(["B", "M", "N", "K"], as_index=False)["latency_us"].median()
    sizes = table[["B", "M", "N", "K"]].to_numpy(float)
    rows = []
    for index in np.sort(spread(np.log2(sizes), count)):
        b, m, n, k = (f"{size:.0f}" for size in sizes[index])
        shape = f"{m}x{n}x{k}" if b == "1" else f"{b}x{m}x{n}x{k}"
        rows.append(["gemm", precision, shape, "", f"{table['latency_us'][index] * 1e-6:.6g}"])
    return rows


def thin_streams(table, operator, precision, arrays, bins):
    """Return the rows of one curve: medians over bins of bytes, which have equal widths in the logarithm."""
    data = table["elems"].to_numpy(float) * arrays * BYTES[precision]
    times = table["latency_us"].to_numpy(float) * 1e-6
    edges = np.geomspace(data.min(), data.max() * (1 + 1e-9), bins + 1)
    rows = []
    for low, high in zip(edges[:-1], edges[1:]):
        inside = (data >= low) & (data < high)
        if inside.any():
            middle = np.exp(np.median(np.log(data[inside])))
            rows.append([operator, precision, "", f"{middle:.0f}", f"{np.median(times[inside]):.6g}"])
    return rows


def of_device(path, device, dtype=None):
    """Return the rows of one device from a file of measurements."""
    table = pd.read_csv(path)
    table = table[table["device"].str.contains(device, regex=False)]
    if dtype is not None:
        table = table[table["dtype"] == dtype]
    if table.empty:
        raise ValueError(f"{path}: no row of {device}{'' if dtype is None else ' in ' + dtype}")
    return table


def stream_rows(description, device, precision, bins):
    """Return the rows for "FILE:op,op=class:arrays"."""
    try:
        path, what, arrays = description.rsplit(":", 2)
        names, operator = what.split("=")
        count = int(arrays)
    except ValueError:
        raise ValueError(f"--streams {description}: write it as FILE:op,op=class:arrays") from None
    table = of_device(path, device)
    table = table[table["op"].isin(names.split(","))]
    if table.empty:
        raise ValueError(f"{path}: no row of {names} on {device}")
    return thin_streams(table, operator, precision, count, bins)


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="thin_table", description="Thin measured kernels out to a table.")
    parser.add_argument("--products", help="CSV with M, N, K, latency_us, device (and B, dtype)")
    parser.add_argument("--dtype", help="only rows of this type in the products' file (default: all)")
    parser.add_argument("--streams", action="append", default=[], metavar="FILE:op,op=class:arrays",
                        help="element-wise kernels, and the number of arrays that each reads and writes")
    parser.add_argument("--device", required=True, help="part of the device's name in the files")
    parser.add_argument("--precision", required=True, choices=sorted(BYTES))
    parser.add_argument("--points", type=int, default=150, help="number of products to keep (default: %(default)s)")
    parser.add_argument("--bins", type=int, default=16, help="largest number of points of a curve (default: %(default)s)")
    parser.add_argument("-o", "--output", required=True, help="CSV to write")
    options = parser.parse_args(arguments)
    rows = []
    if options.products:
        table = of_device(options.products, options.device, options.dtype)
        rows += thin_products(table, options.precision, options.points)
    for description in options.streams:
        rows += stream_rows(description, options.device, options.precision, options.bins)
    pd.DataFrame(rows, columns=COLUMNS).to_csv(options.output, index=False)


if __name__ == "__main__":
    sys.exit(main())
