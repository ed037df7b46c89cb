"""Errors of predictions of which a part is not known: the chip's measured rates, or the software.

    python -m dse_analysis.unknown_parts --dse BUILD/dse --data . --deployments DEPLOYMENTS.csv -o workloads/measured/unknown_errors.csv

Predicts the shipped steps and peaks, and measured deployments, anew: with each chip as its datasheet describes it (peaks,
capacity and bandwidth of the memory, power), all else neutral ("datasheet") or that of a typical chip ("typical"), and
without a stack ("software"). The chips that the typical one was derived from are among them: medians of many chips depend
little on any one of them. The table holds the 10th, 50th and 90th percentile of ln(measured / predicted), with one weight a
chip, or, where the software is unknown, a group of configurations or a deployment; `fit_errors` and `fit_serving_errors` make error bars of it.
"""

import argparse
import collections
import contextlib
import csv
import math
import re
import shutil
import sys
import tempfile
from pathlib import Path

import yaml

from dse_analysis import fit_serving_errors, memory_errors
from dse_analysis.credibility import weighted_quantile
from dse_analysis.fit_errors import KINDS
from dse_analysis.fit_serving_errors import SERVED
from dse_analysis.script import add_program, exit_code, validated

DEVICES = "hardware/devices"
STACKS = "workloads/stacks"
KEPT = {"peak": None, "memory": ("capacity", "bandwidth"), "power": ("tdp",)}  # None: all fields
SECTION = re.compile(r"^(\w+):(.*)$")
FIELD = re.compile(r"^  (\w+):")
COLUMNS = ("unknown", "quantity", "kind", "rows", "weights", "low", "median", "high")
# Stacks of inference, by their names: without a stack, launches cost nothing there.
INFERENCE = ("vLLM", "SGLang", "TensorRT-LLM", "PyTorch")
# Fields of `serving` that state what a scheduler does; all others are times of the engine.
SCHEDULING = ("scheduler", "max_sequences", "token_budget", "prefix_cache")


def datasheet_of(folder, name):
    """Return the lines of a device's file, and those of its bases, that a datasheet states, by section and field.

    Shipped files have one field a line. What bases/ holds (typical_gpu) is no datasheet.
    """
    fields, section = {}, ""
    for line in (folder / f"{name}.yaml").read_text().splitlines():
        if match := SECTION.match(line):
            section, rest = match.groups()
            if section == "base" and not (folder / "bases" / f"{rest.strip()}.yaml").exists():
                fields = datasheet_of(folder, rest.strip()) | fields
            elif section == "name":
                fields["name", ""] = line
        elif (match := FIELD.match(line)) and section in KEPT:
            if KEPT[section] is None or match.group(1) in KEPT[section]:
                fields[section, match.group(1)] = line
    return fields


def stripped(fields, base):
    """Return the text of a device's file with these fields."""
    lines = [f"base: {base}"] if base else []
    lines.append(fields["name", ""])
    for section in KEPT:
        of_section = [line for (name, _), line in fields.items() if name == section]
        lines += [f"{section}:", *of_section] if of_section else []
    return "\n".join(lines) + "\n"


def forget_chips(data, base):
    """Rewrite a copy's devices as their datasheets describe them."""
    texts = {file: stripped(datasheet_of(data / DEVICES, file.stem), base) for file in (data / DEVICES).glob("*.yaml")}
    for file, text in texts.items():
        file.write_text(text)


def forget_software(data):
    """Rewrite a copy's stacks, and the engines of deployments, as if `stack` were left out: but for their names, since a table
    of measurements must name one, and for what schedulers do."""
    for file in (data / STACKS).glob("*.yaml"):
        name = yaml.safe_load(file.read_text())["name"]
        file.write_text(f"name: {name}\n" + ("cuda_graphs: true\n" if name.startswith(INFERENCE) else ""))
    file = data / "workloads/measured/serving.yaml"
    facts = yaml.safe_load(file.read_text())
    for engine in facts["engines"]:
        engine["serving"] = {name: value for name, value in engine["serving"].items() if name in SCHEDULING}
    for model in facts["models"]:
        for name in ("launch_factor", "first_token_time", "routing_skew"):
            model.pop(name, None)
    file.write_text(yaml.safe_dump(facts, sort_keys=False, width=1000))


