"""Constants of stacks have a source, and those that were fitted to steps are left out in turn."""

import re
from pathlib import Path

from dse_analysis import leave_group_out

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"^(\w+): *([0-9.]+[^#]*?) *(#.*)?$")
# Switches and stages of ZeRO, which are no measurements.
SWITCHES = {"0", "1", "0.0", "1.0"}
LEVELS = {"zero"}


def stacks():
    return sorted((ROOT / "workloads/stacks").glob("*.yaml"))


def numbers_without_source(text):
    """Return the lines of numbers, other than those of sections, without a comment beside or above them."""
    lines = text.splitlines()
    found = []
    for i, line in enumerate(lines):
        number = NUMBER.match(line)
        if not number or number[2] in SWITCHES or number[1] in LEVELS or number[3]:
            continue
        if i == 0 or not lines[i - 1].startswith("#"):
            found.append(line)
    return found


def test_the_rule_sees_a_bare_number():
    assert numbers_without_source("zero: 3\nexposed_tp: 0.4\nexposed_dp: 1.0\nrate: 2 # measured\n# a paper\nt: 3\n") == ["exposed_tp: 0.4"]


def test_numbers_of_stacks_have_a_source():
    # Times of serving engines are in workloads/measured/serving.yaml, with theirs; allocator_overhead of engines is
    # what their `source` says of the memory that they take.
    bare = {f"{file.name}: {line}" for file in stacks() for line in numbers_without_source(file.read_text())
            if "serving:" not in file.read_text()}
    assert not bare


def fitted_to_steps(text):
    """Return the keys of numbers whose provenance, on their line, is published steps or iterations."""
    lines = re.findall(r"^\s*(\w+): .*\bfitted (?:to|on) (.*)$", text, re.MULTILINE)
    return {key for key, rows in lines if re.search(r"\b(steps|iterations)\b", rows)}


def test_constants_that_were_fitted_to_steps_are_left_out_in_turn():
    known = {(path, key) for paths, key, _ in leave_group_out.CONSTANTS for path in paths}
    keys = {key for _, key in known}
    files = [*stacks(), *(ROOT / "hardware/devices").rglob("*.yaml"), *(ROOT / "hardware/clusters").glob("*.yaml")]
    fitted = {(str(file.relative_to(ROOT)), key) for file in files for key in fitted_to_steps(file.read_text())}
    assert len(fitted) > 40
    assert {key for _, key in fitted} <= keys
    # Devices without steps take the form of attention from the others.
    form = {"head_dim_half", "sequence_half"}
    assert {(path, key) for path, key in fitted - known if key not in form} == set()
