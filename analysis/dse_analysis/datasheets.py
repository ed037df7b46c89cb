"""Errors of shipped training steps where only the datasheets of their chips are known.

    python -m dse_analysis.datasheets --dse BUILD/dse --data . [--base typical_gpu]

Each device keeps peaks, capacity and bandwidth of the memory, and power of its file; everything else is neutral or, with
--base, that of a typical chip. The chips that the base was derived from are among them: medians of many chips depend
little on any one of them.
"""

import argparse
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from dse_analysis.script import add_program, exit_code

DEVICES = "hardware/devices"
KEPT = {"peak": None, "memory": ("capacity", "bandwidth"), "power": ("tdp",)}  # None: all fields
SECTION = re.compile(r"^(\w+):(.*)$")
FIELD = re.compile(r"^  (\w+):")


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


def logarithms(rows):
    """Return ln(predicted / measured) of the training steps that were predicted, by chip."""
    chips = {}
    for row in rows:
        if row["metric"] not in ("peak_memory", "prefill_latency") and row["predicted"] and row["measured"]:
            chips.setdefault(row["chip"], []).append(math.log(row["predicted"] / row["measured"]))
    return chips


def quantile(chips, share):
    """Return the quantile of the absolute values, with one weight a chip."""
    weighted = sorted((abs(value), 1 / len(values)) for values in chips.values() for value in values)
    reached = 0.0
    for value, weight in weighted:
        reached += weight
        if reached >= share * len(chips) - 1e-9:
            return value
    raise ValueError("no steps were predicted")


def predict(dse, data, base):
    """Return the rows of `dse validate` with devices as their datasheets describe them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for part in ("hardware", "workloads"):
            shutil.copytree(data / part, folder / part)
        for file in (data / DEVICES).glob("*.yaml"):
            (folder / DEVICES / file.name).write_text(stripped(datasheet_of(data / DEVICES, file.stem), base))
        answer = subprocess.run([dse, "validate", "--json"], cwd=folder, capture_output=True, text=True)
        if not answer.stdout:
            raise ValueError(answer.stderr.strip())
        return json.loads(answer.stdout)["rows"]


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_program(parser)
    parser.add_argument("--base", help="a device that has what typical chips have in common, typical_gpu")
    options = parser.parse_args(arguments)
    chips = logarithms(predict(options.dse, options.data, options.base))
    for chip, values in sorted(chips.items()):
        mean = sum(values) / len(values)
        print(f"{chip:42} {len(values):4} steps  mean of ln(predicted / measured) {mean:+.3f}")
    means = [sum(values) / len(values) for values in chips.values()]
    print(f"{len(chips)} chips, one weight each: mean {sum(means) / len(means):+.3f}, absolute value: median "
          f"{quantile(chips, 0.5):.3f}, four in five below {quantile(chips, 0.8):.3f}")


if __name__ == "__main__":
    sys.exit(main())
