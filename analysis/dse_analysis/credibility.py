"""Sizes of errors by family, and the factors that make half an interval of a size.

The size of a family's errors is that of hierarchical credibility (W. S. Jewell, "The use of collateral data in credibility theory: a
hierarchical model", IIASA RM-75-24, 1975), with the mean of the errors of each group of configurations as one observation (`Method`).
Families vary about the wider family's size with one variance on every level, groups about their family's with `borrowed` times that variance.
The fewer groups and families determine a family's own mean, the more is taken from the wider one, whose mean is that of its families,
not of its rows. A factor converts sizes to half-widths of intervals: with it, SHARE of the rows lie inside bars that were made without
their group.

A row has the logarithm of measured over predicted (`log`), a `weight`, a `group` of configurations, and its `path`: the families that it
is in, as dicts, from {}, which holds all, to the narrowest.
"""

import csv
import dataclasses

import numpy as np

SHARE = 0.80


def read_rows(file):
    """Return the rows of a table of errors, without their `path`."""
    with open(file, newline="") as text:
        return [row | {"weight": float(row["weight"]), "log": float(row["log"])} for row in csv.DictReader(text)]


@dataclasses.dataclass(frozen=True)
class Method:
    """How sizes are made of errors.

    Attributes
    ----------
    power : float
        Of the mean of a group's errors: with 1 it is that of their absolute values, with 2 their root mean square.
    borrowed : float
        Variance of groups about their family, over that of families about the wider one. The likelihood of steps' errors whose group is
        left out, as Laplace variables of these sizes, is greatest at 4, and flat from 3 to 6; that of peaks' is flat from 4 to 8.
    """
    power: float = 1.0
    borrowed: float = 4.0


MEANS = Method()
SQUARES = Method(power=2.0)


def sizes_of(rows, power=1.0):
    """Return (mean error by `Method.power`, number of groups). A group of configurations is one observation."""
    groups = {}
    for row in rows:
        groups.setdefault(row["group"], []).append((row["weight"], abs(row["log"])**power))
    means = [(sum(w * size for w, size in group) / sum(w for w, _ in group))**(1 / power) for group in groups.values()]
    return float(np.mean(means)), len(means)


def is_in(row, family):
    return family.items() <= row["path"][-1].items()


def key_of(family):
    return tuple(family.items())


def family_sizes(rows, method=MEANS):
    """Return {key of a family: size of its errors} by hierarchical credibility.

    With the variance between the families of a family as unit, the mean of `n` groups determines that of their family with
    precision `n / borrowed`; a family that is known with precision `p` determines the one that holds it with `p / (p + 1)`,
    which is also the share of its own mean in the result.
    """
    parents, own = {}, {}
    for row in rows:
        keys = [key_of(family) for family in row["path"]]
        parents.update(zip(keys[1:], keys))
        own.setdefault(keys[-1], []).append(row)
    observed = {key: [] for key in (*parents, ())}
    for key, inside in own.items():
        mean, groups = sizes_of(inside, method.power)
        observed[key].append((groups / method.borrowed, mean))
    means, shares = {}, {}
    for key in sorted(observed, key=len, reverse=True):
        precision = sum(p for p, _ in observed[key])
        means[key] = sum(p * mean for p, mean in observed[key]) / precision
        shares[key] = precision / (precision + 1)
        if key:
            observed[parents[key]].append((shares[key], means[key]))
    sizes = {(): means[()]}
    for key in sorted(parents, key=len):
        sizes[key] = shares[key] * means[key] + (1 - shares[key]) * sizes[parents[key]]
    return sizes


def weighted_quantile(values, weights, share):
    order = np.argsort(values)
    reached = np.cumsum(np.array(weights)[order]) >= share * np.sum(weights)
    return float(np.array(values)[order][np.argmax(reached)])


def unseen_families(rows, name_of, method=MEANS):
    """Return [(key, size)] of each row's narrowest family that has rows without those of its name, and the size of its errors."""
    others = {name: family_sizes([row for row in rows if name_of(row) != name], method) for name in set(map(name_of, rows))}
    return [next((key, sizes[key]) for key in map(key_of, reversed(row["path"])) if key in sizes)
            for row in rows for sizes in (others[name_of(row)],)]


def unseen_sizes(rows, method=MEANS):
    """Return the size of errors of each row's narrowest family that has rows without the row's own group."""
    return np.array([size for _, size in unseen_families(rows, lambda row: row["group"], method)])


def factor_of(rows, sizes):
    """Return the factor from sizes of errors to half-widths of intervals with SHARE of the rows."""
    ratios = [abs(row["log"]) / size for row, size in zip(rows, sizes)]
    return weighted_quantile(ratios, [row["weight"] for row in rows], SHARE)


def factor_without(rows, name_of, method=MEANS):
    """Return `factor_of` bars made without all rows of a row's name, each name with one weight."""
    sizes = [size for _, size in unseen_families(rows, name_of, method)]
    totals = {}
    for row in rows:
        totals[name_of(row)] = totals.get(name_of(row), 0.0) + row["weight"]
    return factor_of([{**row, "weight": row["weight"] / totals[name_of(row)]} for row in rows], sizes)


def coverage(rows, widths):
    """Check half-widths of the rows' intervals.

    Returns
    -------
    tuple
        (rows, fraction inside the bars, median width, median width over median error), all weighted: a configuration counts once,
        however often it was measured.
    """
    errors, weights = [abs(row["log"]) for row in rows], [row["weight"] for row in rows]
    inside = np.average(np.array(errors) <= np.array(widths), weights=weights)
    width = weighted_quantile(widths, weights, 0.5)
    return len(rows), float(inside), width, width / weighted_quantile(errors, weights, 0.5)


def part_of(row):
    """Return the family below all that a row belongs to."""
    return tuple(row["path"][1].items())


def factors_of(rows, sizes):
    """Return {family below all, or () for all: factor from the size of errors to half an interval}. Each has one of its own."""
    factors = {(): factor_of(rows, sizes)}
    for part in {part_of(row) for row in rows}:
        here = [i for i, row in enumerate(rows) if part_of(row) == part]
        factors[part] = factor_of([rows[i] for i in here], [sizes[i] for i in here])
    return factors


def families_of(rows):
    """Return every family of the rows, wide ones first."""
    found = {}
    for depth in range(max(len(row["path"]) for row in rows)):
        for row in rows:
            family = row["path"][depth]
            found.setdefault(key_of(family), family)
    return list(found.values())
