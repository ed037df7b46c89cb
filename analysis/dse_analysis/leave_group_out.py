"""Errors of `dse validate` on groups of rows, with constants fitted without these groups.

    python -m dse_analysis.leave_group_out --dse BUILD/dse --data . TRUTH.csv [--residuals FILE.csv]

CONSTANTS are those of devices, machines and stacks that were fitted to published steps. Each one is tried at
the values of a grid, with the others as shipped. The rows of a group (column `group`: a family of
configurations of one source) are then predicted with the value that has the smallest mean absolute error on
the other rows that depend on the constant. Constants are refitted one at a time; a row that depends on
several gets the error with the one whose refit changes it most. Repeats of a configuration share its weight.
A row that depends on any of CALIBRATED is a calibration row: column `fitted` names these constants. Rows whose
table marks them as validation rows (column `role`) take no part. The other constants, which describe the
efficiency of attention on all devices, affect all rows alike and do not make a row a calibration row.
"""

import argparse
import csv
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

from dse_analysis.script import add_program, exit_code, validated_rows

# Constants that must not exceed 1.
SHARES = ("in_training", "odd_rate")

# Columns of a row: its origin, group and weight, its errors with the shipped constants and with those fitted
# without its group, the constants of CALIBRATED that it depends on, its names in other tables (id@group), and
# its degree of tensor parallelism.
FACTS = ("device", "stack", "template", "devices")
RESIDUAL_COLUMNS = ("id", *FACTS, "group", "weight", "error", "left_out", "fitted", "also", "tp")

# For each constant: the files that contain the same number (files with such a `base` inherit it), its key, and
# the grid of factors on the shipped value.
RATES = np.linspace(0.88, 1.12, 9)
WIDE = np.linspace(0.25, 1.75, 7)
ROUGH = np.linspace(0.7, 1.3, 5)
TRAINED = ("a100_80_sxm", "h100_sxm", "h100_sxm_hbm2e_500w", "b200_sxm", "b300_sxm", "gb200", "gb300", "max1550_tile",
           "mi300x", "ascend_910b2", "tpu_v5e", "tpu_v5p", "tpu_v6e", "tpu_v7x")
CALIBRATED = [((f"hardware/devices/{device}.yaml",), "in_training", RATES) for device in TRAINED]
CALIBRATED += [(("hardware/devices/tpu_v4.yaml",), "bf16", RATES), (("hardware/devices/trainium1_core.yaml",), "bf16", RATES),
               (("hardware/devices/gb200.yaml",), "fp4", RATES)]
CALIBRATED += [(tuple(f"hardware/devices/{device}.yaml" for device in ("tpu_v4", "tpu_v5e", "tpu_v5p", "tpu_v6e", "tpu_v7x")),
                "domain_variation", ROUGH)]
CALIBRATED += [(tuple(f"hardware/clusters/{cluster}.yaml" for cluster in ("a100_ib800", "aws_p4d", "dgx_a100_hdr200")), "launch_time",
                RATES)]
CALIBRATED += [(("workloads/stacks/nemo_2025.yaml",), "expert_kernels", WIDE),
               (("workloads/stacks/nemo_2025_nodes_eager.yaml",), "launch_factor", ROUGH),
               (("workloads/stacks/nemo_2025_nodes_overlap.yaml", "workloads/stacks/nemo_2025_overlap.yaml"), "launch_factor", ROUGH)]
CALIBRATED += [(("hardware/devices/a100_40_sxm.yaml", "hardware/devices/a100_80_sxm.yaml"), "odd_rate", ROUGH),
               (("hardware/clusters/aws_p4de.yaml",), "skew", ROUGH),
               (("hardware/clusters/jean_zay_a100.yaml",), "skew", ROUGH),
               (("hardware/clusters/a100_roce400.yaml",), "efficiency", ROUGH),
               (("workloads/stacks/megatron_deepspeed_2022.yaml",), "launch_factor", ROUGH),
               (("workloads/stacks/megatron_deepspeed_2022.yaml",), "backward_launches", ROUGH),
               (("workloads/stacks/nemo_2025.yaml",), "eager_expert_rate", ROUGH),
               (("workloads/stacks/nemo_2025.yaml",), "scan_backward", ROUGH),
               (("workloads/stacks/llm_foundry_2023.yaml",), "attention_rate", RATES),
               (("workloads/stacks/llm_foundry_2023_hopper.yaml",), "attention_rate", RATES),
               (("workloads/stacks/llm_foundry_2023.yaml",), "attention_forward", ROUGH)]
