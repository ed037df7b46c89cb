"""Fit `active` and `per_memory_byte` of devices to the measured power of servers.

    python -m dse_analysis.fit_server_power --dse BUILD/dse TABLE.csv

TABLE has the columns of ML.ENERGY's leaderboard. `dse validate --truth TABLE --json` says for each server, at its measured
throughput, what the operations and messages of a device draw (`per_flop` and `per_link_byte` stay as they are) and how many
bytes of memory it moves. The power of a device is

    min(tdp, active + operations + per_memory_byte * bytes / time),

with the two constants that have the least sum of absolute relative errors, tdp aside. Left out, a server's error is that
under constants fitted to the servers of other models.
"""

import argparse
import sys

import numpy as np

from dse_analysis.script import exit_code, validated_rows

# Relative errors below this count as squares, so that the weights of almost exact rows stay finite.
SMALL_ERROR = 0.01


def fit(operations, rates, powers, rounds=200):
    """Constants with the least absolute relative errors, by reweighted least squares.

    Parameters
    ----------
    operations, rates, powers : numpy.ndarray, shape (n_servers,)
        Of a device: power of its operations [W], bytes of memory a second [B/s], measured power [W].

    Returns
    -------
    numpy.ndarray, shape (2,)
        active [W], energy of a byte [J/B].
    """
    scale = 1e12
    columns = np.column_stack([np.ones(len(powers)), rates / scale])
    weights = 1.0 / powers
    for _ in range(rounds):
        found = np.linalg.lstsq(columns * weights[:, None], (powers - operations) * weights, rcond=None)[0]
        errors = np.abs((columns @ found + operations) / powers - 1.0)
        weights = 1.0 / powers / np.sqrt(np.maximum(errors, SMALL_ERROR))
    return found / [1.0, scale]


def errors_of(constants, operations, rates, powers, limit):
    """Relative errors of the power of devices that draw at most `limit` [W]."""
    return np.minimum(constants[0] + operations + constants[1] * rates, limit) / powers - 1.0


def left_out(models, operations, rates, powers, limit):
    """Errors of each server under constants fitted to the servers of other models."""
    errors = np.full(len(powers), np.nan)
    for model in set(models):
        out = models == model
        constants = fit(operations[~out], rates[~out], powers[~out])
        errors[out] = errors_of(constants, operations[out], rates[out], powers[out], limit)
    return errors


def read_servers(dse, table):
    """Return the servers that `dse` predicts, from its JSON."""
    return [row for row in validated_rows(dse, table) if row["metric"] == "power_at_pace" and not row["why"]]


def describe(errors):
    return f"median {100 * np.median(np.abs(errors)):.1f} %, bias {100 * np.median(errors):+.1f} %"


@exit_code(RuntimeError)
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", help="measured servers")
    parser.add_argument("--dse", required=True, help="the program")
    parser.add_argument("--tdp", action="append", default=["H100=700", "B200=1000"], help="of a chip [W]")
    options = parser.parse_args(arguments)
    limits = {name: float(watts) for name, watts in (text.split("=") for text in options.tdp)}
    servers = read_servers(options.dse, options.table)
    for chip in sorted({row["chip"] for row in servers}):
        mine = [row for row in servers if row["chip"] == chip]
        models = np.array([row["model"] for row in mine])
        operations, rates = (np.array([row[key] for row in mine]) for key in ("operations_power", "bytes_per_second"))
        powers = np.array([row["measured"] / row["devices"] for row in mine])
        limit = limits.get(chip, np.inf)
        constants = fit(operations, rates, powers)
        print(f"{chip}: {len(mine)} servers, active {constants[0]:.0f} W, per_memory_byte {1e12 * constants[1]:.0f} pJ/B, "
              f"{describe(errors_of(constants, operations, rates, powers, limit))}; "
              f"models left out: {describe(left_out(models, operations, rates, powers, limit))}")


if __name__ == "__main__":
    sys.exit(main())
