"""Rows of a shipped sweep: what they answer, without how they came about."""

import contextlib
import csv
import subprocess
import tempfile
from pathlib import Path

# Who evaluated a point, and how long it took.
NO_ANSWER = ("rank", "host", "wall_seconds")


@contextlib.contextmanager
def rows_of(dse, sweep):
    """Run a sweep and give the names of its columns and an iterator over its rows, in the order of their points.

    Cells are text that reads back as the same bits: `dse export` writes the shortest such text.
    """
    with tempfile.TemporaryDirectory(prefix="dse_regression_") as folder:
        results, table = Path(folder) / "out.h5", Path(folder) / "out.csv"
        subprocess.run([dse, sweep, "-o", results, "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([dse, "export", results, "--csv", "-o", table], check=True, stdout=subprocess.DEVNULL)
        with table.open(newline="") as file:
            rows = csv.reader(file)
            names = next(rows)
            kept = [i for i, name in enumerate(names) if name not in NO_ANSWER]
            yield [names[i] for i in kept], ([row[i] for i in kept] for row in rows)
