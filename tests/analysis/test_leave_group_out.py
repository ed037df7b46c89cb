import csv
from pathlib import Path

import numpy as np
import pytest

from dse_analysis import leave_group_out


def test_scales_the_last_number_of_a_key():
    text = "peak:\n  bf16: {value: 275 TFLOPS, source: x}\nmatmul:\n  bf16: {value: 200 TFLOPS, source: y}\n"
    assert leave_group_out.scaled(text, "bf16", 0.5).splitlines()[1:] == [
        "  bf16: {value: 275 TFLOPS, source: x}", "matmul:", "  bf16: {value: 100.0 TFLOPS, source: y}"]
    assert leave_group_out.scaled("exposed_ep: 0.5  # fitted\n", "exposed_ep", 2) == "exposed_ep: 1.0  # fitted\n"
    with pytest.raises(ValueError, match="in_training"):
        leave_group_out.scaled(text, "in_training", 1)


def test_rows_depend_on_the_files_that_theirs_inherit_from(tmp_path):
    stacks = tmp_path / "stacks"
    stacks.mkdir()
    for stem, base in (("old", ""), ("newer", "base: old  # and more\n"), ("newest", "base: newer\n"), ("other", "")):
        (stacks / f"{stem}.yaml").write_text(f"# a framework\nname: {stem.title()} one\n{base}exposed_ep: 0.5\n")
    names = leave_group_out.names_of(tmp_path, ("stacks/old.yaml",))
    assert names == {"Old one", "Newer one", "Newest one"}
    assert leave_group_out.may_depend({"device": "d", "stack": "Newest one"}, ("stacks/old.yaml",), names)
    assert not leave_group_out.may_depend({"device": "d", "stack": "Other one"}, ("stacks/old.yaml",), names)
    assert leave_group_out.may_depend({"device": "d", "stack": "Other one"}, ("hardware/clusters/c.yaml",), names)


def test_a_group_has_the_value_that_is_best_for_the_others():
    # Two values. The first is right for group a, the second for b and c.
    errors = np.array([[0.0, 0.3, 0.2], [0.2, 0.1, 0.0]])
    groups = np.array(["a", "b", "c"])
    # Without a: 0.5 against 0.1, the second; without b: 0.2 against 0.2, the first of equals; without c: 0.3, 0.3.
    found = leave_group_out.left_out(errors, groups, np.ones(3))
    assert found == pytest.approx([0.2, 0.3, 0.2])
    # With more weight on a, the others take its value.
    assert leave_group_out.left_out(errors, groups, np.array([9.0, 1.0, 1.0])) == pytest.approx([0.2, 0.3, 0.2])
    assert leave_group_out.left_out(errors, groups, np.array([0.1, 1.0, 1.0])) == pytest.approx([0.2, 0.1, 0.0])


def test_nothing_is_left_of_a_single_group():
    assert np.isnan(leave_group_out.left_out(np.zeros((2, 3)), np.array(["a"] * 3), np.ones(3))).all()


def test_a_measurement_of_two_tables_counts_once(tmp_path):
    header = "id,source,model,layers,gpus,tp,pp,gbs,mbs,precision,derived_iter_s,group\n"
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text(header + "A1,s,m,2,8,1,1,16,1,bf16,3.9752,g\nA2,s,m,2,8,2,1,16,1,bf16,3.9752,g\n"
                     "A3,s,m,2,8,1,1,16,1,bf16,,g\n")
    second.write_text(header + "B1,s,m,2,8,1,1,16,1,bf16,3.97519999,h\nB2,s,m,2,8,1,1,16,1,bf16,,h\n")
    assert set(leave_group_out.read_tables([first, second])) == {"B1", "A2", "A3", "B2"}
    assert leave_group_out.other_names([first, second]) == {"B1": ["A1@g"]}


def test_rows_that_a_table_reserves_take_no_part():
    assert leave_group_out.is_calibration({"weight": "0.5", "role": ""})
    assert leave_group_out.is_calibration({"weight": ""}), "a table without the column"
    assert not leave_group_out.is_calibration({"weight": "0", "role": ""})
    assert not leave_group_out.is_calibration({"weight": "1", "role": "validation"})


def test_each_shipped_row_has_an_id_of_its_own():
    # left_out.csv and mark_calibration() name rows by their ids.
    with open(Path(__file__).parents[2] / "workloads/measured/steps.csv", newline="") as text:
        ids = [row["id"] for row in csv.DictReader(text)]
    assert len(ids) > 1000
    assert len(ids) == len(set(ids))


def test_shipped_rows_state_the_whole_weight_of_their_configuration():
    # dse validate divides it among repeats: who divides it in the table, too, counts a repeated configuration less than another.
    configuration = ("model", "chip", "gpus", "tp", "pp", "vpp", "cp", "ep", "zero", "gbs", "mbs", "seq", "precision", "recompute", "sp",
                     "metric")
    rows = {}
    with open(Path(__file__).parents[2] / "workloads/measured/steps.csv", newline="") as text:
        for row in csv.DictReader(text):
            # No evidence, one of a large family of similar rows, doubtful, or neither.
            assert float(row["weight"]) in (0.0, 0.2, 0.5, 1.0), row["id"]
            rows.setdefault(tuple(row[column] for column in configuration), []).append(row)
    repeated = [same for same in rows.values() if len(same) > 2 and {row["weight"] for row in same} == {str(round(1 / len(same), 2))}]
    assert not repeated
