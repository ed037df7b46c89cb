"""How described software errs before it has rows: first predictions of families of steps and peaks, docs/first_predictions.csv.

A family's software alone was new where its chip and its operators were known. Column `program` tells two kinds of it apart: "known"
where other rows of the program (its stack's name up to the first word with a digit) and of this kind of model had been compared, such as
another release, and "" where none had been. Most of what a known program does is described already: its steps err by two thirds as much.

The record states of a family the mean of its errors and of their absolute values: its logarithms are taken as normal variables, and
each family has one weight, however many steps it has.
"""

import csv
import math

import numpy as np

from dse_analysis.credibility import SHARE


def program_of(stack):
    """Return the name of a stack's software without its release: "torchtitan" of "torchtitan 2024, eager"."""
    words = stack.split(",")[0].split()
    return " ".join(words[:next((i for i, word in enumerate(words) if any(letter.isdigit() for letter in word)), len(words))])


def families_of(file, quantity="", program=None):
    """Return the rows of families whose software alone was new, and whose bias is known.

    Parameters
    ----------
    file : path
    quantity : str
        "" for steps, or "memory" for peaks.
    program : str, optional
        Value of this column; by default any.
    """
    with open(file, newline="") as text:
        return [row for row in csv.DictReader(text) if row["bias"] and not row["unknown"] and row["quantity"] == quantity
                and program in (None, row["program"])]


def deviation_of(mean, bias):
    """Return the standard deviation of a normal variable with the mean `bias` whose absolute value has the mean `mean`."""

    def folded(deviation):
        ratio = bias / deviation
        return deviation * math.sqrt(2 / math.pi) * math.exp(-ratio**2 / 2) + bias * math.erf(ratio / math.sqrt(2))

    return root(lambda deviation: folded(deviation) - mean, 1e-4, 2.0)


def root(rising, low, high):
    """Return where a rising function crosses 0."""
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return low


def normals_of(families):
    """Return the (mean, standard deviation) of each family's logarithms of measured over predicted."""
    means = [-math.log1p(float(row["bias"])) for row in families]
    # Where all errors of a family have one sign, their mean does not tell their spread: it is taken as that of the others.
    told = [abs(float(row["bias"])) < 0.999 * float(row["mean"]) for row in families]
    deviations = [deviation_of(float(row["mean"]), mean) for row, mean in zip(families, means)]
    others = [deviation for deviation, is_told in zip(deviations, told) if is_told]
    return [(mean, deviation if is_told or not others else float(np.median(others)))
            for mean, deviation, is_told in zip(means, deviations, told)]


def share_below(limit, normals):
    return float(np.mean([0.5 * math.erfc((mean - limit) / deviation / math.sqrt(2)) for mean, deviation in normals]))


def interval_of(families):
    """Return (shift, half-width) of the interval of SHARE of the families' logarithms."""
    normals = normals_of(families)
    low, high = (root(lambda limit, share=share: share_below(limit, normals) - share, -1.0, 1.0) for share in ((1 - SHARE) / 2, (1 + SHARE) / 2))
    return (low + high) / 2, (high - low) / 2


def coverage(families):
    """Check intervals that were made without each family.

    Returns
    -------
    tuple
        (families, fraction inside, half-width of the interval of all, that over the median error)
    """
    normals = normals_of(families)
    inside = []
    for i, family in enumerate(normals):
        shift, width = interval_of(families[:i] + families[i + 1:])
        inside.append(share_below(shift + width, [family]) - share_below(shift - width, [family]))
    median = root(lambda limit: share_below(limit, normals) - share_below(-limit, normals) - 0.5, 0.0, 1.0)
    width = interval_of(families)[1]
    return len(families), float(np.mean(inside)), width, width / median
