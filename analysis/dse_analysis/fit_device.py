"""Implementation of `dse fit`: fits a device or a network to measurements, with errors on held-out rows.

Kernels are read as the rows of `dse kernels`, with seconds, and collectives as the output of nccl-tests. The
model of collectives has the form of latency_bandwidth.
"""

import argparse
import datetime
import json
import os
import pathlib
import sys

import numpy as np
import pandas as pd

from dse_analysis.device_kernels import fit_kernels
from dse_analysis.fitted_file import FitError, Fitted
from dse_analysis.nccl_log import read_nccl
from dse_analysis.row_fit import fit_rows, held_out, logistic, warn_of_undetermined
from dse_analysis.whole_file import whole_file

#: Fewest sizes of a collective, of whose constants nothing is known beforehand.
FEWEST_SIZES = 10
#: Collectives that are fitted, and the bytes that a member sends, in multiples of its (n - 1) / n of the message.
KINDS = {"all_reduce": 2.0, "all_gather": 1.0, "reduce_scatter": 1.0, "all_to_all": 1.0}
#: Number of consecutive messages among n members, as counted by latency_bandwidth.
STEPS = {"all_reduce": lambda n: 2 * np.ceil(np.log2(n)), "all_gather": lambda n: np.ceil(np.log2(n)),
         "reduce_scatter": lambda n: np.ceil(np.log2(n)), "all_to_all": lambda n: 1.0 + 0.0 * n}
#: Columns of times in other units than seconds.
TIMES = {"milliseconds": 1e-3, "microseconds": 1e-6}


def read_kernels(path):
    """Read measured kernels, without spaces around values: formats may have the name that they have in hardware/tables, and times those of TIMES."""
    rows = pd.read_csv(path, skipinitialspace=True)
    rows.columns = rows.columns.str.strip()
    for name in rows.select_dtypes(["object", "string"]):
        rows[name] = rows[name].str.strip()
    if "operator" not in rows and {"m", "n", "k"} <= set(rows):
        rows = rows.assign(operator="gemm")
    for name, unit in TIMES.items():
        if name in rows:
            rows["seconds"] = (rows["seconds"] if "seconds" in rows else pd.Series(np.nan, rows.index)).fillna(rows[name] * unit)
    if "precision" not in rows:
        return rows
    formats = rows["format"].fillna(rows["precision"]) if "format" in rows else rows["precision"]
    return rows.assign(format=formats)


def collectives_model(links):
    """Return the model of latency_bandwidth inside a domain.

    Parameters: launch, latency per step, fraction of the rate, sharpness.
    """
    def model(parameters, rows):
        launch, latency, sharpness = np.exp(np.clip(parameters[[0, 1, 3]], -40, 3))
        n = rows["members"].to_numpy(float)
        steps = np.array([STEPS[kind](members) for kind, members in zip(rows["kind"], n)])
        wire = rows["kind"].map(KINDS).to_numpy(float) * (n - 1) / n * rows["bytes"].to_numpy(float)
        waits, moves = launch + latency * steps, wire / (links * logistic(parameters[2]))
        power = np.clip(sharpness, 0.3, 12)
        longer, shorter = np.maximum(waits, moves), np.minimum(waits, moves)
        return longer * (1 + (shorter / longer) ** power) ** (1 / power)
    return model


def fit_collectives(rows, links, fitted):
    """Fit the sections of a cluster's network."""
    if len(rows) < FEWEST_SIZES:
        raise FitError(f"{len(rows)} sizes in the logs (a fit needs {FEWEST_SIZES})")
    model, start = collectives_model(links), np.array([np.log(8e-6), np.log(1e-6), 1.4, 0.0])
    parameters = fit_rows(rows, model, start)
    errors = held_out(rows, ["bytes"], model, start)
    fitted.errors("collectives", errors)
    small = (rows["bytes"] <= 65536).to_numpy()
    for name, chosen in (("  up to 64 KiB", small), ("  larger", ~small)):
        if chosen.any():
            fitted.errors(name, errors[chosen])
    warn_of_undetermined(rows, model, parameters, {"network.collective.launch": "members", "network.scale_up.latency": "members",
                                                   "network.scale_up.efficiency": "bytes", "network.collective.sharpness": None}, fitted)
    launch, latency, sharpness = np.exp(parameters[[0, 1, 3]])
    fitted.add("network.scale_up.latency", latency * 1e6, " us")
    fitted.add("network.scale_up.efficiency", logistic(parameters[2]))
    fitted.add("network.collective.launch", launch * 1e6, " us")
    fitted.add("network.collective.sharpness", np.clip(sharpness, 0.3, 12))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="fit_device", description="Fit a device or a network to measurements.")
    parser.add_argument("--kernels", action="append", default=[], help="rows of measured kernels")
    parser.add_argument("--nccl", action="append", default=[], help="output of nccl-tests")
    parser.add_argument("--collective", choices=sorted(KINDS))
    parser.add_argument("--link", type=float, help="rate of a device's links, GB/s per direction")
    parser.add_argument("--base", required=True, help="name of the device or cluster that the file starts from")
    parser.add_argument("--rate", type=float, required=True, help="rate according to the datasheet, 16 bits [FLOP/s]")
    parser.add_argument("--bandwidth", type=float, required=True, help="bandwidth that long kernels sustain [B/s]")
    parser.add_argument("--constants", type=json.loads, default={}, help="those of the base, as a JSON object (names of TYPICAL; 0: not stated)")
    parser.add_argument("-o", "--output", required=True)
    return parser.parse_args(arguments)


def base_beside(output, base):
    """Return the name of the base as the output file has to write it: paths are relative to the file that names them."""
    if "/" not in base and not base.endswith(".yaml"):
        return base
    path = pathlib.PurePath(os.path.relpath(base, pathlib.Path(output).resolve().parent)).as_posix()
    return path if path.startswith("../") else f"./{path}"


def main(arguments=None):
    options = parse_arguments(arguments)
    names = ", ".join(pathlib.Path(path).name for path in options.kernels + options.nccl)
    fitted = Fitted(f"fitted on {names} by dse fit, {datetime.date.today():%B %Y}")
    try:
        if options.kernels:
            rows = pd.concat([read_kernels(path) for path in options.kernels], ignore_index=True)
            fit_kernels(rows, {"rate": options.rate, "bandwidth": options.bandwidth}, fitted, options.constants)
        if options.nccl:
            if not options.link or options.link <= 0:
                raise FitError("--nccl needs --link, the rate of a device's links in GB/s per direction")
            logs = pd.concat([read_nccl(path, options.collective) for path in options.nccl], ignore_index=True)
            fit_collectives(logs, options.link * 1e9, fitted)
        head = [f"# {options.base}, fitted on {names}.", *(f"# {line}" for line in fitted.report + fitted.warnings)]
        if options.kernels and not options.nccl:
            head.append(f"base: {base_beside(options.output, options.base)}")
        else:
            head.append("# A line 'base: CLUSTER' (one of `dse list clusters`) makes this a cluster file: cluster: ./FILE.yaml")
        with whole_file(options.output) as file:
            file.write(fitted.text(head).encode("utf-8"))
    except (FitError, KeyError, OSError, ValueError, np.linalg.LinAlgError) as error:
        print(f"dse: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2
    print("\n".join(fitted.report))
    for line in fitted.warnings:
        print(f"dse: {line}", file=sys.stderr)
    print(f"wrote {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
