import json

import pytest

from dse_analysis import memory_errors


def row(stack, log, group="g", weight=1.0, metric="peak_memory"):
    return {"id": "", "stack": stack, "group": group, "metric": metric, "weight": weight, "log": log,
            "path": memory_errors.path_of(metric, stack)}


def test_programs_have_names_without_releases():
    assert memory_errors.program_of("torchtitan 2024, eager") == "torchtitan"
    assert memory_errors.program_of("PyTorch eager") == "PyTorch eager"
    assert memory_errors.program_of("Megatron core 2024, nothing overlapped") == "Megatron core"


def widths(rows):
    """Return the half-widths of errors.yaml by the names of families."""
    return {(record.get("stack", ""), "exact" in record): float(record["width"]) for record in memory_errors.records(rows)}


def test_recipes_with_few_rows_borrow_from_their_release():
    # Two programs of one recipe each, 0.01 and 0.03 in four groups, and a variant of the second with one row.
    rows = [row(stack, log, f"{stack} {i}") for stack, log in (("A 2024", 0.01), ("B 2024", 0.03)) for i in range(4)]
    found = widths([*rows, row("B 2024, eager", 0.09, "e")])
    assert found["A 2024", True] < found["B 2024", True] < found["B 2024", False] < found["B 2024, eager", False] < 0.09 * 1.5
    assert ("A", False) not in found, "another release of a program has the bars of all, and more"


def test_fitted_software_says_nothing_of_others():
    rows = [row(f"{name} 2024", 0.02, f"{name} {i}") for name in "AB" for i in range(4)]
    fitted = [row("torchtitan 2024", 0.001, "t"), row("torchtitan 2025, eager", 0.002, "u")]
    alone, both = widths(rows), widths(rows + fitted)
    # All errors are alike: bars are as wide as they are.
    assert alone["", False] == both["", False] == pytest.approx(0.02)
    assert both["torchtitan", False] < both["A 2024", True]


def test_kinds_of_figures_have_factors_of_their_own():
    # A program's own figures err by 0.01, but for one of five groups by 0.1; all readings of nvidia-smi by 0.05.
    rows = [row("A 2024", 0.1 if i == 0 else 0.01, f"a{i}") for i in range(5)]
    rows += [row("B 2024", 0.05, f"b{i}", metric="device_memory") for i in range(5)]
    _, factors = memory_errors.unseen_widths(rows)
    assert factors[(("metric", "peak_memory"),)] < 0.5 < 1.0 < factors[(("metric", "device_memory"),)]


def test_a_release_with_both_figures_has_the_wider_bars():
    rows = [row("A 2024", 0.01, f"a{i}") for i in range(5)]
    rows += [row("A 2024", 0.05, f"b{i}", metric="device_memory") for i in range(5)] + [row("B 2024", 0.03, "c")]
    names = [(record.get("stack"), record.get("exact")) for record in memory_errors.records(rows)]
    assert len(names) == len(set(names))
    assert widths(rows)["A 2024", True] == pytest.approx(0.05, abs=0.01)


def test_peaks_have_bars_made_without_their_group():
    rows = [row("A 2024", 0.02, f"a{i}") for i in range(5)]
    number, inside, width, ratio = memory_errors.calibration(rows)["peak_memory"]
    assert (number, inside, width, ratio) == (5, 1.0, pytest.approx(0.02), pytest.approx(1.0))


def test_rows_are_measured_peaks_that_count(tmp_path):
    def validated(name, **changes):
        return {"id": name, "metric": "device_memory", "weight": 1.0, "why": "", "set_aside": "", "stack": "A 2024", "group": "g",
                "measured": 2.0, "predicted": 1.0, **changes}

    answer = tmp_path / "validated.json"
    answer.write_text(json.dumps({"rows": [validated("a"), validated("g", group="h"), validated("b", metric="iteration_time"), validated("c", weight=0.0),
                                           validated("d", set_aside="odd"), validated("e", why="refused")]}))
    table = tmp_path / "errors.csv"
    assert memory_errors.main([str(answer), "-o", str(table)]) == 0
    assert [(each["id"], each["log"]) for each in memory_errors.read_rows(table)] == [
        ("a", pytest.approx(0.69315)), ("g", pytest.approx(0.69315))]
