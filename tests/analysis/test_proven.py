import h5py
import numpy as np

from dse_analysis.proven import changed, front_of, read_proof, row_of


def test_points_are_counted_by_verdict(tmp_path):
    path = tmp_path / "proven.h5"
    with h5py.File(path, "w") as file:
        file["point_id"] = np.arange(3)
        proof = file.create_group("proof")
        proof.attrs["axes"] = ["x", "y"]
        proof["verdict"] = np.array([1, 4, 3], dtype=np.uint8)
        proof["count_0"], proof["count_1"] = np.array([2, 5, 1]), np.array([10, 4, 1])
        proof["course_bounds"], proof["course_epsilon"] = np.array([7, 9]), np.array([0.5, 0.0])
    found = read_proof(path)
    assert found["points"] == {"outside": 20, "infeasible": 0, "evaluated": 1, "dominated": 20, "open": 0}
    assert (found["boxes"], found["evaluated"], found["bounded"], found["epsilon"]) == (3, 3, 9, 0.0)
    assert row_of("s", 2, found, 1.62, "4") == ["s", "21", "2", "3", "0.14", "9", "0", "1.6", "4"]


def test_objectives_and_tolerance_take_the_place_of_the_sweeps_own(tmp_path):
    sweep = tmp_path / "sweep.yaml"
    sweep.write_text("name: s\nsearch: {method: proven}\nobjectives: {cost: minimize}\n")
    (tmp_path / "other").mkdir()
    assert changed(sweep, "", None, tmp_path / "other").read_text() == sweep.read_text()
    assert changed(sweep, "energy: minimize", "5 %", tmp_path / "other").read_text() == \
        "name: s\nsearch: {method: proven, tolerance: 5 %}\nobjectives: {energy: minimize}\n"


def test_fronts_are_told_apart_by_their_points(tmp_path):
    program = tmp_path / "dse"
    program.write_text("#!/bin/sh\necho point_id,tp,pp,cost\necho 7,1,2,$#\necho 9,1,4,$#\n")
    program.chmod(0o755)
    assert front_of(str(program), "rows.h5", ["cost: minimize"], ["tp", "pp"]) == {("1", "2"), ("1", "4")}
