import pandas as pd

from dse_analysis.row_fit import folds_of


def test_two_groups_are_held_out_in_turn():
    rows = pd.DataFrame({"n": [1, 1, 3, 3]})
    for other in range(2, 40):
        assert len(set(folds_of(rows.replace(3, other), ["n"]))) == 2
