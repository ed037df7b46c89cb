from pathlib import Path

from dse_analysis import serving_throughput

DATA = Path(__file__).parents[2]
ROW = {"release": "1.0", "model": "llama3_8b", "gpu": "h100", "precision": "fp8", "tp": "1", "attention_dp": "1",
       "prompt": "500", "output": "2000", "requests": "3000"}


def test_reads_the_shipped_table():
    rows = serving_throughput.read_table(DATA / serving_throughput.TABLE)
    assert len(rows) == 375
    assert rows[0] == {"release": "1.0", "model": "llama3_405b", "gpu": "h100", "precision": "fp8", "tp": "8", "attention_dp": "1",
                       "prompt": "128", "output": "128", "requests": "30000", "tokens_per_second": "3627"}
    assert {row["gpu"] for row in rows} <= set(serving_throughput.CLUSTERS)
    assert {row["model"] for row in rows} <= set(serving_throughput.SIZES)


def test_limits_follow_from_the_memory_beside_the_parameters():
    # (79.65 GiB - 8.03 GB) · 0.95 = 73.62 GB; 2 · 32 · 8 · 128 = 65,536 B a token: 449 requests of 2,500 tokens, up to the
    # next 128; 449 · 1.25 = 562 tokens a step, at least 2,048.
    assert serving_throughput.limits_of(ROW) == (512, 2048)
    # 51 of 22,000 tokens: 64 at least; a prompt fits beside them.
    assert serving_throughput.limits_of(ROW | {"prompt": "20000"}) == (64, 20064)
    # 516 of 2,176: 640; 516 · 17 = 8,774 tokens, up to the next 1,024.
    assert serving_throughput.limits_of(ROW | {"prompt": "2048", "output": "128"}) == (640, 9216)
    # Four devices: (4 · 79.65 GiB - 8.03 GB) · 0.95 / 65,536 B are 72,600 requests of 256 tokens: 4,096 at most.
    assert serving_throughput.limits_of(ROW | {"attention_dp": "4", "prompt": "128", "output": "128"})[0] == 4096
    # 150 of 7,500: 160.
    assert serving_throughput.limits_of(ROW | {"prompt": "5500"})[0] == 160


def test_a_row_is_a_sweep_of_one_point():
    sweep = serving_throughput.sweep_of(ROW, {})
    assert sweep["workload"]["traffic"] == {"clients": 3000, "requests": 3000, "prompt": 500, "output": 2000}
    assert sweep["workload"]["serving"]["max_sequences"] == 512
    assert sweep["system"] == {"cluster": "h100_ndr400", "devices": 1} and sweep["axes"]["tp"] == [1]
    assert "ep" not in sweep["workload"] and "one_step_limit" not in sweep["workload"]["serving"]


def test_skews_are_those_of_the_deployments():
    skews = serving_throughput.read_skews(DATA / serving_throughput.FACTS)
    assert skews == {"qwen3_235b_a22b": 1.4, "deepseek_v3": 0.4, "kimi_k2": 0.4, "gpt_oss_120b": 0.6}


def test_attention_ranks_share_the_experts():
    sweep = serving_throughput.sweep_of(ROW | {"model": "qwen3_235b_a22b", "attention_dp": "8", "release": "1.2"}, {"qwen3_235b_a22b": 1.4})
    assert sweep["workload"]["ep"] == 8 and sweep["workload"]["serving"]["attention_dp"] == 8
    assert sweep["system"]["devices"] == 8 and sweep["axes"]["tp"] == [1]
    assert sweep["workload"]["imbalance"] == "zipf" and sweep["workload"]["routing_skew"] == 1.4
    assert "imbalance" not in serving_throughput.sweep_of(ROW, {})["workload"]


def test_experts_of_gpt_oss_take_tiles_and_padded_weights():
    workload = serving_throughput.sweep_of(ROW | {"model": "gpt_oss_120b", "release": "1.2"}, {})["workload"]
    assert workload["expert_tile"] == 64 and workload["few_expert_rows"] == 8
    # Two products of 2,880 outputs with 3,072 inputs, one with 2,944; 4.25 bits each.
    assert workload["weight_bits"] == round(4.25 * (2 * 3072 + 2944) / (3 * 2880), 2)
    assert "expert_tile" not in serving_throughput.sweep_of(ROW, {})["workload"]


def test_all_reduces_of_old_releases_take_one_step_for_128_tokens():
    row = ROW | {"model": "llama3_70b", "tp": "8"}  # 128 tokens of 8,192 numbers, 2 B each
    assert serving_throughput.sweep_of(row, {})["workload"]["serving"]["one_step_limit"] == "2 MiB"
    assert "one_step_limit" not in serving_throughput.sweep_of(row | {"release": "1.2"}, {})["workload"]["serving"]


def test_vllm_runs_as_many_sequences_as_requests():
    sweep = serving_throughput.sweep_of(ROW | {"release": "vllm 0.9", "model": "llama3_70b", "gpu": "mi300x", "tp": "8"}, {})
    assert sweep["workload"]["stack"] == "vllm_2025" and sweep["workload"]["serving"]["max_sequences"] == 3000
    assert sweep["workload"]["serving"]["token_budget"] == 131072
    assert sweep["system"] == {"cluster": "mi300x_roce400", "devices": 8} and sweep["axes"] == {"tp": [8]}
