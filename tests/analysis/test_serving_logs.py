import pytest

from dse_analysis import serving_logs


def test_reads_requests_in_the_order_of_the_queue(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("request_id,input_tokens,output_tokens,queued_s,tpot_s\nb,20,1,1.5,\na,10,3,0.5,0.25\n")
    rows = serving_logs.read_log(log)
    assert [row["input_tokens"] for row in rows] == [10, 20]
    assert serving_logs.mean(rows, "tpot_s") == 0.25, "one token has no second one"
    trace = tmp_path / "trace.csv"
    serving_logs.write_trace(rows, trace)
    assert trace.read_text().split() == ["arrival_s,input_tokens,output_tokens", "0.0,10,3", "1.0,20,1"]


def test_a_run_is_answered_with_its_own_limits(tmp_path):
    config = {"model": "Qwen/Qwen3-32B", "hardware_short": "RTXPRO6000",
              "engine_kwargs": {"tensor_parallel_size": 2, "max_num_batched_tokens": 2048, "max_num_seqs": 128}}
    sweep = serving_logs.sweep_of(config, tmp_path / "trace.csv")
    assert sweep["workload"]["model"] == "qwen3_32b" and sweep["workload"]["traffic"] == {"trace": "trace.csv"}
    assert sweep["workload"]["serving"]["token_budget"] == 2048 and sweep["workload"]["serving"]["max_sequences"] == 128
    assert sweep["axes"]["tp"] == [2] and sweep["system"] == {"cluster": "rtx_pro_6000_pcie", "devices": 2}


def test_the_least_largest_error_is_fitted():
    measured = {"ttft_s": 1.0, "tpot_s": 1.0}
    # Largest errors 0.3 and 0.2.
    predicted = {(1.0,): {"ttft_s": 1.0, "tpot_s": 1.3}, (2.0,): {"ttft_s": 0.8, "tpot_s": 1.2}}
    assert serving_logs.fitted(predicted, measured) == (2.0,)
    assert serving_logs.errors(predicted[(2.0,)], measured) == pytest.approx({"ttft_s": -0.2, "tpot_s": 0.2})
