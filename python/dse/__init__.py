"""Design-space exploration for distributed machine learning.

    import dse
    sweep = dse.Sweep("layouts.yaml")
    sweep.evaluate(tp=8, pp=4)["iteration_time"]      # one point, in this process
    table = sweep.sweep()                             # all of them, as a pandas table
    dse.point("layouts.yaml", tp=8, pp=4)             # details of one point: parts, memory, critical path
    dse.read_results("layouts.h5")                    # rows of any results file

Invalid input raises dse.InputError with the same message that the program prints.
"""

from dse._native import InputError, ModelError
from dse._program import program
from dse._sweep import Sweep, point

__all__ = ["InputError", "ModelError", "Sweep", "front_mask", "point", "program", "read_results"]


def __getattr__(name):
    """Import slow names on first use: importing pandas takes longer than everything else here."""
    if name == "__version__":
        from importlib.metadata import version

        return version("dse")
    if name in ("front_mask", "read_results"):
        import dse_analysis

        return getattr(dse_analysis, name)
    raise AttributeError(f"module 'dse' has no attribute '{name}'")
