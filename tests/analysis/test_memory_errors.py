import json

import pytest

from dse_analysis import memory_errors


def row(stack, log, group="g", weight=1.0):
    return {"id": "", "stack": stack, "group": group, "metric": "peak_memory", "weight": weight, "log": log}


def test_the_width_holds_for_four_of_five_further_rows():
    # Of 13, the rank is 0.8 * 14 = 11.2, hence the 12th; of 22, the 19th.
    assert memory_errors.width_of([row("", size) for size in range(-13, 0)]) == 12
    assert memory_errors.width_of([row("", size) for size in range(1, 23)]) == 19
    assert memory_errors.width_of([row("", 0.3)]) == 0.3
    # Of eight with the weight 0.5 and four with 1: 0.8 (8 + 8/12) = 6.9 of 8, hence the third of the heavy ones, which are the largest.
    light = [row("", size, weight=0.5) for size in range(1, 9)]
    assert memory_errors.width_of(light + [row("", size) for size in range(9, 13)]) == 11


def test_programs_have_names_without_releases():
    assert memory_errors.program_of("torchtitan 2024, eager") == "torchtitan"
    assert memory_errors.program_of("PyTorch eager") == "PyTorch eager"
    assert memory_errors.program_of("Megatron core 2024, nothing overlapped") == "Megatron core"


def test_stacks_with_few_rows_have_the_bars_of_all():
    many = [row("A 2024", 0.01 * i, f"g{i % 3}") for i in range(1, 11)]
    few = [row("A 2024, plain", 0.5)]
    fitted = [row("torchtitan 2024", 0.001), row("torchtitan 2025, eager", 0.002)]
    # All but torchtitan: the rank of 11 is 9.6, hence the 10th. A alone: 8.8, hence the 9th. torchtitan: the last of two.
    assert [tuple(record.values()) for record in memory_errors.records(many + few + fitted)] == [
        ("", "0.100", 11, 4), ("A 2024", "0.090", 10, 3), ("A 2024, plain", "0.100", 1, 1), ("torchtitan", "0.002", 2, 1)]


def test_rows_are_measured_peaks_that_count(tmp_path):
    def validated(name, **changes):
        return {"id": name, "metric": "device_memory", "weight": 1.0, "why": "", "set_aside": "", "stack": "A 2024", "group": "g",
                "measured": 2.0, "predicted": 1.0, **changes}

    answer = tmp_path / "validated.json"
    answer.write_text(json.dumps({"rows": [validated("a"), validated("b", metric="iteration_time"), validated("c", weight=0.0),
                                           validated("d", set_aside="odd"), validated("e", why="refused")]}))
    table = tmp_path / "errors.csv"
    assert memory_errors.main([str(answer), "-o", str(table)]) == 0
    assert [(each["id"], each["log"]) for each in memory_errors.read_rows(table)] == [("a", pytest.approx(0.69315))]
