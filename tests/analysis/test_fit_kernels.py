import numpy as np
import pandas as pd
from dse_analysis.fit_kernels import cast_lines, cast_time


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
