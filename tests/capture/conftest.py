"""The capture scripts are imported from where they stand, as they import each other."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workloads" / "capture"))
