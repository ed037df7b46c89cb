import json

import pytest

from dse_analysis import step_errors
from dse_analysis.credibility import read_rows


def test_rows_are_steps_that_count(tmp_path):
    def validated(name, **changes):
        return {"id": name, "metric": "iteration_time", "weight": 1.0, "why": "", "set_aside": "", "stack": "A 2024", "group": "g", "device": "chip",
                "template": "llama", "error": -0.5, "left_out": None, **changes}

    answer, table = tmp_path / "validated.json", tmp_path / "errors.csv"
    answer.write_text(json.dumps({"rows": [validated("a"), validated("b", left_out=0.25), validated("c", weight=0.0), validated("d", set_aside="odd"),
                                           validated("e", why="refused"), validated("f", metric="peak_memory")]}))
    assert step_errors.main([str(answer), "-o", str(table)]) == 0
    # Half as long as measured: ln 2. With constants that were fitted without its group, the other is a quarter too long.
    assert [(row["id"], row["log"], row["weight"]) for row in read_rows(table)] == [
        ("a", pytest.approx(0.69315), 1.0), ("b", pytest.approx(-0.22314), 1.0)]
