from pathlib import Path

import numpy as np
import pytest

from dse_analysis import fit_errors


def row(log, group, device="NVIDIA A100 SXM 80 GB", stack="Megatron-LM 2021", template="gpt", weight=1.0, tp="1"):
    return {"log": log, "group": group, "device": device, "stack": stack, "template": template, "weight": weight,
            "devices": "8", "tp": tp}


def test_families_go_from_wide_to_narrow():
    assert fit_errors.path_of(row(0, "a")) == [
        {}, {"kind": "dense"}, {"kind": "dense", "generation": "ampere"},
        {"kind": "dense", "generation": "ampere", "device": "NVIDIA A100 SXM 80 GB"},
        {"kind": "dense", "generation": "ampere", "device": "NVIDIA A100 SXM 80 GB", "stack": "Megatron-LM 2021"},
        {"kind": "dense", "generation": "ampere", "device": "NVIDIA A100 SXM 80 GB", "stack": "Megatron-LM 2021",
         "tensors": "whole"}]
    assert fit_errors.path_of(row(0, "a", tp="8"))[-1]["tensors"] == "split"
    # Variants of a release's recipes follow its name.
    assert fit_errors.path_of(row(0, "a", stack="torchtitan 2024, eager"))[-1]["stack"] == "torchtitan 2024"


def test_a_group_is_one_observation():
    # Group a: mean 0.2, group b: (3 · 0.1 + 0.5) / 4 = 0.2 by weights.
    rows = [row(0.1, "a"), row(-0.3, "a"), row(0.1, "b", weight=3.0), row(-0.5, "b")]
    assert fit_errors.sizes_of(rows) == (pytest.approx(0.2), 2)


def test_thin_families_borrow_from_their_parents():
    # Two dense chips of one generation with one group each: 0.1 and 0.3, so 0.2 for all that hold both.
    rows = [row(0.1, "a"), row(0.3, "b", device="NVIDIA A100 PCIe 80 GB")]
    path = fit_errors.path_of(rows[0])
    # The chip: one group of its own and four borrowed; its software again, and its tensors.
    chip = (0.1 + 4 * 0.2) / 5
    assert fit_errors.size_of(rows, path[:3], 4.0) == pytest.approx(0.2)
    assert fit_errors.size_of(rows, path[:4], 4.0) == pytest.approx(chip)
    software = (0.1 + 4 * chip) / 5
    assert fit_errors.size_of(rows, path[:5], 4.0) == pytest.approx(software)
    assert fit_errors.size_of(rows, path, 4.0) == pytest.approx((0.1 + 4 * software) / 5)


def test_bars_hold_the_share_that_they_are_made_for():
    generator = np.random.default_rng(7)
    rows = [row(float(log), str(i)) for i, log in enumerate(generator.normal(0, 0.1, 200))]
    sizes = fit_errors.unseen_sizes(rows)
    factor = fit_errors.factor_of(rows, sizes)
    inside = np.mean([abs(row["log"]) <= factor * size for row, size in zip(rows, sizes)])
    assert inside == pytest.approx(0.8, abs=0.01)
    # Of a normal variable: 1.2816 deviations over a mean size of 0.7979.
    assert factor == pytest.approx(1.606, rel=0.1)


def test_a_row_has_no_say_in_its_own_bar():
    rows = [row(0.1, "a"), row(0.1, "b"), row(0.9, "c")]
    assert fit_errors.unseen_sizes(rows)[2] == pytest.approx(0.1)


def test_bars_hold_up_to_the_largest_job_of_a_generation():
    rows = [row(0.1, "a"), row(0.1, "b", device="NVIDIA A100 PCIe 80 GB"), row(0.1, "c", device="Google TPU v4"),
            row(0.1, "d", device="Google TPU v5e"), row(0.1, "e", template="mixtral")]
    for jobs, large in zip(rows, (8, 512, 256, 8192, 4096)):
        jobs["devices"] = str(large)
    of = {jobs["group"]: fit_errors.most_devices(rows, fit_errors.path_of(jobs)[-1]) for jobs in rows}
    # Dense models on A100: both chips. Those of TPUs are more slices.
    assert of == {"a": 512, "b": 512, "c": 256, "d": 8192, "e": 4096}
    assert fit_errors.most_devices(rows, {"kind": "dense"}) == 8192


def test_what_groups_have_in_common():
    # Differences within groups of ±1, between them of ±3: variance within (4 squares of 1, 2 of freedom), 10 in all.
    rows = [row(log, group) for log, group in ((2.0, "a"), (4.0, "a"), (-2.0, "b"), (-4.0, "b"), (9.0, "alone"))]
    assert fit_errors.between_groups(rows) == pytest.approx(1 - 2 / 10)


def test_chips_without_measured_products_have_wider_bars():
    # 0.66 in all, of which the widest family's are 0.396: a triangle of sides 3, 4 and 5.
    assert fit_errors.width_of_products(0.396) == pytest.approx(0.528)
    assert fit_errors.width_of_products(0.162, 0.27) == pytest.approx(0.216)  # the same triangle
    assert fit_errors.width_of_products(0.3, 0.27) == 0


ROOT = Path(__file__).parents[2]
ROWS = fit_errors.read_rows(ROOT / "workloads/measured/left_out.csv")


def test_the_shipped_table_is_made_of_the_shipped_rows():
    assert fit_errors.table_of(ROWS, ROOT) == (ROOT / "workloads/measured/errors.yaml").read_text()


@pytest.fixture(scope="module")
def calibration():
    return fit_errors.calibration(ROWS)


@pytest.mark.parametrize("family", ["dense", "experts", "all"])
def test_bars_hold_four_of_five_unseen_rows(family, calibration):
    _, inside, _, ratio = calibration[family]
    assert 0.72 <= inside <= 0.88
    # The aim is 2.5. Of vTrain's steps, the median error fell from 4.5 to 4.3 %, and the largest did not.
    assert ratio <= 2.56