def rows_of(options, forget):
    """Return the rows of `dse validate` on a copy of the data that `forget` has rewritten; those of deployments last."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for part in ("hardware", "workloads"):
            shutil.copytree(options.data / part, folder / part)
        forget(folder)
        tables = [[], ["--truth", options.deployments]] if options.deployments else [[]]
        return [row for table in tables for row in validated(options.dse, *table, folder=folder)["rows"]]


#: Quantities by the metric of a row.
QUANTITIES = ({"iteration_time": "time"} | dict.fromkeys(memory_errors.METRICS, "memory")
              | {metric: quantity for quantity, (metric, _) in fit_serving_errors.QUANTITIES.items()})


def errors_of(rows, weight_of):
    """Return {quantity: {kind: [(ln(measured / predicted), what it shares a weight with)]}}."""
    found = {}
    for row in rows:
        overloaded = row["metric"] == "ttft" and row["overloaded"]
        quantity = QUANTITIES.get(row["metric"])
        if not quantity or not row["predicted"] or row.get("set_aside") or overloaded or row.get("why"):
            continue
        kind = "" if quantity == "memory" else (KINDS if quantity == "time" else KINDS | SERVED).get(row["template"], "")
        found.setdefault(quantity, {}).setdefault(kind, []).append((math.log(row["measured"] / row["predicted"]), weight_of(row)))
    return found


def percentiles(errors):
    """Return the 10th, 50th and 90th percentile, with one weight for each of the names that errors share, and the number of names."""
    sharing = collections.Counter(name for _, name in errors)
    values, weights = zip(*((value, 1 / sharing[name]) for value, name in errors))
    return *(weighted_quantile(values, weights, share) for share in (0.1, 0.5, 0.9)), len(sharing)


def entry(unknown, quantity, kind, errors):
    low, median, high, weights = percentiles(errors)
    return {"unknown": unknown, "quantity": quantity, "kind": kind, "rows": len(errors), "weights": weights, "low": f"{low:.3f}",
            "median": f"{median:.3f}", "high": f"{high:.3f}"}


def table_of(options):
    """Return the records of the table."""
    records = []
    for unknown, base in (("datasheet", None), ("typical", "typical_gpu")):
        errors = errors_of(rows_of(options, lambda folder, base=base: forget_chips(folder, base)), lambda row: row["chip"])
        records.append(entry(unknown, "time", "", [error for kind in errors["time"].values() for error in kind]))
    errors = errors_of(rows_of(options, forget_software), lambda row: row.get("group") or row["id"])
    for quantity in ("time", "memory", "prompts", "first_token", "decode"):
        records += by_kind(quantity, errors.get(quantity, {}))
    return records


def by_kind(quantity, kinds):
    """Return the records of a quantity where the software is unknown: of all kinds of models, then of each if there are several."""
    every = [error for errors in kinds.values() for error in errors]
    named = sorted(kind for kind in kinds if kind) if len(kinds) > 1 else []
    return [entry("software", quantity, kind, kinds[kind] if kind else every) for kind in ["", *named] if every]


@exit_code(RuntimeError)
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_program(parser)
    parser.add_argument("--deployments", type=lambda path: str(Path(path).resolve()), help="table of measured deployments")
    parser.add_argument("-o", "--output", type=Path, help="file of the table (default: standard output)")
    options = parser.parse_args(arguments)
    records = table_of(options)
    with open(options.output, "w", newline="") if options.output else contextlib.nullcontext(sys.stdout) as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)


if __name__ == "__main__":
    sys.exit(main())
