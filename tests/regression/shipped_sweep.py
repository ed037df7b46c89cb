"""Rows of a shipped sweep: what they answer, without how they came about."""

import contextlib
import csv
import math
import subprocess
import tempfile
from pathlib import Path

# Who evaluated a point, and how long it took.
NO_ANSWER = ("rank", "host", "wall_seconds")


# They sum to the iteration time, and those of the bubble to the bubble.
PARTS = ("compute_time", "exposed_tp", "exposed_cp", "exposed_ep", "exposed_dp", "exposed_pp", "idle", "bubble")
BUBBLE = ("bubble_compute", "bubble_tp", "bubble_cp", "bubble_ep", "bubble_dp", "bubble_pp", "bubble_idle")
# Of a network with a clock of its own, whose ticks are no multiples of the quantum; else the sums are exact.
ROUNDING = 1e-12


def wrong_sum(row):
    """Say what is wrong with the parts of a row, a {column: cell}, where it has any; None where they sum up."""
    for whole, parts in (("iteration_time", PARTS), ("bubble", BUBBLE)):
        known = [name for name in parts if row[name] != ""]
        if known and known != list(parts):
            return f"has {', '.join(known)} and no other parts of {whole}"
        if known and not math.isclose(sum(float(row[name]) for name in parts), float(row[whole]), rel_tol=ROUNDING):
            return f"{' + '.join(parts)} is not {whole}"
    return None


@contextlib.contextmanager
def rows_of(dse, sweep, *more):
    """Run a sweep and give the names of its columns and an iterator over its rows, in the order of their points.

    The parts of every row sum up. `more` are further arguments of the run. Cells are text that reads back as the same bits: `dse export` writes the shortest such text.
    """
    with tempfile.TemporaryDirectory(prefix="dse_regression_") as folder:
        results, table = Path(folder) / "out.h5", Path(folder) / "out.csv"
        subprocess.run([dse, sweep, "-o", results, "--progress", "none", *more], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([dse, "export", results, "--csv", "-o", table], check=True, stdout=subprocess.DEVNULL)
        with table.open(newline="") as file:
            rows = csv.reader(file)
            names = next(rows)
            kept = [i for i, name in enumerate(names) if name not in NO_ANSWER]
            yield [names[i] for i in kept], (_checked(names, row, kept) for row in rows)


def _checked(names, row, kept):
    if wrong := wrong_sum(dict(zip(names, row))):
        raise ValueError(f"point {row[0]}: {wrong}")
    return [row[i] for i in kept]
