"""Make the table of errors of compared steps, workloads/measured/step_errors.csv, which `fit_errors` derives from what is known.

    dse validate --json > validated.json
    python -m dse_analysis.step_errors validated.json -o workloads/measured/step_errors.csv

A row is a step that counts: one that is not set aside, and whose weight is not 0. Its error is that with the constants that were fitted
without its group, where any were. From these rows follow what software and which chips were compared, and what the errors of two steps have
in common (`ratio_errors`).
"""

import argparse
import json
import math
import sys
from pathlib import Path

from dse_analysis.script import exit_code, write_rows

COLUMNS = ("id", "device", "stack", "template", "group", "metric", "weight", "log")


def rows_of(validated):
    """Return the rows of the table, from the JSON of `dse validate`."""
    return [{**{column: row[column] for column in COLUMNS[:-1]}, "log": f"{log_of(row):.5f}"}
            for row in validated["rows"]
            if row["metric"] == "iteration_time" and row["weight"] > 0 and not row["why"] and not row["set_aside"]]


def log_of(row):
    """Return the logarithm of measured over predicted time."""
    return -math.log1p(row["error"] if row["left_out"] is None else row["left_out"])


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("validated", type=Path, help="output of dse validate --json")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    write_rows(options.output, COLUMNS, rows_of(json.loads(options.validated.read_text())))


if __name__ == "__main__":
    sys.exit(main())
