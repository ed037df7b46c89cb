import math
from pathlib import Path

from dse_analysis import unknown_parts

DATA = Path(__file__).parents[2]


def test_a_datasheet_has_no_measured_constants(tmp_path):
    (tmp_path / "old.yaml").write_text(
        "name: Old\npeak:\n  bf16: {value: 100 TFLOPS}\n  fp64: {value: 10 TFLOPS}\nmemory:\n  capacity: {value: 80 GB}\n"
        "  bandwidth: {value: 2 TB/s}\n  efficiency: {value: 0.9}\nmatmul:\n  area: {value: 1e5}\npower:\n  tdp: {value: 400 W}\n")
    (tmp_path / "new.yaml").write_text("base: old\nname: New\npeak:\n  bf16: {value: 200 TFLOPS}\n")
    fields = unknown_parts.datasheet_of(tmp_path, "new")
    assert unknown_parts.stripped(fields, "typical_gpu") == (
        "base: typical_gpu\nname: New\npeak:\n  bf16: {value: 200 TFLOPS}\n  fp64: {value: 10 TFLOPS}\nmemory:\n"
        "  capacity: {value: 80 GB}\n  bandwidth: {value: 2 TB/s}\npower:\n  tdp: {value: 400 W}\n")
    assert unknown_parts.stripped(fields, None).startswith("name: New\n")


def test_every_shipped_device_has_a_datasheet():
    for file in (DATA / unknown_parts.DEVICES).glob("*.yaml"):
        fields = unknown_parts.datasheet_of(DATA / unknown_parts.DEVICES, file.stem)
        assert {("name", ""), ("memory", "capacity"), ("memory", "bandwidth")} <= set(fields), file.stem
        assert any(section == "peak" for section, _ in fields), file.stem


def row(log, metric="iteration_time", template="llama", **more):
    return {"chip": "a", "metric": metric, "predicted": 1.0, "measured": math.exp(log), "template": template, "overloaded": False, **more}


def test_each_chip_has_one_weight():
    errors = [(0.1, "a"), (0.1, "a"), (-0.1, "a"), (0.5, "b")]
    # A third of a's weight is below 0.1, all of it below 0.5.
    assert unknown_parts.percentiles(errors) == (-0.1, 0.1, 0.5, 2)


def test_models_of_kinds_without_rows_have_the_errors_of_all():
    records = unknown_parts.by_kind("time", {"dense": [(0.1, "a")], "": [(0.3, "b")], "experts": [(0.2, "c")]})
    assert [(record["kind"], record["rows"], record["median"]) for record in records] == [
        ("", 3, "0.200"), ("dense", 1, "0.100"), ("experts", 1, "0.200")]
    assert [record["kind"] for record in unknown_parts.by_kind("prompts", {"dense": [(0.1, "a")]})] == [""]
    assert unknown_parts.by_kind("decode", {}) == []


def test_rows_without_a_prediction_count_for_nothing():
    rows = [row(0.1), row(0.2, metric="peak_memory"), row(0.3, metric="ttft", template="gpt_oss"), row(9.0, metric="ttft", overloaded=True),
            row(9.0, set_aside="x"), row(9.0, why="x"), row(9.0, metric="output_tokens_per_second"), {**row(9.0), "predicted": None}]
    found = unknown_parts.errors_of(rows, lambda row: row["chip"])
    assert {(quantity, kind): [round(error, 6) for error, _ in errors] for quantity, kinds in found.items()
            for kind, errors in kinds.items()} == {("time", "dense"): [0.1], ("memory", ""): [0.2], ("first_token", "experts"): [0.3]}


def test_software_is_forgotten_but_for_what_a_table_must_name(tmp_path):
    (tmp_path / "workloads/measured").mkdir(parents=True)
    (tmp_path / unknown_parts.STACKS).mkdir()
    (tmp_path / unknown_parts.STACKS / "a.yaml").write_text("# text\nname: vLLM 2023\nlaunch_factor: 2\n")
    (tmp_path / unknown_parts.STACKS / "b.yaml").write_text("name: Megatron\nzero: 3\n")
    facts = tmp_path / "workloads/measured/serving.yaml"
    facts.write_text("models: [{name: m, launch_factor: 2}]\nengines: [{match: vllm, serving: {scheduler: vllm, host_time: 1 ms}}]\n")
    unknown_parts.forget_software(tmp_path)
    assert (tmp_path / unknown_parts.STACKS / "a.yaml").read_text() == "name: vLLM 2023\ncuda_graphs: true\n"
    assert (tmp_path / unknown_parts.STACKS / "b.yaml").read_text() == "name: Megatron\n"
    assert unknown_parts.yaml.safe_load(facts.read_text()) == {
        "models": [{"name": "m"}], "engines": [{"match": "vllm", "serving": {"scheduler": "vllm"}}]}
