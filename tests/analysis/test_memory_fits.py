import json
from pathlib import Path

import numpy as np
import pytest

from dse_analysis import memory_fits
from dse_analysis.credibility import read_rows

SHIPPED = Path(__file__).parents[2] / "workloads/measured/memory_fits.csv"


def cell(room, ran, group="g"):
    return {"log": room, "metric": "ran" if ran else "out_of_memory", "weight": 1.0, "group": group}


def cells(mean, deviation):
    """Layouts of many sizes, of each of which as many ran as a normal variable says."""
    return [cell(room, i < 100 * memory_fits.probability(room, mean, deviation)) for room in np.linspace(-0.5, 0.5, 41) for i in range(100)]


def test_the_need_is_that_which_makes_outcomes_likely():
    assert memory_fits.need_of(cells(0.1, 0.1)) == (pytest.approx(0.1, abs=0.006), pytest.approx(0.1, abs=0.006))
    assert memory_fits.need_of(cells(0.05, 0.2)) == (pytest.approx(0.05, abs=0.006), pytest.approx(0.2, abs=0.006))


def test_what_is_added_to_the_interval_of_a_peak():
    # A half-width of 1.28 · 0.1, of which 0.6 are the peak's: 0.8 are left.
    shift, width = memory_fits.added(cells(0.1, 0.1), 0.6 * memory_fits.NINETIETH * 0.1)
    assert (shift, width) == (pytest.approx(0.1, abs=0.006), pytest.approx(0.8 * memory_fits.NINETIETH * 0.1, rel=0.1))
    assert memory_fits.added(cells(0.1, 0.1), 1.0)[1] == 0.0


def test_half_of_all_runs_fit_at_the_mean():
    assert memory_fits.probability(0.1, 0.1, 0.05) == pytest.approx(0.5)
    assert memory_fits.probability(0.1 + 0.05 * memory_fits.NINETIETH, 0.1, 0.05) == pytest.approx(0.9, abs=1e-4)


def test_layouts_that_ran_out_of_memory_are_rows(tmp_path):
    def validated(name, metric, **changes):
        return {"id": name, "metric": metric, "weight": 1.0, "why": "", "set_aside": "", "stack": "A 2024", "source": "s", "model": "m",
                "memory_capacity": 2.0, "memory_peak": 1.0, **changes}

    answer, table = tmp_path / "validated.json", tmp_path / "fits.csv"
    answer.write_text(json.dumps({"rows": [validated("a", "ran"), validated("b", "out_of_memory"), validated("c", "ran", set_aside="odd"),
                                           validated("d", "peak_memory"), validated("e", "ran", why="refused")] + [
                                               validated("f", "ran", model="n")]}))
    assert memory_fits.main([str(answer), "-o", str(table)]) == 0
    assert [(row["id"], row["log"], row["group"]) for row in read_rows(table)] == [
        ("a", pytest.approx(0.69315), "s, m"), ("b", pytest.approx(0.69315), "s, m"), ("f", pytest.approx(0.69315), "s, n")]


def test_what_is_said_to_fit_runs_as_often():
    found = {low: (rows, said, ran) for low, _, rows, said, ran in memory_fits.reliability(read_rows(SHIPPED))}
    for low in (0.5, 0.8, 0.95):
        rows, said, ran = found[low]
        assert rows >= 25
        assert ran == pytest.approx(said, abs=0.08), low
    # Below one half, more run than is said: what is needed is no normal variable.
    assert found[0.2][2] < 0.6
    assert found[0.0][2] < 0.02
