"""What scripts that draw sweeps at random have in common."""

import argparse
import os
from pathlib import Path

CLUSTERS = ("h100_ndr400", "dgx_a100_hdr200", "mi300x_roce400", "gb200_nvl72", "tpu_v5p_pod")


def options_of(description, **numbers):
    """Return the options of a script: the program, the folder of its data, which the program then uses, and these numbers with
    their defaults."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--source", required=True)
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    os.environ["DSE_DATA"] = options.source
    return options


def stacks_of(source):
    """Return the names of the stacks in a folder of data."""
    return sorted(path.stem for path in (Path(source) / "workloads/stacks").glob("*.yaml"))
