import numpy as np
import pytest
from conftest import write_results

from dse_analysis.report.rows import better, chosen_rows, pair_fronts, thinned_fronts
from dse_analysis.results import read_results


def many(tmp_path, rows=3000):
    """Write points of which the last three alone are on the front of time and memory: (1, 3), (2, 2), (3, 1)."""
    shuffle = np.random.default_rng(5)
    time = np.append(shuffle.uniform(4, 9, rows - 3), [1.0, 2.0, 3.0])
    memory = np.append(shuffle.uniform(4, 9, rows - 3), [3.0, 2.0, 1.0])
    metrics = {"iteration_time": (time, "s"), "memory_peak": (memory, "B"), "mfu": (1 / time, "1")}
    path = write_results(tmp_path / "many.h5", points={"tp": (np.arange(rows) % 4, "1")}, metrics=metrics, status=["ok"] * rows)
    return read_results(path)


def test_few_rows_are_carried_all(table):
    rows = chosen_rows(table, ["iteration_time", "memory_peak"])
    assert rows.positions.tolist() == [0, 1, 2, 3]  # the other two are not feasible
    assert (rows.feasible, rows.front, rows.front_kept) == (4, 4, 4)


def test_of_many_rows_the_front_stays_whole(tmp_path):
    table = many(tmp_path)
    rows = chosen_rows(table, ["iteration_time", "memory_peak", "mfu"], most=100)
    assert set(rows.positions) >= {2997, 2998, 2999}
    assert 100 <= len(rows.positions) <= 103
    assert (rows.feasible, rows.front, rows.front_kept) == (3000, 3, 3)


def test_a_sample_is_the_same_every_time(tmp_path):
    table = many(tmp_path)
    first, second = (chosen_rows(table, ["iteration_time"], most=50).positions for _ in range(2))
    assert first.tolist() == second.tolist()


def test_no_feasible_row(tmp_path):
    table = read_results(write_results(tmp_path / "x.h5", status=["out_of_memory"] * 6))
    rows = chosen_rows(table, [])
    assert (rows.positions.size, rows.feasible, rows.front) == (0, 0, 0)


def test_fronts_of_every_pair():
    # Columns 0 and 1: rows 0, 1, 2 (row 3 is dominated by row 1, row 4 a twin of row 1). Columns 0 and 2: row 0 alone,
    # best in both. Columns 1 and 2: 2 (2 has the least of column 1), 1 (2, 3), 0 (3, 1).
    costs = np.array([[1, 3, 1], [2, 2, 3], [3, 1, 9], [3, 3, 9], [2, 2, 3]], float)
    found = np.concatenate(pair_fronts(costs))
    assert {0, 2} <= set(found) and 3 not in found
    assert len({1, 4} & set(found)) == 1  # one of the twins


def test_fronts_of_pairs_are_those_that_all_rows_have():
    shuffle = np.random.default_rng(1)
    costs = shuffle.integers(0, 30, (2000, 3)).astype(float)
    costs[::7, 1] = np.nan
    found = costs[np.unique(np.concatenate(pair_fronts(costs)))]
    for first, second in ((0, 1), (0, 2), (1, 2)):
        pair = costs[:, [first, second]]
        pair = pair[np.isfinite(pair).all(axis=1)]
        expected = {tuple(row) for row in pair
                    if not ((pair <= row).all(axis=1) & (pair < row).any(axis=1)).any()}
        assert expected <= {tuple(row) for row in found[:, [first, second]]}


def test_direction_of_a_metric(table):
    table.attrs["objectives"] = [("bubble", "maximize"), ("mfu", "minimize")]
    assert [better(table, name) for name in ("bubble", "mfu", "tokens_per_second", "cost")] == ["more", "less", "more", "less"]


def test_metrics_that_contradict_each_other_do_not_fill_the_page(tmp_path):
    table = many(tmp_path)
    power = 1.0 / table["iteration_time"]  # the less time, the more of it: every row is on the front of both
    table = table.assign(power=power)
    table.attrs["metrics"] = [*table.attrs["metrics"], "power"]
    rows = chosen_rows(table, ["iteration_time", "memory_peak", "power"], most=100, most_on_pairs=50)
    assert not rows.pairs_whole
    assert len(rows.positions) <= 100 + 50 + 3
    assert {2997, 2999} <= set(rows.positions)
    assert chosen_rows(table, ["iteration_time", "memory_peak"], most=100, most_on_pairs=50).pairs_whole


def test_long_fronts_keep_their_ends():
    rows, is_whole = thinned_fronts([np.arange(100), np.array([7, 3])], 12)
    # 100, 50, 25 are too many; 12 rows and the two of the short front are 13 (7 may be among the 12), 6 and two are fewer.
    assert not is_whole and len(rows) <= 12
    assert {0, 99, 3, 7} <= set(rows.tolist())
    assert thinned_fronts([np.array([5]), np.array([5, 6])], 12) == (pytest.approx([5, 6]), True)
    assert thinned_fronts([], 12)[1]
