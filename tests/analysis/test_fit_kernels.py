from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from dse_analysis.fit_kernels import (DEVICES, FILES, NEAR, WEIGHTS, cast_lines, cast_time, counts_by_library, editions_of, own_release, own_rows,
                                      parts_of, release_key, weights_of_others)
from dse_analysis.kernel_features import KINDS

#: Pairs that release_order_test.cpp reads, too.
PAIRS = Path(__file__).parents[1] / "model" / "compute" / "learned" / "releases.txt"


def pairs(count, longer):
    """Return products of `count` sizes in bf16 and, `longer` [s], in fp8; and a large one in each format."""
    sizes = [(1, n, 128) for n in range(1, count + 1)] + [(4096, 4096, 4096)]
    rows = [("gemm", "trtllm", name, *size, 4e-6 + extra)
            for name, extra in (("bf16", 0.0), ("fp8", longer)) for size in sizes]
    return pd.DataFrame(rows, columns=["operator", "library", "format", "m", "n", "k", "seconds"])


def test_casts_are_what_small_products_take_longer():
    assert np.isclose(cast_time(pairs(20, 9e-6)), 9e-6)
    assert cast_lines(pairs(20, 9e-6)) == [f"kind gemm_fp8_cast 1 {np.log(9e-6):.4f}"]


def test_few_pairs_say_nothing():
    assert np.isnan(cast_time(pairs(19, 9e-6)))
    assert cast_lines(pairs(19, 9e-6)) == []


def test_releases_are_in_order():
    rows = pd.DataFrame({"library": ["vllm", "vllm", "trtllm", "trtllm", "vllm"], "release": ["0.14.0", "0.9.0", "1.3.0", "1.3.0rc20", "0.9.0"]})
    assert editions_of(rows) == [("trtllm", "1.3.0rc20"), ("trtllm", "1.3.0"), ("vllm", "0.9.0"), ("vllm", "0.14.0")]


def test_the_order_is_that_of_the_program():
    lines = [line.split() for line in PAIRS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) >= 10
    for first, *equal, second in lines:
        assert (release_key(first) == release_key(second)) if equal else (release_key(first) < release_key(second)), (first, second)


def test_the_newest_release_before_stands_for_one_that_was_not_measured():
    assert own_release("0.22.0", ["0.14.0", "0.24.0", "0.19.0"]) == "0.19.0"
    assert own_release("0.9.0", ["0.14.0", "0.24.0"]) == "0.14.0"
    assert own_release("0.24.0", ["0.14.0", "0.24.0"]) == "0.24.0"


def test_own_trees_have_one_release_of_a_library_and_none_of_sglang():
    rows = pd.DataFrame({"gpu": "h200_sxm", "library": ["vllm", "vllm", "trtllm", "sglang"], "release": ["0.24.0", "0.22.0", "1.2.0rc5", "0.5.14"]})
    assert own_rows(rows).tolist() == [False, True, True, False]


def test_libraries_of_a_device_count_alike_whatever_their_rows():
    rows = pd.DataFrame({"gpu": ["b200_sxm"] * 4 + ["h200_sxm"] * 2, "library": ["vllm"] * 3 + ["trtllm"] + ["vllm"] * 2, "seconds": 1.0})
    assert counts_by_library(rows) == pytest.approx([2 / 3] * 3 + [2.0] + [1.0] * 2)


def test_power_may_have_rows_of_its_own():
    product = {"gpu": "h100_sxm", "operator": "gemm", "library": "trtllm", "release": "1.3.0rc20", "format": "bf16", "m": 1, "n": 64, "k": 64, "seconds": 1e-5}
    rows = pd.DataFrame([{**product, "watts": 200.0}])
    watts = pd.DataFrame([{**product, "watts": 300.0}] * 2)
    readings = [part.rows["watts"].tolist() for part in parts_of(rows, watts=watts) if not part.times]
    assert readings == [[300.0, 300.0]]
    assert [part.rows["watts"].tolist() for part in parts_of(rows) if not part.times] == [[200.0]]


def stated(name, *folders):
    """Return the device's files in folders of hardware, as mappings."""
    root = Path(__file__).parents[2] / "hardware"
    return [yaml.safe_load((root / folder / f"{FILES.get(name, name)}.yaml").read_text(encoding="utf-8")) for folder in folders]


def value(node):
    return float(str(node["value"]).split()[0])


@pytest.mark.parametrize("name", DEVICES)
def test_devices_are_those_of_their_files(name):
    rates, memory, units, cache, products, limit, capability, cycle, loaded, left = DEVICES[name]
    device, learned = stated(name, "devices", "learned")
    peak, sustained = device["peak"], device["matmul"]["sustained"]
    assert list(rates[:3]) == [value(peak.get(each, peak["bf16"])) for each in ("bf16", "fp8", "fp4")]
    # As the program: the larger one of both formats of 16 bits.
    assert products[0] == max(value(sustained["bf16"]), value(sustained["fp16"]))
    assert list(products[1:]) == [value(sustained[each]) if each in sustained else 0 for each in ("fp8", "fp4", "int8")]
    assert memory in (value(device["memory"]["bandwidth"]), 1000 * value(device["memory"]["bandwidth"]))  # GB/s or TB/s
    assert (limit, loaded) == (value(device["power"]["tdp"]), value(device["efficiency"]["gemm"]))
    assert [units, cache, capability, cycle] == [value(learned[each]) for each in ("multiprocessors", "cache", "capability", "cycle")]
    assert left == (value(learned["memory_share"]) if "memory_share" in learned else 1)


def test_a_device_has_no_say_in_its_own_weight():
    # All three together would choose 16; without the first, which gains most from it, the others choose 4.
    medians = pd.DataFrame({4.0: [0.3, 0.1, 0.1], 16.0: [0.1, 0.12, 0.12]}, index=["a100_sxm", "l40s", "h100_sxm"])
    assert medians.mean().idxmin() == 16.0
    assert weights_of_others(medians) == {"a100_sxm": 4.0, "l40s": 16.0, "h100_sxm": 16.0}


def test_each_kind_has_one_of_the_weights():
    assert set(NEAR) == set(KINDS) and set(NEAR.values()) <= set(WEIGHTS)
