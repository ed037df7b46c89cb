import h5py
import numpy as np

from dse_analysis.proven import read_proof, row_of


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
    assert row_of("s", found, 1.6) == ["s", "21", "3", "14.29%", "9", "0", "2", ""]
