import numpy as np
import pandas as pd
import pytest

from dse_analysis import fit_kernels, kernel_rows

SHARED = {"gpu": ["h100_sxm", "l40s"], "framework": ["trtllm", "vllm"], "latency_s": [1e-5, 2e-5]}
CACHE = {"kv_cache_dtype": ["fp8", "bfloat16"]}
TABLES = {
    "gemm": {"gemm_dtype": ["sq", "nvfp4"], "m": [1, 2], "n": [3, 4], "k": [5, 6], "power_w": [300.0, np.nan]},
    "context_attention": {"attn_dtype": ["fp8", "bfloat16"], **CACHE, "batch_size": [1, 2], "isl": [64, 32], "step": [0, 32], "num_heads": [8, 8],
                          "num_key_value_heads": [0, 2], "head_dim": [64, 128], "window_size": [0, 128]},
    "generation_attention": {"attn_dtype": ["bfloat16"] * 2, **CACHE, "batch_size": [1, 2], "isl": [1, 1], "step": [7, 0], "num_heads": [8, 8],
                             "num_key_value_heads": [0, 2], "head_dim": [64, 128], "window_size": [0, 128]},
    "moe": {"moe_dtype": ["bfloat16", "fp8"], "num_tokens": [1, 2], "hidden_size": [64, 64], "inter_size": [32, 32], "topk": [2, 2], "num_experts": [8, 8],
            "moe_tp_size": [1, 2], "moe_ep_size": [1, 4], "distribution": ["balanced", "power_law_1.2"], "kernel_source": ["a_nongated", "a_min_latency"]},
    **{name: {**CACHE, "batch_size": [1, 2], "isl": [64, 1], "step": [0, 9], "num_heads": [8, 16]}
       for name in ("context_mla", "generation_mla", "mla_context_module", "mla_generation_module")}}


@pytest.fixture(name="folder")
def folder_of_tables(tmp_path):
    for name, columns in TABLES.items():
        pd.DataFrame({**SHARED, **columns}).to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def test_each_table_gives_rows_of_its_kind(folder):
    rows = kernel_rows.all_rows(folder)
    assert len(rows) == 16
    products, prefill, decode, experts = (rows[rows["operator"] == kind] for kind in ("gemm", "prefill", "decode", "experts"))
    assert products["format"].tolist() == ["int8", "nvfp4"]
    assert prefill["kv_heads"].tolist() == [8, 2]  # upstream writes 0 where every head has its own
    assert prefill["keys"].tolist() == [64, 64]
    assert decode["keys"].tolist() == [8, 1]
    assert experts["gated"].tolist() == ["no", "yes"]
    assert experts["low_latency"].tolist() == ["no", "yes"]


def test_rows_of_one_device(folder, capsys):
    output = folder / "out.csv"
    assert kernel_rows.main([str(folder), "--gpu", "l40s", "-o", str(output)]) == 0
    rows = pd.read_csv(output)
    assert len(rows) == 8 and "gpu" not in rows and "watts" not in rows
    assert kernel_rows.main([str(folder), "--gpu", "v100", "-o", str(output)]) == 2
    assert "no row of v100" in capsys.readouterr().err


def test_rows_of_a_shape_are_held_out_together():
    rows = pd.DataFrame({"n": [64, 64, 128, 64], "k": [64, 64, 64, 64], "m": [1, 2, 1, 4096]})
    folds = fit_kernels.fold_of(rows, "gemm")
    assert folds[0] == folds[1] == folds[3]


def test_trees_are_written_in_preorder():
    leaf = {"leaf_value": 0.0123}
    split = {"split_feature": 3, "threshold": 1.25, "left_child": leaf, "right_child": {"leaf_value": -0.5}}
    values = [np.zeros(1)] * 3 + [np.array([0.5, 1.0, 1.5])]
    assert fit_kernels.preorder(split, values) == ["3:1.2", "123", "-5000"]
    assert fit_kernels.depth(split) == 1


def test_rounding_is_no_difference():
    assert len(np.unique(fit_kernels.distinct(np.array([[0.1 + 0.2], [0.3], [0.3001]])))) == 2


@pytest.mark.parametrize("below, above, text", [(1.0, 1.5, "1.2"), (0, 1, "0.5"), (10.0, 10.001, "10.0005"), (-3, -1, "-2")])
def test_thresholds_are_short_and_between_their_neighbours(below, above, text):
    assert fit_kernels.split_text(below, above) == text
