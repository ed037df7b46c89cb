"""The hashes of rows see every cell, and say where a change is."""

import unittest

from hashes import differences, hashes_of
from shipped_sweep import BUBBLE, PARTS, wrong_sum

PARTS_OF_A_ROW = {"iteration_time": "4", "bubble": "1.5", **dict.fromkeys([*PARTS[:-1], *BUBBLE], "0"),
                  "compute_time": "2", "exposed_ep": "0.5", "bubble_ep": "1", "bubble_pp": "0.5"}
NAMES = ["point_id", "tp", "mfu"]
ROWS = [["1", "1", "0.5"], ["3", "2", ""], ["4", "2", "0.25"]]


def changed(row, column, cell):
    rows = [list(r) for r in ROWS]
    rows[row][column] = cell
    return list(differences(hashes_of(NAMES, iter(rows)), hashes_of(NAMES, iter(ROWS))))


class Parts(unittest.TestCase):
    def test_parts_that_sum_up_are_right_and_so_is_a_row_without(self):
        self.assertIsNone(wrong_sum(PARTS_OF_A_ROW))
        self.assertIsNone(wrong_sum({**dict.fromkeys(PARTS_OF_A_ROW, ""), "iteration_time": "4"}))

    def test_what_does_not_sum_up_is_named(self):
        self.assertIn("is not iteration_time", wrong_sum({**PARTS_OF_A_ROW, "idle": "1e-9"}))
        self.assertIn("is not bubble", wrong_sum({**PARTS_OF_A_ROW, "bubble_tp": "1e-9"}))
        self.assertIn("no other parts", wrong_sum({**PARTS_OF_A_ROW, "exposed_pp": ""}))


class Hashes(unittest.TestCase):
    def test_equal_rows_have_equal_hashes(self):
        self.assertEqual(hashes_of(NAMES, iter(ROWS)), hashes_of(NAMES, iter(ROWS)))

    def test_every_cell_counts_and_its_column_is_named(self):
        for row in range(len(ROWS)):
            for column, name in enumerate(NAMES):
                self.assertEqual(changed(row, column, "7"), [f"columns that differ: {name}"])

    def test_the_last_bit_counts(self):
        self.assertEqual(changed(0, 2, "0.5000000000000001"), ["columns that differ: mfu"])

    def test_cells_do_not_run_into_one_another(self):
        one = hashes_of(["a"], iter([["12"], ["3"]]))
        other = hashes_of(["a"], iter([["1"], ["23"]]))
        self.assertEqual(list(differences(one, other)), ["columns that differ: a"])

    def test_rows_count(self):
        short = hashes_of(NAMES, iter(ROWS[:2]))
        self.assertEqual(list(differences(short, hashes_of(NAMES, iter(ROWS))))[0], "2 rows instead of 3")

    def test_a_renamed_column_is_named(self):
        renamed = hashes_of(["point_id", "tp", "share"], iter(ROWS))
        self.assertEqual(list(differences(renamed, hashes_of(NAMES, iter(ROWS)))),
                         ["new columns: share", "columns that are gone: mfu"])

    def test_batches_do_not_matter(self):
        rows = [[str(i)] for i in range(10_000)]
        self.assertEqual(hashes_of(["a"], iter(rows))["rows"], 10_000)
        rows[9_999] = ["x"]
        other = hashes_of(["a"], iter([[str(i)] for i in range(10_000)]))
        self.assertEqual(list(differences(hashes_of(["a"], iter(rows)), other)), ["columns that differ: a"])


if __name__ == "__main__":
    unittest.main()
