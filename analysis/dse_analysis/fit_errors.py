"""Make the table of error bars, workloads/measured/errors.yaml, from errors on held-out rows.

    python -m dse_analysis.leave_group_out TRUTH.csv... --dse BUILD/dse --residuals workloads/measured/left_out.csv
    python -m dse_analysis.memory_errors VALIDATED.json -o workloads/measured/memory_errors.csv
    python -m dse_analysis.memory_fits VALIDATED.json -o workloads/measured/memory_fits.csv
    python -m dse_analysis.step_errors VALIDATED.json -o workloads/measured/step_errors.csv
    python -m dse_analysis.fit_errors -o workloads/measured/errors.yaml

An error is the logarithm of measured over predicted time. A row is predicted with constants that were fitted
without its group. The families form a hierarchy: all, kind of model (dense, experts), generation of the chip,
chip, release of software, tensors (whole, or split by tensor parallelism, whose ranks wait for one another).
`credibility` says how large a family's errors are, and how a factor makes half an interval of them. Families
that are not of one release of software serve software without rows: their factor is that with which SHARE lie
inside bars made without the whole software.
"""

import argparse
import csv
import functools
import io
import math
import re
import sys
from pathlib import Path

import numpy as np

from dse_analysis import credibility, first_predictions, memory_errors, memory_fits, ratio_errors
from dse_analysis.credibility import (SQUARES, coverage, factor_of, factor_without, families_of, family_sizes, is_in, key_of,
                                      unseen_families, unseen_sizes)
from dse_analysis.first_predictions import program_of
from dse_analysis.script import exit_code

# Of the records of the table, in order: those of names, and those of families.
COLUMNS = ("name", "of", "kind", "generation", "device", "stack", "exact", "tensors", "prompt", "idealized", "shift", "width", "rows", "groups",
           "most_devices")

# Kinds of models of the templates that have rows, calibration rows or others: frameworks' variants of Llama have its operators, and
# Nemotron one of its own, squared ReLU, whose 84 steps err as those of others do. BERT has other operators and no calibration rows.
KINDS = {"gpt": "dense", "llama": "dense", "llama_unfused": "dense", "llama_fms": "dense", "qwen3": "dense", "decoder": "dense",
         "llama_internlm": "dense", "llama_fused_norms": "dense", "llama_kempnerforge": "dense", "llama_nanotron": "dense",
         "llama_scaling": "dense", "llama_scaling_eager": "dense", "llama_paddle": "dense", "llama_paddle_eager": "dense",
         "gpt_paddle": "dense", "gpt_megatron": "dense", "olmo": "dense", "llama_flagscale": "dense", "nemotron": "dense",
         "llama_titan_2024": "dense", "llama_fused_qkv": "dense", "llama_batch_first": "dense", "llama_litgpt": "dense",
         "qwen3_unfused": "dense", "gemma4": "dense", "gpt_pax": "dense", "gpt_no_dropout": "dense", "baichuan": "dense",
         "deepseek_v3": "experts", "qwen3_moe": "experts", "mixtral": "experts", "llama4": "experts",
         "gpt_oss": "experts with biases", "hybrid": "hybrid", "encoder": "encoder"}
# Generations, by the beginning of a device's name. Ascend has none: its calibration rows err by half as much as its others, of which
# their bars would hold 61 %; those of devices without rows hold 95 %.
GENERATIONS = {"NVIDIA A100": "ampere", "NVIDIA V100": "volta", "NVIDIA H100": "hopper", "NVIDIA H200": "hopper",
               "NVIDIA GH200": "hopper", "NVIDIA H800": "hopper", "NVIDIA B": "blackwell", "NVIDIA GB": "blackwell",
               "Google TPU": "tpu", "AWS Trainium": "trainium", "AMD Instinct MI300": "cdna 3", "AMD Instinct MI325": "cdna 3",
               "AMD Instinct MI35": "cdna 4", "Intel Gaudi": "gaudi", "Intel Data Center GPU Max": "ponte vecchio"}
# A group's errors count by their root mean square: bars hold a share of them, and so follow their tail. The interval score (Gneiting
# and Raftery, JASA 102, 2007) of bars made without a step's group is 0.294, as with their mean; dense models' bars are narrower.
METHOD = SQUARES

