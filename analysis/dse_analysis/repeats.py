"""How well measured steps repeat, and how many pairs of them an exact predictor would order wrongly."""

import itertools
import math
from collections import defaultdict

import numpy as np

#: Columns of steps.csv that make a configuration, as summary.cpp has them: other rows of it are repeats.
CONFIGURATION = ("model", "chip", "gpus", "tp", "pp", "vpp", "cp", "ep", "zero", "gbs", "mbs", "seq", "precision", "recompute", "sp", "metric")

#: Smallest ratio of two measured times whose order counts.
APART = 1.15


def deviations(rows, stated):
    """Return how far each repeated measurement is from the mean of its repeats.

    Repeats are rows of one configuration and software, which are therefore predicted alike.

    Parameters
    ----------
    rows : list of dict
        Rows of `dse validate --json`.
    stated : dict
        Rows of steps.csv by id.

    Returns
    -------
    numpy.ndarray, shape (n,)
        Logarithms of ratios to the geometric mean, times sqrt(m / (m - 1)) for m repeats, so that their mean square is the variance of
        one measurement.
    """
    groups = defaultdict(list)
    for row in rows:
        facts = stated[row["id"]]
        key = row["model"], row["chip"], row["stack"], facts["seq"], facts["gbs"], row["devices"], f"{row['predicted']:.9g}"
        groups[key].append(math.log(row["measured"]))
    found = [np.array(times) for times in groups.values() if len(times) > 1]
    return np.concatenate([(times - times.mean()) * math.sqrt(times.size / (times.size - 1)) for times in found] or [np.zeros(0)])


def gaps(rows, stated):
    """Return the logarithms of the ratios, all positive, of times per token and device of the pairs whose order counts."""
    problems = defaultdict(list)
    for row in rows:
        facts = stated[row["id"]]
        tokens = float(facts["gbs"] or 1) * float(facts["seq"] or 1) / row["devices"]
        configuration = tuple(facts[column] for column in CONFIGURATION)
        problems[facts["model"], facts["seq"]].append((configuration, math.log(row["measured"] / tokens)))
    pairs = (abs(a - b) for steps in problems.values() for (one, a), (other, b) in itertools.combinations(steps, 2) if one != other)
    return np.array([gap for gap in pairs if gap > math.log(APART)])


def expected_reversals(pairs, spread):
    """Return how many pairs are expected to be measured the other way round than the times are.

    Parameters
    ----------
    pairs : numpy.ndarray
        As `gaps`.
    spread : numpy.ndarray
        As `deviations`. Each measurement deviates like one of them, up or down, independently of others.
    """
    if not spread.size:
        return 0.0
    both = np.concatenate([spread, -spread])
    differences = np.sort((both[:, None] - both[None, :]).ravel())
    return float(np.sum(1.0 - np.searchsorted(differences, pairs) / differences.size))
