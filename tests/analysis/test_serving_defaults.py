from pathlib import Path

import pytest
from dse_analysis import serving_defaults
from dse_analysis.serving_throughput import read_table

DATA = Path(__file__).parents[2]
ROW = {"engine": "vllm", "release": "0.11.0", "model": "qwen3_14b", "gpu": "a100", "precision": "bf16", "tp": "1", "prompt": "1996", "output": "100",
       "requests": "500", "token_budget": "2048", "max_sequences": "256", "tokens_per_second": "284.64", "ttft_mean_s": "86.91", "tpot_mean_ms": "301.73"}


def test_reads_the_shipped_table():
    rows = read_table(DATA / serving_defaults.TABLE)
    assert len(rows) == 33
    assert ROW in rows
    assert {row["gpu"] for row in rows} == set(serving_defaults.CLUSTERS)
    assert {row["engine"] for row in rows} == set(serving_defaults.STACKS)


def test_a_row_is_a_sweep_of_one_point():
    sweep = serving_defaults.sweep_of(ROW, {})
    assert sweep["workload"]["traffic"] == {"clients": 500, "requests": 500, "prompt": 1996, "output": 100}
    assert sweep["workload"]["serving"] == {"token_budget": 2048, "max_sequences": 256}
    assert sweep["workload"]["stack"] == "vllm_2025"
    assert sweep["system"] == {"cluster": "dgx_a100_hdr200", "devices": 1} and sweep["axes"] == {"tp": [1]}
    assert "fused_casts" not in sweep["workload"] and "imbalance" not in sweep["workload"]


def test_models_and_engines_have_their_facts():
    row = ROW | {"engine": "trtllm", "model": "qwen3_235b_a22b", "precision": "fp8"}
    workload = serving_defaults.sweep_of(row, {"qwen3_235b_a22b": 1.4})["workload"]
    assert workload["serving"]["cache_share"] == 0.9 and workload["allocator_overhead"] == 0
    assert workload["fused_casts"] is False
    assert workload["imbalance"] == "zipf" and workload["routing_skew"] == 1.4
    assert "prompt_expert_rate" not in workload
    rates = [serving_defaults.sweep_of(row | {"engine": engine, "model": "deepseek_v3"}, {})["workload"]["prompt_expert_rate"] for engine in ("vllm", "sglang")]
    assert rates == [0.28, 0.38]


def test_errors_are_relative_to_what_was_published():
    errors = serving_defaults.errors_of(ROW, {"output_tokens_per_second": 2 * 284.64, "ttft_mean": 86.91, "tpot_mean": 0.301730 / 2})
    assert errors == pytest.approx({"tokens_per_second": 1.0, "ttft_mean_s": 0.0, "tpot_mean_ms": -0.5})