WITH_FORM = ("a100_40_sxm", "a100_80_sxm", "b200_sxm", "b300_sxm", "gb200", "gb300", "h100_sxm", "h100_sxm_hbm2e_500w", "h200_sxm",
             "tpu_v4", "tpu_v5e", "tpu_v5p", "tpu_v6e", "tpu_v7x", "trainium1_core")
CONSTANTS = CALIBRATED + [(tuple(f"hardware/devices/{device}.yaml" for device in WITH_FORM), key, WIDE)
                          for key in ("head_dim_half", "sequence_half")]


def scaled(text, key, factor):
    """Return a file's text with the last number of a key multiplied by a factor.

    Of a device's two numbers `bf16`, the last one is the sustained rate; the first is the peak. The numbers
    of SHARES are limited to 1.
    """
    numbers = list(re.finditer(rf"^\s*{key}: (?:\{{value: )?([0-9.]+)", text, re.MULTILINE))
    if not numbers:
        raise ValueError(f"no number '{key}'")
    number = numbers[-1]
    value = float(number[1]) * factor
    if key in SHARES:
        value = min(value, 1.0)
    return text[:number.start(1)] + repr(value) + text[number.end(1):]


def left_out(errors, groups, weights):
    """Return each row's error under the value that is best for the rows of other groups.

    Parameters
    ----------
    errors : numpy.ndarray, shape (n_values, n_rows)
        Relative errors for each value of a constant.
    groups, weights : numpy.ndarray, shape (n_rows,)

    Returns
    -------
    numpy.ndarray, shape (n_rows,)
        NaN if no other group has rows.
    """
    result = np.full(errors.shape[1], np.nan)
    for group in set(groups):
        inside = groups == group
        if inside.all():
            continue
        best = np.argmin(np.abs(errors[:, ~inside]) @ weights[~inside])
        result[inside] = errors[best, inside]
    return result


def validate(dse, data, tables):
    """Return {id: row} of all predicted rows of training steps in all tables, without those set aside."""
    steps = {}
    set_aside = set()
    for truth in tables:
        for row in validated_rows(dse, truth, data):
            if row["set_aside"]:
                set_aside.add(row["id"])
            elif not row["why"] and row["metric"] == "iteration_time":
                steps[row["id"]] = row
    return {row: step for row, step in steps.items() if row not in set_aside}


CONFIGURATION = ("source", "model", "layers", "gpus", "tp", "pp", "gbs", "mbs", "precision")


def measurement(row):
    """Return a key that is equal for rows of the same measurement in two tables, whatever their ids."""
    if not row["derived_iter_s"]:
        return row["id"]
    return (*(row[column] for column in CONFIGURATION), f"{float(row['derived_iter_s']):.4g}")


def read_tables(files):
    """Return {id: row} of all tables; for a measurement in several tables, the row of the last one."""
    rows = {}
    for file in files:
        with open(file, newline="") as text:
            for row in csv.DictReader(text):
                rows[measurement(row)] = row
    return {row["id"]: row for row in rows.values()}


def other_names(files):
    """Return {id: [id@group]} of measurements in several tables: their names in all tables but the last."""
    names = {}
    for file in files:
        with open(file, newline="") as text:
            for row in csv.DictReader(text):
                names.setdefault(measurement(row), []).append((row["id"], f"{row['id']}@{row['group']}"))
    others = {}
    for entries in names.values():
        last, own = entries[-1]
        others[last] = [name for _, name in entries[:-1] if name != own]
    return {row: found for row, found in others.items() if found}


def describe(name, errors, weights):
    """Return a line: rows; weighted mean, median, 90th percentile of absolute errors; weighted bias [%]."""
    size = 100 * np.abs(errors)
    return (f"{name:24} {len(errors):4}  mean {np.average(size, weights=weights):5.1f}  median {np.median(size):5.1f}"
            f"  90 % {np.percentile(size, 90):5.1f}  bias {100 * np.average(errors, weights=weights):+5.1f}")


def write_scaled(data, texts, key, factor):
    for path, text in texts.items():
        (Path(data) / path).write_text(scaled(text, key, factor) if factor != 1.0 else text)


class Tables:
    """Measured rows, and the program's errors on some of them."""

    def __init__(self, dse, data, rows):
        self.dse, self.data, self.rows = dse, data, rows

    def errors(self, ids):
        """Return the errors of rows under the present constants of the data folder."""
        with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="", dir=self.data) as file:
            columns = list(dict.fromkeys(column for row in ids for column in self.rows[row]))
            writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows[row] for row in ids)
            file.flush()
            answer = validate(self.dse, self.data, [file.name])
        return np.array([answer[row]["error"] for row in ids])


