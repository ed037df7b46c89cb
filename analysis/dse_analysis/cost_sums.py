"""Times of kernels as sums of costs: launch, arithmetic, bytes of memory, waves of thread blocks, …

A kernel's time is the sum of what its parts would take, each with a weight that is not negative. Trees correct
this sum where kernels were measured. Beyond, it grows as the work does, which a correction cannot: a tree is flat.
"""

import numpy as np
from scipy.optimize import nnls

#: Fewest rows for which a family of kernels has weights of its own.
LEAST_ROWS = 60
#: Weights that kernels tend to where their rows say nothing, and how many rows this counts as: arithmetic and bytes of
#: memory at the rates of large kernels. Kernels of the other kinds are measured where these decide.
USUAL = {"gemm": {"compute": 0.7, "cached": 0.2, "memory": 0.5, "longer": 0.3},
         "decode": {"cached": 0.2, "partly": 0.5, "memory": 1.0, "own": 0.5},
         "latent_decode": {"compute": 0.7, "cached": 0.2, "memory": 0.5, "own": 0.5, "longer": 0.3},
         "latent_decode_block": {"compute": 0.7, "cached": 0.2, "memory": 0.5, "own": 0.5, "longer": 0.3, "projections": 1.0,
                                 "weights": 0.7, "activations": 1.0},
         "latent_prefill_block": {"projections": 1.0, "weights": 0.7, "activations": 1.0}}
USUAL_ROWS = 4.0
#: As how many rows it counts that every other cost has no share of the time. Where two costs grow alike in all rows (on one
#: device, or with heads of one size), these leave open whose share is whose, and the answer would depend on how the solver
#: rounds: this makes it equal shares.
EVEN_ROWS = 1e-4
#: Weights that cannot be less: what exceeds the cache comes from memory, at no more than its datasheet's bandwidth, and thread
#: blocks that visit keys in turn take their time where the rows of a fit have none of them.
LEAST = {"decode": {"memory": 0.9}, "experts": {"fixed": 1.0}, "latent_decode": {"blocks": 0.9}, "latent_decode_block": {"blocks": 0.9}}
ROUNDS = 6
#: Errors of logarithms below this weigh by their square, above by their size.
SMALL_ERROR = 0.03
#: Family of the weights that all rows share, for families that were not measured.
ANY_FAMILY = -1


def weights_of(costs, seconds, usual, least, counts):
    """Return the weights of costs [n, p], whose sums come near the measured times in ratio.

    Parameters
    ----------
    counts : numpy.ndarray
        As how many rows each row counts [n].
    usual, least : numpy.ndarray
        Weights [p] that rows may leave as they are (0: none), and that are the least.
    """
    shares = costs / seconds[:, None]
    size = shares.max(axis=0)
    size[size == 0] = 1.0  # of no row: the usual weight
    fixed = shares @ least
    shares = shares / size
    pull = np.sqrt(np.where(usual > 0, USUAL_ROWS, EVEN_ROWS * size**2))
    counts = np.sqrt(counts)
    factor = counts
    for _ in range(ROUNDS):
        weights, _ = nnls(np.vstack([shares * factor[:, None], np.diag(pull / size)]),
                          np.concatenate([factor * (1 - fixed), pull * np.maximum(usual - least, 0)]))
        error = np.abs(np.log(np.maximum(shares @ weights + fixed, 1e-9)))
        factor = counts / np.sqrt(np.maximum(error, SMALL_ERROR))
    return weights / size + least


class CostSums:
    """Weights of a kind of kernel by family, and those of all its rows for other families."""

    def __init__(self, kind, costs, family, seconds, counts=None):
        counts = np.ones(len(seconds)) if counts is None else counts
        matrix = np.array(list(costs.values())).T
        usual, least = (np.array([known.get(kind, {}).get(name, 0.0) for name in costs]) for known in (USUAL, LEAST))
        self.weights = {ANY_FAMILY: weights_of(matrix, seconds, usual, least, counts)}
        for own in np.unique(family):
            rows = family == own
            if rows.sum() >= LEAST_ROWS:
                self.weights[int(own)] = weights_of(matrix[rows], seconds[rows], usual, least, counts[rows])

    def logarithm(self, costs, family):
        """Return the logarithm of each row's sum [s]."""
        matrix = np.array(list(costs.values())).T
        weights = np.array([self.weights.get(int(own), self.weights[ANY_FAMILY]) for own in family])
        return np.log(np.maximum((matrix * weights).sum(axis=1), 1e-9))

    def lines(self):
        """Return the lines of a file of trees."""
        return [f"costs {own} " + " ".join(f"{weight:.5g}" for weight in weights) for own, weights in sorted(self.weights.items())]
