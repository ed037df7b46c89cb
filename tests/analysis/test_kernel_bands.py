import numpy as np
import pandas as pd

from dse_analysis.kernel_bands import bands_of, work_of


def test_bands_of_products():
    rows = pd.DataFrame({"m": [1, 64, 100, 16384], "n": [64, 256, 256, 32768], "k": [256, 256, 128, 65536]})
    own = np.array([True, True, True, True])
    bands = {name: masks(own) for name, masks in bands_of("gemm", rows)}
    assert [mask.tolist() for mask in bands["m not a multiple of 64"]] == [[False, False, True, False]]
    assert bands["largest quarter"][0].tolist() == [False, False, False, True]
    assert bands["smallest quarter"][0].tolist() == [True, False, False, False]
    assert bands["k to 128"][0].tolist() == [False, False, True, False]


def test_each_number_of_heads_is_held_out_alone():
    rows = pd.DataFrame({"batch": [1, 2, 4], "heads": [8, 16, 8], "kv_heads": [8, 8, 8], "head_dim": 128, "window": [0, 0, 100],
                         "queries": [1, 1, 1], "keys": [1000, 2000, 4000]})
    masks = dict(bands_of("decode", rows))["another number of heads"](np.array([True, True, False]))
    assert [mask.tolist() for mask in masks] == [[True, False, True], [False, True, False]]
    assert work_of("decode", rows).tolist() == [8 * 128 * 1000, 2 * 8 * 128 * 2000, 4 * 8 * 128 * 100]
