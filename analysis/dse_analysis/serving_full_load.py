"""Errors of `dse validate` on measured deployments with one pool at full load, by engine.

    python -m dse_analysis.serving_full_load --dse BUILD/dse --data . TABLE.csv

Full load is the largest number of clients of each deployment (engine, release, chip, model, format, layout) and pair of
lengths that is not overloaded. A deployment that was measured several times counts once, with the median of its errors. Rows
of AIConfigurator's own client, most of which have a single number of clients each, are left out.
"""

import argparse
import csv
import statistics
import sys
from pathlib import Path

from dse_analysis.script import add_program, exit_code, validated_rows

DEPLOYMENT = ("framework", "framework_version", "gpu", "model", "gemm_quant", "tp_size", "pp_size", "moe_ep_size",
              "attention_dp_size", "isl_tokens", "osl_tokens")
METRIC = "output_tokens_per_second"


def errors_at_full_load(rows, facts):
    """Return {engine: relative errors of throughput, one for each deployment at its largest number of clients}.

    Parameters
    ----------
    rows : list of dict
        `rows` of `dse validate --json`.
    facts : dict
        Rows of the table by id.
    """
    fullest = {}
    for row in rows:
        fact = facts[row["id"]]
        if row["metric"] != METRIC or row["error"] is None or row["overloaded"]:
            continue
        if fact["mode"] != "agg" or fact["source_kind"] == "gap_analysis":
            continue
        deployment, clients = tuple(fact[key] for key in DEPLOYMENT), int(fact["concurrency"])
        most, errors = fullest.get(deployment, (0, []))
        if clients > most:
            fullest[deployment] = (clients, [row["error"]])
        elif clients == most:
            errors.append(row["error"])
    engines = {}
    for deployment, (_, errors) in fullest.items():
        engines.setdefault(deployment[0], []).append(statistics.median(errors))
    return engines


@exit_code(RuntimeError)
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="measured deployments, with columns mode and source_kind")
    add_program(parser)
    options = parser.parse_args(arguments)
    with open(options.table, newline="") as text:
        facts = {row["id"]: row for row in csv.DictReader(text)}
    rows = validated_rows(options.dse, str(options.table.resolve()), options.data)
    for engine, errors in sorted(errors_at_full_load(rows, facts).items()):
        size = [abs(error) for error in errors]
        print(f"{engine:8} {len(errors):3} rows  median error {100 * statistics.median(size):.1f} %, mean "
              f"{100 * statistics.mean(size):.1f} %, bias {100 * statistics.median(errors):+.1f} %")


if __name__ == "__main__":
    sys.exit(main())
