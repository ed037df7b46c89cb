"""Make the table of layouts that ran or ran out of memory, workloads/measured/memory_fits.csv, and what a run needs beyond its peak.

    dse validate --json > validated.json
    python -m dse_analysis.memory_fits validated.json -o workloads/measured/memory_fits.csv

A run fails before its peak reaches the capacity: freed blocks that no allocation fits in are no part of a peak. The logarithm of what
is needed over the predicted peak is taken as a normal variable whose mean and deviation make the published outcomes of whole grids most
likely. Steps that were published because they ran are no evidence: those that failed beside them are not known.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

from dse_analysis.credibility import read_rows
from dse_analysis.memory_errors import COLUMNS
from dse_analysis.script import exit_code, write_rows

OUTCOMES = {"ran": True, "out_of_memory": False}
#: 90th percentile of the standard normal distribution, the upper end of its 80 % interval.
NINETIETH = ndtri(0.9)
#: Grid of means and deviations.
MEANS, DEVIATIONS = np.arange(0.0, 0.3, 0.005), np.arange(0.02, 0.4, 0.005)
#: Smallest probability of an outcome, so that no single odd cell decides.
LEAST = 1e-3


def rows_of(validated):
    """Return the rows of the table, from the JSON of `dse validate`: those of one source and model are a group."""
    return [{"id": row["id"], "stack": row["stack"], "group": f"{row['source']}, {row['model']}", "metric": row["metric"],
             "weight": row["weight"], "log": f"{math.log(row['memory_capacity'] / row['memory_peak']):.5f}"}
            for row in validated["rows"] if row["metric"] in OUTCOMES and not row["why"] and not row["set_aside"]]


def probability(room, mean, deviation):
    """Return the probability that a run fits whose capacity is exp(room) times its predicted peak."""
    return ndtr((room - mean) / deviation)


def need_of(rows):
    """Return (mean, deviation) of the logarithm of needed over predicted memory."""
    rooms = np.array([row["log"] for row in rows])
    ran = np.array([OUTCOMES[row["metric"]] for row in rows])
    weights = np.array([row["weight"] for row in rows])

    def likelihood(mean, deviation):
        chance = np.clip(probability(rooms, mean, deviation), LEAST, 1 - LEAST)
        return float(weights @ np.log(np.where(ran, chance, 1 - chance)))

    return max(((float(mean), float(deviation)) for mean in MEANS for deviation in DEVIATIONS), key=lambda pair: likelihood(*pair))


def added(rows, widest):
    """Return (shift, half-width) of the interval that is added to that of a peak of software without peaks, of half-width `widest`."""
    mean, deviation = need_of(rows)
    return mean, math.sqrt(max((NINETIETH * deviation)**2 - widest**2, 0.0))


def reliability(rows, edges=(0.0, 0.2, 0.5, 0.8, 0.95, 1.0)):
    """Check probabilities that were made without a row's group.

    Returns
    -------
    list of tuple
        (lower edge, upper edge, rows, mean probability, fraction that ran) of each range of probabilities
    """
    needs = {group: need_of([row for row in rows if row["group"] != group]) for group in {row["group"] for row in rows}}
    told = [(probability(row["log"], *needs[row["group"]]), OUTCOMES[row["metric"]]) for row in rows]
    found = []
    for low, high in zip(edges, edges[1:]):
        here = [pair for pair in told if low <= pair[0] < high or pair[0] == high == edges[-1]]
        if here:
            found.append((low, high, len(here), *(float(mean) for mean in np.mean(here, axis=0))))
    return found


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("validated", type=Path, help="output of dse validate --json")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    write_rows(options.output, COLUMNS, rows_of(json.loads(options.validated.read_text())))
    for low, high, number, mean, ran in reliability(read_rows(options.output)):
        print(f"{low:.2f} to {high:.2f}: {number:4} rows, {mean:.2f} on average, {ran:.2f} ran")


if __name__ == "__main__":
    sys.exit(main())
