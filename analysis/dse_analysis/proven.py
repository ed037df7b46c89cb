"""Make a table of the cost of proving fronts: points evaluated, boxes bounded, and seconds.

    python -m dse_analysis.proven --dse build/release/dse sweeps/large/llm_70b_proven.yaml [--tolerance '5 %'] …

Runs each sweep, which evaluates no more of its space than necessary, and reads the proof from its results
file. Seconds are processor time. With --grid FILE.h5, the points of the front are compared with those of an
exhaustive evaluation.
"""

import argparse
import csv
import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from dse_analysis.peers import processor_seconds
from dse_analysis.script import exit_code

VERDICTS = {"outside": 1, "infeasible": 2, "evaluated": 3, "dominated": 4, "open": 5}


def read_proof(path):
    """Read the proof of a results file: number of grid points per verdict, numbers of boxes, final epsilon.

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


def front_of(dse, path, objectives, columns):
    """Return the points of a front from `dse pareto`, which reads files of any size and of unfinished runs.

    Parameters
    ----------
    dse : str
        The program.
    path : path of a results file
    objectives : list of str
        Metrics with their directions, e.g. "cost: minimize".
    columns : list of str
        Axes and derived values that identify points.

    Returns
    -------
    set of tuple of str
    """
    command = [dse, "pareto", str(path), "--csv", "--top", "0", "--objectives", ",".join(objectives)]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {tuple(row[name] for name in columns) for row in csv.DictReader(io.StringIO(text))}


def changed(sweep, objectives, tolerance, folder):
    """Write the same sweep with other objectives or a tolerance, if given, and return the file."""
    text = sweep.read_text(encoding="utf-8")
    if objectives:
        text = re.sub(r"^objectives:.*$", f"objectives: {{{objectives}}}", text, flags=re.M)
    if tolerance:
        text = re.sub(r"^search:.*$", f"search: {{method: proven, tolerance: {tolerance}}}", text, flags=re.M)
    file = Path(folder) / sweep.name
    file.write_text(text, encoding="utf-8")
    return file


def proven(dse, sweep, settings, output):
    """Run a sweep with method proven.

    Returns
    -------
    float
        Processor time [s].
    """
    command = [dse, str(sweep), "-o", str(output), "--fresh", "--json", "--progress", "none"]
    for setting in settings:
        command += ["--set", setting]
    begin = processor_seconds()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return processor_seconds() - begin


def made_row(options, sweep, objectives):
    """Run a sweep, compare it with options.grid if that is given, and return its row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "proven.h5"
        seconds = proven(options.dse, changed(sweep, objectives, options.tolerance, folder), options.set, output)
        with h5py.File(output) as file:
            aims, columns = list(file["proof"].attrs["objectives"]), list(file.attrs["point_columns"])
        mine = front_of(options.dse, output, aims, columns)
        front = f"{len(mine)}"
        if options.grid:
            other = mine ^ front_of(options.dse, options.grid, aims, columns)
            front += f", {len(other)} differ" if other else ", that of the full walk"
        return row_of(sweep.stem, len(aims), read_proof(output), seconds, front)


def row_of(name, aims, proof, seconds, front):
    inside = sum(number for verdict, number in proof["points"].items() if verdict != "outside")
    return [name, f"{inside:.4g}", f"{aims}", f"{proof['evaluated']:,}", f"{proof['evaluated'] / inside:.2g}",
            f"{proof['bounded']:,}", f"{proof['epsilon']:.3g}", f"{seconds:.1f}", front]


@exit_code(subprocess.CalledProcessError)
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="dse_analysis.proven", description=__doc__.splitlines()[0])
    parser.add_argument("sweep", type=Path, nargs="+", help="sweeps with search: {method: proven}")
    parser.add_argument("--dse", required=True, help="the program")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as for dse --set, for all sweeps")
    parser.add_argument("--grid", help="results of the exhaustive evaluation of the same space, finished or not")
    parser.add_argument("--objectives", action="append", metavar="A: minimize, …",
                        help="instead of the sweeps' own; may be repeated for one row each")
    parser.add_argument("--tolerance", help="as in 'search', e.g. '5 %%', for all sweeps")
    options = parser.parse_args(arguments)
    heads = ["sweep", "points not shown to be outside", "objectives", "evaluated", "share", "boxes bounded", "epsilon", "seconds",
             "front"]
    print("| " + " | ".join(heads) + " |\n" + "|" + "---|" * len(heads))
    for sweep in options.sweep:
        for objectives in options.objectives or [""]:
            print("| " + " | ".join(made_row(options, sweep, objectives)) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
