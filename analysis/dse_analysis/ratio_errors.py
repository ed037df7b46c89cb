"""What the errors of two steps have in common, and so lack in their ratio.

A pair is two steps of one model and sequence length. Those on one chip under one stack share most of their errors, and those on another
chip, or under another stack, few: each of the two has a correlation of its own. With it, SHARE of its pairs lie inside bars of
sqrt((a - b)^2 + 2 (1 - correlation) a b), where a and b are half the intervals of the two. Each pair of groups of configurations has one weight.
"""

import collections
import itertools

import numpy as np

from dse_analysis.credibility import SHARE, weighted_quantile

ALIKE, APART = "alike", "apart"


def sharing(a, b):
    """Return the largest correlation with which the ratio of two steps lies inside its bars; less than 0 may be needed."""
    return 1 - ((a["log"] - b["log"])**2 - (a["width"] - b["width"])**2) / (2 * a["width"] * b["width"])


def relation(a, b):
    """Return (kind of pair, what differs)."""
    if a["device"] == b["device"] and a["stack"] == b["stack"]:
        return ALIKE, "layout"
    return APART, "stack" if a["device"] == b["device"] else "chip"


def pairs_of(rows):
    """Return {(kind of pair, what differs): [(largest correlation, weight)]}.

    Parameters
    ----------
    rows : list of dict
        With the log of an error, the `width` of half its interval, and the `problem` that makes steps comparable.
    """
    problems = collections.defaultdict(list)
    for row in rows:
        problems[row["problem"]].append(row)
    found = collections.defaultdict(list)
    for steps in problems.values():
        for a, b in itertools.combinations(steps, 2):
            groups = frozenset((a["group"], b["group"]))
            found[relation(a, b)].append((sharing(a, b), groups, a["weight"] * b["weight"]))
    return {key: shared_weights(pairs) for key, pairs in found.items()}


def shared_weights(pairs):
    """Return (value, weight) of pairs (value, groups, weight), with one weight in all for each set of groups."""
    totals = collections.Counter()
    for _, groups, weight in pairs:
        totals[groups] += weight
    return [(value, weight / totals[groups]) for value, groups, weight in pairs]


def correlations(pairs):
    """Return {kind of pair: correlation with which SHARE of them lie inside their bars, between 0 and 1}."""
    found = {}
    for kind in (ALIKE, APART):
        values, weights = zip(*(pair for (of, _), those in pairs.items() if of == kind for pair in those))
        found[kind] = min(max(weighted_quantile(values, weights, 1 - SHARE), 0.0), 1.0)
    return found


def coverage(pairs):
    """Return {what differs: (pairs, fraction inside their bars)}."""
    found = correlations(pairs)
    return {differs: (len(those), float(np.average([value >= found[kind] for value, _ in those], weights=[weight for _, weight in those])))
            for (kind, differs), those in pairs.items()}
