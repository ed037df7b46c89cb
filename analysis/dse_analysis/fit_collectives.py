"""Fit the staircases of the network model `calibrated` to measured collectives.

    python -m dse_analysis.fit_collectives NCCL.csv

The table has the columns gpu, op_name, num_gpus, message_bytes and latency_s, and nccl_dtype if formats differ. Prints the constants of each
collective and generation in the order of model::Staircase, and the errors on held-out sizes (every fourth)
and on held-out systems, which are predicted from others of their generation. Then the constants of any
generation, whose latencies and steps are in units of its short all-gather between two devices, and the errors
of generations held out, of which only this time is known.
"""

import argparse
import sys

import numpy as np
import pandas as pd

from dse_analysis.least_squares import fit_log
from dse_analysis.script import exit_code

#: Rate of a device's links, GB/s per direction.
GENERATIONS = {"ampere": {"a100_sxm": 300}, "hopper": {"h100_sxm": 450, "h200_sxm": 450}, "blackwell": {"b200_sxm": 900, "gb200": 900}}
LINKS = {gpu: rate for devices in GENERATIONS.values() for gpu, rate in devices.items()}
#: Generations whose switches add the vectors of an all-reduce, and do so faster than a ring, but not in int8 (ncclNvlsSupported
#: of NCCL): its rows are those of a ring, and no training step or server reduces such numbers. On Blackwell, a table of NCCL
#: 2.29.2 has both on one curve (eight B200, 128 MiB: 590 GB/s of bus bandwidth in half, 602 in int8).
SWITCHES_ADD = ("hopper",)
#: Largest message of the short all-gather between two devices, which stands for a generation's latencies.
SHORT_BYTES = 4096
STARTS = [[5, 1, 0.1, 15, 1, 0.8], [8, 2, 0.3, 20, 3, 0.9]]
BANDS = {"up to 64 KiB": (0, 65536), "between": (65536, 16e6 - 1), "from 16 MB": (16e6 - 1, np.inf)}


def time(parameters, table, links, unit=1.0):
    """Return times in microseconds. `parameters`: logarithms of the first six constants, then the growth.

    `unit` is that of latencies and steps [us], one number or one a row.
    """
    short_latency, short_step, short_share, long_latency, long_step, long_share = np.exp(np.minimum(parameters[:6], 50.0))
    members = table["num_gpus"].to_numpy(float)
    both_ways = np.where(table["op_name"] == "all_reduce", 2.0, 1.0)
    transfer = table["message_bytes"].to_numpy(float) * both_ways * (members - 1) / members / (links * 1e3)
    short = unit * (short_latency + short_step * (members - 1)) + transfer / short_share
    long = unit * (long_latency + long_step * (members - 1)) + transfer / (long_share * (members / 8) ** parameters[6])
    return (short**-4 + long**-4) ** -0.25


def fit(table, links, unit=1.0):
    """Return the fitted parameters of one collective on the devices of one generation, or of several by their units."""
    target = table["latency_s"].to_numpy(float) * 1e6
    starts = [[*np.log(np.array(start) / ([np.mean(unit)] * 2 + [1] + [np.mean(unit)] * 2 + [1])), 0.1] for start in STARTS]
    fits = [fit_log(lambda parameters: time(parameters, table, links, unit), start, target) for start in starts]
    return min(fits, key=lambda parameters: np.abs(np.log(time(parameters, table, links, unit) / target)).sum())


def constants(parameters):
    """Return the constants in the order of model::Staircase. Negligible values become 0."""
    values = [*np.exp(parameters[:6]), parameters[6]]
    return [0.0 if value < 1e-3 else float(f"{value:.4g}") for value in values]


def by_switches(table):
    """Return the rows without all-reduces that switches would add in other formats."""
    devices = [gpu for generation in SWITCHES_ADD for gpu in GENERATIONS[generation]]
    if "nccl_dtype" not in table:
        return table
    return table[~((table["op_name"] == "all_reduce") & (table["nccl_dtype"] == "int8") & table["gpu"].isin(devices))]