def is_calibration(row):
    """Return whether constants may be fitted to a row: it has a weight, and its table does not reserve it (`role`)."""
    return float(row["weight"] or 1) > 0 and row.get("role") != "validation"


def value_of(text, key):
    found = re.search(rf"^{key}: *([^#\n]*?) *(?:#.*)?$", text, re.MULTILINE)
    return found[1] if found else ""


def names_of(data, paths):
    """Return the names of files, and of those that inherit from them."""
    names = set()
    for folder in {Path(path).parent for path in paths}:
        texts = {file.stem: file.read_text() for file in (Path(data) / folder).glob("*.yaml")}
        family = {Path(path).stem for path in paths if Path(path).parent == folder}
        while heirs := {stem for stem, text in texts.items() if value_of(text, "base") in family} - family:
            family |= heirs
        names |= {value_of(texts[stem], "name") for stem in family}
    return names


def may_depend(step, paths, names):
    """Return whether a row can depend on files with these names: those of its device and stack, and those of machines."""
    return all("/clusters/" in path for path in paths) or step["device"] in names or step["stack"] in names


def refit(tables, steps, ids, base):
    """Return each row's error under constants fitted without its group, and the constants it depends on."""
    ids, unseen, names = np.array(ids), base.copy(), [[] for _ in ids]
    groups = np.array([tables.rows[row]["group"] for row in ids])
    weights = np.array([steps[row]["weight"] for row in ids])
    for paths, key, factors in CONSTANTS:
        texts = {path: (Path(tables.data) / path).read_text() for path in paths}
        names_here = names_of(tables.data, paths)
        here = np.flatnonzero([may_depend(steps[row], paths, names_here) for row in ids])
        write_scaled(tables.data, texts, key, factors[0])
        here = here[np.abs(tables.errors(ids[here]) - base[here]) > 1e-9]
        if len(here):
            errors = []
            for factor in factors:
                write_scaled(tables.data, texts, key, factor)
                errors.append(tables.errors(ids[here]))
            refitted = left_out(np.array(errors), groups[here], weights[here])
            further = np.abs(refitted - base[here]) > np.abs(unseen[here] - base[here])
            unseen[here[further]] = refitted[further]
        write_scaled(tables.data, texts, key, 1.0)
        print(f"{paths[0]} {key}: {len(here)} rows, {len(set(groups[here]))} groups", flush=True)
        if (paths, key, factors) in CALIBRATED:
            for row in here:
                names[row].append(f"{Path(paths[0]).stem}.{key}")
    return unseen, names


def write_residuals(file, table, steps, ids, unseen, names, others):
    """Write the input of `fit_errors`: the origin of each row and its errors, with and without its group."""
    with open(file, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(RESIDUAL_COLUMNS)
        for row, error, fitted in zip(ids, unseen, names):
            step = steps[row]
            facts = [step[fact] if fact != "devices" else int(step[fact]) for fact in FACTS]
            entry = table[row]
            writer.writerow([row, *facts, entry["group"], f"{step['weight']:.4g}", f"{step['error']:.4f}", f"{error:.4f}",
                             " ".join(fitted), " ".join(others.get(row, [])), entry["tp"] or 1])


@exit_code(RuntimeError)
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path, nargs="+", help="tables; a measurement in several of them counts in the last")
    add_program(parser)
    parser.add_argument("--residuals", type=Path, help="also write each row's errors here")
    options = parser.parse_args(arguments)
    tables = [str(file.resolve()) for file in options.truth]
    table = read_tables(tables)
    with tempfile.TemporaryDirectory() as folder:
        for part in ("hardware", "workloads"):
            shutil.copytree(options.data / part, Path(folder) / part)
        steps = validate(options.dse, folder, tables)
        ids = [row for row in steps if row in table and is_calibration(table[row])]
        base = np.array([steps[row]["error"] for row in ids])
        unseen, names = refit(Tables(options.dse, folder, table), steps, ids, base)
    if options.residuals:
        write_residuals(options.residuals, table, steps, ids, unseen, names, other_names(tables))
    weights = np.array([steps[row]["weight"] for row in ids])
    experts = np.array([bool(table[row]["experts"]) for row in ids])
    for name, rows in (("dense models", ~experts), ("mixtures of experts", experts)):
        if rows.any():
            print(describe(name + ", shipped", base[rows], weights[rows]))
            print(describe(name + ", left out", unseen[rows], weights[rows]))


if __name__ == "__main__":
    sys.exit(main())