# The uncertainty of a device for which nothing was fitted is the spread, over the devices of a generation, of
# this constant: the fraction of the fastest matrix product's rate that training sustains.
TRAINING_SHARE = "in_training"

# Mean absolute errors of operators for which nothing was fitted, from docs/accuracy.md: gpt-oss 120B before the
# biases and clamps of its experts were modelled (its steps took 1.4 to 1.7 times as long as predicted), and
# captured programs of compilers.
UNSEEN_OPERATORS = {"gpt_oss": 0.44, "programs": 0.107}
# docs/accuracy.md: beside matmul.domain_variation, TPU slices lose up to 2 % of a step for each doubling of their number.
DOUBLING = 0.02
# Generations whose larger jobs are more slices. Elsewhere, size alone widens no bar up to the largest job of the generation: of
# the rows of GPUs that are larger than all others of their chip and software, but not of their generation (33 of 7 groups, by four
# doublings), four of five lie within 1.03 times the bar, of those larger than all others of their kind of model (17 of 2, by one or
# two) within 1.17 times, 75 % within it; of those larger than any of their generation, 56 % lie within it (18 of 3).
SLICED = {"tpu"}


def kind_of(row):
    return KINDS.get(row["template"], "")


def generation_of(device):
    return next((name for begin, name in GENERATIONS.items() if device.startswith(begin)), "")


def software_of(stack):
    """Return the release in a stack's name, which variants of its recipes follow after a comma."""
    return stack.split(",")[0]


def tensors_of(tp):
    return "split" if float(tp or 1) > 1 else "whole"


@functools.cache
def path_of(template, device, stack, tp):
    """Return the families of a row with these names, widest first."""
    names = (("kind", KINDS.get(template, "")), ("generation", generation_of(device)), ("device", device),
             ("stack", software_of(stack)), ("tensors", tensors_of(tp)))
    return [dict(names[:depth]) for depth in range(len(names) + 1)]


def new_software_factor(rows, method=METHOD):
    """Return the factor of bars made without the whole release of software. It makes the bars of families that are not of one release,
    which hold for software without rows."""
    return factor_without(rows, lambda row: software_of(row["stack"]), method)


def half_width(family, size, factor, factor_of_new):
    """Return half an interval for errors of a size. `factor_of_new`: for families that are not of one release of software."""
    return (factor if "stack" in family else factor_of_new) * size


def read_rows(file):
    rows = []
    with open(file, newline="") as text:
        for row in csv.DictReader(text):
            row["log"] = -float(np.log1p(float(row["left_out"])))
            row["weight"] = float(row["weight"])
            row["path"] = path_of(row["template"], row["device"], row["stack"], row["tp"])
            rows.append(row)
    return rows


def spread_of_devices(folder):
    """Return the mean distance of a device's TRAINING_SHARE from those of the others in its generation."""
    shares = {}
    for file in sorted((folder / "hardware/devices").glob("*.yaml")):
        text = file.read_text()
        name = re.search(r"^name: (.*)$", text, re.MULTILINE)[1]
        share = re.search(rf"^  {TRAINING_SHARE}: \{{value: ([0-9.]+), source: \"fitted", text, re.MULTILINE)
        if share:
            shares.setdefault(generation_of(name), []).append(np.log(float(share[1])))
    distances = [abs(logs[i] - np.mean(logs[:i] + logs[i + 1:])) for logs in shares.values() if len(logs) > 1
                 for i in range(len(logs))]
    return float(np.mean(distances))


def read_unknown(file):
    """Return {(what is unknown, quantity, kind of model): (shift, half-width) of the interval of SHARE} of `unknown_parts`."""
    with open(file, newline="") as text:
        return {(row["unknown"], row["quantity"], row["kind"]): middle_of(float(row["low"]), float(row["high"]))
                for row in csv.DictReader(text)}


def middle_of(low, high):
    return (low + high) / 2, (high - low) / 2


def added(total, widest):
    """Return the record of what is added to the interval of the widest family, so that it becomes `total`."""
    shift, width = total
    return f"{{shift: {shift:.4f}, width: {np.sqrt(max(width**2 - widest**2, 0)):.4f}}}"


