"""What proofs of fronts cost: points evaluated, boxes bounded and seconds, as a table.

    python -m dse_analysis.proven --dse build/release/dse sweeps/large/llm_70b_proven.yaml [--set 'search.tolerance=5 %'] …

Runs each sweep, of whose space no more is walked than it has to be, and reads off the proof that is left in its results file. With
--grid FILE.h5 the points of the front are held against those of a full walk.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

from dse_analysis.pareto import front_mask
from dse_analysis.results import read_results

VERDICTS = {"outside": 1, "infeasible": 2, "evaluated": 3, "dominated": 4, "open": 5}


def read_proof(path):
    """The proof of a results file: grid points by verdict, boxes, and how epsilon fell.

    Parameters
    ----------
    path : path of a results file with a group /proof

    Returns
    -------
    dict
    """
    with h5py.File(path) as file:
        proof = file["proof"]
        points = np.ones(len(proof["verdict"]))
        for axis in range(len(proof.attrs["axes"])):
            points *= proof[f"count_{axis}"][:]
        verdict = proof["verdict"][:]
        return {"points": {name: float(points[verdict == code].sum()) for name, code in VERDICTS.items()},
                "boxes": len(verdict),
                "evaluated": len(file["point_id"]),
                "bounded": int(proof["course_bounds"][-1]) if len(proof["course_bounds"]) else 0,
                "epsilon": float(proof["course_epsilon"][-1]) if len(proof["course_epsilon"]) else 0.0}


def front_of(path, names):
    """The points of a front, as values of the axes and derived values.

    Parameters
    ----------
    path : path of a results file
    names : list of str
        Objectives, minimised.

    Returns
    -------
    set of tuple
    """
    table = read_results(path)
    ok = table["status"] == "ok"
    costs = table.loc[ok, names].to_numpy()
    columns = [column for column in table.columns if column in point_names(path)]
    return {tuple(row) for row in table.loc[ok, columns][front_mask(costs)].itertuples(index=False)}


def point_names(path):
    with h5py.File(path) as file:
        return set(file["points"])


def proven(dse, sweep, settings, output):
    """Runs a sweep that proves. \\return seconds"""
    command = [dse, str(sweep), "-o", str(output), "--fresh", "--json"]
    for setting in settings:
        command += ["--set", setting]
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def row_of(name, proof, seconds, front=""):
    inside = sum(number for verdict, number in proof["points"].items() if verdict != "outside")
    return [name, f"{inside:.4g}", f"{proof['evaluated']:,}", f"{proof['evaluated'] / inside:.2%}",
            f"{proof['bounded']:,}", f"{proof['epsilon']:.3g}", f"{seconds:.0f}", front]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="dse_analysis.proven", description=__doc__.splitlines()[0])
    parser.add_argument("sweep", type=Path, nargs="+", help="sweeps with search: {method: proven}")
    parser.add_argument("--dse", required=True, help="the program")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as dse --set, for all sweeps")
    parser.add_argument("--grid", help="results of the full walk over the same space")
    options = parser.parse_args(arguments)
    heads = ["sweep", "points not shown to be outside", "evaluated", "share", "boxes bounded", "epsilon", "seconds", "front"]
    print("| " + " | ".join(heads) + " |\n" + "|" + "---|" * len(heads))
    for sweep in options.sweep:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "proven.h5"
            seconds = proven(options.dse, sweep, options.set, output)
            front = ""
            if options.grid:
                names = [text.split(":")[0] for text in h5py.File(output)["proof"].attrs["objectives"]]
                mine, whole = front_of(output, names), front_of(options.grid, names)
                front = f"{len(mine)}, {'equal' if mine == whole else f'{len(mine ^ whole)} differ'}"
            print("| " + " | ".join(row_of(sweep.stem, read_proof(output), seconds, front)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
