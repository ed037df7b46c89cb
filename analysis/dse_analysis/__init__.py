"""Reads the results of `dse` sweeps and turns them into tables, fronts and figures."""

from dse_analysis.pareto import front_mask
from dse_analysis.results import ResultsError, read_results

__all__ = ["ResultsError", "front_mask", "read_results"]