def idealized_records(unknown, quantity):
    """Return families of workloads without a stack, which follow all others of a quantity: that of all kinds of models before
    those of single kinds."""
    return [{"kind": kind, "idealized": "true", "shift": f"{shift:.4f}", "width": f"{width:.4f}"}
            for (part, of, kind), (shift, width) in unknown.items() if (part, of) == ("software", quantity)]


def compared_names(steps, name_of):
    """Return the records of what compared steps ran, by name and by kind of model. `name_of`: of a stack's name."""
    return [{"name": name, "of": kind} for name, kind in sorted({(name_of(row["stack"]), kind_of(row)) for row in steps})]


def table_lines(key, records):
    """Return the lines of a list of records, as a table of comma-separated values: `dse` parses it with a tenth of the
    instructions that a list of maps takes."""
    columns = [name for name in COLUMNS if any(name in record for record in records)]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return [f"{key}: |", *(f"  {line}" for line in text.getvalue().splitlines())]


def members(groups):
    """Return the records of {name: group that it belongs to}."""
    return [{"name": name, "of": group} for name, group in groups.items()]


def most_devices(rows, family):
    """Return the number of devices up to which a family's bars hold: that of the largest job on its generation of chips, whatever
    its kind of model, since all kinds have the same networks and hosts, or, where larger jobs are more slices, of its kind on its
    own chip."""
    if family.get("generation") not in SLICED:
        family = {key: name for key, name in family.items() if key == "generation"}
    return max(int(float(row["devices"])) for row in rows if is_in(row, family))


def time_records(rows, factor, factor_of_new):
    """Return the families' records."""
    records = []
    sizes = family_sizes(rows, METHOD)
    for family in families_of(rows):
        inside = [row for row in rows if is_in(row, family)]
        records.append(family | {"width": f"{half_width(family, sizes[key_of(family)], factor, factor_of_new):.4f}",
                                 "rows": len(inside), "groups": len({row["group"] for row in inside}),
                                 "most_devices": most_devices(rows, family)})
    return records


def with_bars(steps, rows, folder):
    """Return compared steps as `ratio_errors` takes them: those of one model and sequence length are of one problem."""
    factor, factor_of_new, sizes = factor_of(rows, unseen_sizes(rows, METHOD)), new_software_factor(rows), family_sizes(rows, METHOD)
    of_device = factor_of(rows, unseen_sizes(rows)) * spread_of_devices(folder)
    with open(folder / "workloads/measured/steps.csv", newline="") as text:
        stated = {row["id"]: row for row in csv.DictReader(text)}
    found = []
    for row in steps:
        facts = stated[row["id"]]
        family = next(family for family in reversed(path_of(row["template"], row["device"], row["stack"], facts["tp"])) if key_of(family) in sizes)
        width = half_width(family, sizes[key_of(family)], factor, factor_of_new)
        found.append(row | {"problem": (facts["model"], facts["seq"]),
                            "width": width if generation_of(row["device"]) else math.hypot(width, of_device)})
    return found


