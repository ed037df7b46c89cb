import numpy as np
import pandas as pd
import pytest

from dse_analysis import fit_kernels, kernel_rows

SHARED = {"gpu": ["h100_sxm", "l40s"], "framework": ["trtllm", "vllm"], "version": ["1.3.0rc20", "0.24.0"], "latency_s": [1e-5, 2e-5]}
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


def upstream(folder, version, latency):
    """Write upstream's table of one product, and empty ones of all other kinds."""
    for name, columns in TABLES.items():
        table = pd.DataFrame({**columns, "latency": [latency] * 2, "kernel_source": columns.get("kernel_source", ["a", "b"])})
        path = folder / "h100_sxm" / name / "trtllm" / version
        path.mkdir(parents=True)
        (table if name == "gemm" else table[:0]).to_parquet(path / f"{name}_perf.parquet")


def test_tables_of_upstream_are_in_milliseconds_and_add_what_the_first_folder_lacks(folder, tmp_path):
    other = tmp_path / "systems"
    upstream(other, "1.3.0rc20", 7.0)
    upstream(other, "1.2.0", 3.0)
    rows = kernel_rows.rows_of([folder, other], 10)
    products = rows[(rows["operator"] == "gemm") & (rows["gpu"] == "h100_sxm")]
    assert products["release"].tolist() == ["1.3.0rc20", "1.2.0", "1.2.0"]
    assert products["seconds"].tolist() == [1e-5, 3e-3, 3e-3]


def test_rows_with_power_readings_are_wanted_of_whole_tables(folder, tmp_path):
    other = tmp_path / "systems"
    upstream(other, "1.2.0", 3.0)
    rows = kernel_rows.rows_of([folder, other], watts=True)
    assert rows["release"].tolist() == ["1.3.0rc20", "1.2.0"]
    assert rows["watts"].tolist() == [300.0] * 2
    output = tmp_path / "watts.csv"
    assert kernel_rows.main([str(folder), "--watts", "-o", str(output)]) == 0
    assert pd.read_csv(output)["gpu"].tolist() == ["h100_sxm"]


def test_what_dse_cannot_read_is_left_out():
    rows = pd.DataFrame({"format": ["bf16", None, "bf16", "bf16"], "seconds": [1.0, 1.0, 0.0, 1.0], "m": [1, 1, 1, 0]})
    assert kernel_rows.usable(rows).index.tolist() == [0]


def test_samples_are_spread_over_sizes_and_formats():
    sizes = [1] * 50 + [2] * 50 + [4] * 2
    rows = pd.DataFrame({**{name: "x" for name in kernel_rows.ORIGIN}, "format": ["bf16"] * 102, "m": sizes, "n": 1, "k": 1})
    chosen = kernel_rows.sampled(rows, "gemm", 12)
    assert chosen["m"].value_counts().to_dict() == {1: 5, 2: 5, 4: 2}


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