def errors_of(train, test):
    parameters = fit(train, train["gpu"].map(LINKS).to_numpy(float))
    predicted = time(parameters, test, test["gpu"].map(LINKS).to_numpy(float))
    return test.assign(error=np.abs(predicted / (test["latency_s"].to_numpy(float) * 1e6) - 1))


def held_out(table, folds=4):
    """Return rows with their errors: with held-out sizes, and with held-out systems if there are several."""
    sizes = np.sort(table["message_bytes"].unique())
    by_size = [errors_of(table[~chosen], table[chosen])
               for chosen in (table["message_bytes"].isin(sizes[fold::folds]) for fold in range(folds))]
    systems = table["gpu"].unique()
    by_system = [errors_of(table[table["gpu"] != gpu], table[table["gpu"] == gpu]) for gpu in systems] if len(systems) > 1 else []
    return by_size, by_system


def short_all_gather(table, devices):
    """Return the median time of a short all-gather between two of these devices [us]."""
    short = table[(table["op_name"] == "all_gather") & (table["num_gpus"] == 2) & (table["message_bytes"] <= SHORT_BYTES)]
    return short[short["gpu"].isin(devices)]["latency_s"].median() * 1e6


def generation_held_out(rows, units):
    """Return rows of one collective with the errors of constants fitted to all other generations.

    `units` is the short all-gather by device [us].
    """
    parts = []
    for devices in GENERATIONS.values():
        known, test = rows[~rows["gpu"].isin(devices)], rows[rows["gpu"].isin(devices)]
        if known.empty or test.empty:
            continue
        parameters = fit(known, known["gpu"].map(LINKS).to_numpy(float), known["gpu"].map(units).to_numpy(float))
        predicted = time(parameters, test, test["gpu"].map(LINKS).to_numpy(float), test["gpu"].map(units).to_numpy(float))
        parts.append(test.assign(error=np.abs(predicted / (test["latency_s"].to_numpy(float) * 1e6) - 1)))
    return parts


def summary(title, rows):
    rows = pd.concat(rows)
    medians = []
    for name, (low, high) in BANDS.items():
        inside = rows[(rows["message_bytes"] > low) & (rows["message_bytes"] <= high)]
        medians.append(f"{name} {inside['error'].median():.1%} of {len(inside)}")
    return f"{title}: {', '.join(medians)}"


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="fit_collectives", description="Fit the network model calibrated.")
    parser.add_argument("table", help="CSV with columns gpu, op_name, num_gpus, message_bytes, latency_s")
    options = parser.parse_args(arguments)
    table = by_switches(pd.read_csv(options.table))
    sizes, systems, generations = [], [], []
    units = {gpu: short_all_gather(table, devices) for devices in GENERATIONS.values() for gpu in devices}
    for kind in ("all_reduce", "all_gather", "reduce_scatter", "alltoall"):
        for generation, devices in GENERATIONS.items():
            rows = table[(table["op_name"] == kind) & table["gpu"].isin(devices)].reset_index(drop=True)
            if rows.empty:
                continue
            print(f"{kind:16} {generation:10} {constants(fit(rows, rows['gpu'].map(LINKS).to_numpy(float)))}")
            by_size, by_system = held_out(rows)
            sizes += by_size
            systems += by_system
        rows = table[(table["op_name"] == kind) & table["gpu"].isin(LINKS)].reset_index(drop=True)
        if not rows.empty and table["gpu"].isin(LINKS).any():
            any_generation = fit(rows, rows["gpu"].map(LINKS).to_numpy(float), rows["gpu"].map(units).to_numpy(float))
            print(f"{kind:16} {'any':10} {constants(any_generation)}")
            generations += generation_held_out(rows, units)
    print(summary("sizes held out", sizes))
    if systems:
        print(summary("a system held out", systems))
        for gpu, of_gpu in pd.concat(systems).groupby("gpu"):
            print(summary(f"  {gpu}", [of_gpu]))
    if generations:
        print(summary("a generation held out", generations))


if __name__ == "__main__":
    sys.exit(main())