def table_of(rows, steps, memory, folder):
    """Return the text of the table.

    Parameters
    ----------
    rows, steps : list of dict
        As `read_rows` and `credibility.read_rows`.
    memory : tuple of list of dict
        Rows of `memory_errors` and of `memory_fits`.
    folder : path
        The one that contains hardware/.
    """
    peaks, fits = memory
    factor = factor_of(rows, unseen_sizes(rows, METHOD))
    factor_of_new = new_software_factor(rows)
    sizes = family_sizes(rows, METHOD)
    widest = factor_of_new * sizes[()]
    of_means = factor_of(rows, unseen_sizes(rows))  # of mean absolute errors
    unknown = read_unknown(folder / "workloads/measured/unknown_errors.csv")
    first = functools.partial(first_predictions.families_of, folder / "docs/first_predictions.csv")
    of_programs = {"kind": "program", "width": f"{of_means * UNSEEN_OPERATORS['programs']:.4f}", "rows": 10, "groups": 10}

    correlation = ratio_errors.correlations(ratio_errors.pairs_of(with_bars(steps, rows, folder)))
    shift, width = memory_fits.added(fits, memory_errors.widest(peaks))
    lines = [
        "# How far predicted training steps are off, by family. Not to be edited: analysis/dse_analysis/fit_errors.py makes it",
        "# of left_out.csv, step_errors.csv, memory_errors.csv and memory_fits.csv, and says how.",
        "#",
        f"# {len(rows)} rows of {len({row['group'] for row in rows})} groups; half an interval is {factor:.3f} times the"
        f" size of errors, {factor_of_new:.3f} times that of others' for software without rows.",
        *table_lines("templates", [*members(KINDS), {"name": "program", "of": "program"}]),
        *table_lines("generations", members({name: generation_of(name) for name in sorted({row["device"] for row in (*rows, *steps)})})),
        "# Software whose steps of a kind of model were compared with measurements, and the programs that these are releases of.",
        *table_lines("stacks", compared_names([*rows, *steps], software_of)),
        *table_lines("programs", compared_names([*rows, *steps], program_of)),
        "# Half an interval of 80 %, of the logarithm of measured over predicted; wide families before narrow ones. Idealized: without",
        "# a stack, where the middle of the interval (shift) is not 0.",
        *table_lines("time", [*time_records(rows, factor, factor_of_new), *idealized_records(unknown, "time"), of_programs]),
        *table_lines("memory", [*memory_errors.records(peaks), *idealized_records(unknown, "memory")]),
        "# Where there are no rows.",
        f"of_device: {of_means * spread_of_devices(folder):.4f}  # spread of {TRAINING_SHARE} in a generation of devices",
        f"of_products: {added(unknown['datasheet', 'time', ''], widest)}  # instead, where products were not measured",
        f"of_typical: {added(unknown['typical', 'time', ''], widest)}  # instead, of typical GPUs",
        f"of_stack: {added(first_predictions.interval_of(first(program='')), widest)}  # first predictions of new programs",
        f"of_release: {added(first_predictions.interval_of(first(program='known')), widest)}  # instead, of a program with other releases",
        f"of_stack_memory: {added(first_predictions.interval_of(first(quantity='memory')), memory_errors.widest(peaks))}"
        "  # the same, of peaks",
        f"of_fits: {{shift: {shift:.4f}, width: {width:.4f}}}  # what a run needs beyond its peak",
        f"of_operators: {of_means * np.mean(list(UNSEEN_OPERATORS.values())):.4f}  # {UNSEEN_OPERATORS}",
        f"of_doubling: {of_means * DOUBLING:.4f}  # {DOUBLING} for each doubling of TPU slices",
        "# Share of the variance that errors of two steps have in common, which their ratio lacks: of layouts on one chip under one stack,",
        "# and of others.",
        f"correlation: {correlation[ratio_errors.ALIKE]:.3f}",
        f"correlation_apart: {correlation[ratio_errors.APART]:.3f}"]
    return "\n".join(lines) + "\n"


def read_inputs(folder):
    """Return what `table_of` makes the table of: (rows, steps, memory). `folder`: the one that contains hardware/."""
    measured = folder / "workloads/measured"
    return (read_rows(measured / "left_out.csv"), credibility.read_rows(measured / "step_errors.csv"),
            (memory_errors.read_rows(measured / "memory_errors.csv"), credibility.read_rows(measured / "memory_fits.csv")))


def calibration(rows, method=METHOD, name_of=kind_of):
    """Check the error bars on rows whose group they were made without.

    Returns
    -------
    dict
        {family: what `coverage` says of it}
    """
    families = unseen_families(rows, lambda row: row["group"], method)
    factor, factor_of_new = factor_of(rows, [size for _, size in families]), new_software_factor(rows, method)
    widths = [half_width(dict(key), size, factor, factor_of_new) for key, size in families]
    found = {}
    for name in (*sorted({name_of(row) for row in rows}), "all"):
        here = [(row, width) for row, width in zip(rows, widths) if name in ("all", name_of(row))]
        found[name] = coverage(*zip(*here))
    return found


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=".", type=Path, help="folder that contains hardware/ and workloads/measured, which has the inputs")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    inputs = read_inputs(options.data)
    for name, (number, inside, width, ratio) in calibration(inputs[0]).items():
        print(f"{name:8} {number:4} rows  inside {100 * inside:5.1f} %  width {100 * width:5.1f} %"
              f"  = {ratio:.2f} times the median error")
    if options.output:
        options.output.write_text(table_of(*inputs, options.data))


if __name__ == "__main__":
    sys.exit(main())
