from pathlib import Path

import pytest

from dse_analysis import credibility, fit_errors, ratio_errors


def row(log, group, device="NVIDIA A100 SXM 80 GB", stack="Megatron-LM 2021", template="gpt", weight=1.0, tp="1"):
    return {"log": log, "group": group, "device": device, "stack": stack, "template": template, "weight": weight,
            "devices": "8", "tp": tp, "path": fit_errors.path_of(template, device, stack, tp)}


def test_families_go_from_wide_to_narrow():
    assert row(0, "a")["path"] == [
        {}, {"kind": "dense"}, {"kind": "dense", "generation": "ampere"},
        {"kind": "dense", "generation": "ampere", "device": "NVIDIA A100 SXM 80 GB"},
        {"kind": "dense", "generation": "ampere", "device": "NVIDIA A100 SXM 80 GB", "stack": "Megatron-LM 2021"},
        {"kind": "dense", "generation": "ampere", "device": "NVIDIA A100 SXM 80 GB", "stack": "Megatron-LM 2021",
         "tensors": "whole"}]
    assert row(0, "a", tp="8")["path"][-1]["tensors"] == "split"
    # Variants of a release's recipes follow its name.
    assert row(0, "a", stack="torchtitan 2024, eager")["path"][-1]["stack"] == "torchtitan 2024"


def test_software_without_rows_has_bars_made_without_whole_releases():
    # Four releases err by 0.1, whose others err by (0.1 + 0.1 + 0.1 + 0.3) / 4; ten rows of a fifth by three times the others'.
    rows = [row(0.1, name, stack=name) for name in "abcd"] + 10 * [row(0.3, "e", stack="e, as a variant")]
    assert fit_errors.new_software_factor(rows) == pytest.approx(0.1 / 0.15)
    records = fit_errors.time_records(rows, 1.0, 2.0)
    sizes = credibility.family_sizes(rows, fit_errors.METHOD)
    assert records[0]["width"] == f"{2.0 * sizes[()]:.4f}"
    assert (records[-1]["stack"], records[-1]["tensors"]) == ("e", "whole")
    assert records[-1]["width"] == f"{sizes[credibility.key_of(rows[-1]['path'][-1])]:.4f}"


def test_bars_hold_up_to_the_largest_job_of_a_generation():
    rows = [row(0.1, "a"), row(0.1, "b", device="NVIDIA A100 PCIe 80 GB"), row(0.1, "c", device="Google TPU v4"),
            row(0.1, "d", device="Google TPU v5e"), row(0.1, "e", template="mixtral")]
    for jobs, large in zip(rows, (8, 512, 256, 8192, 4096)):
        jobs["devices"] = str(large)
    of = {jobs["group"]: fit_errors.most_devices(rows, jobs["path"][-1]) for jobs in rows}
    # On A100: both chips and both kinds of models. Those of TPUs are more slices.
    assert of == {"a": 4096, "b": 4096, "c": 256, "d": 8192, "e": 4096}
    assert fit_errors.most_devices(rows, {"kind": "dense"}) == 8192


def test_what_is_unknown_adds_to_the_widest_family():
    # A half-width of 0.66 in all, of which the widest family's are 0.396: a triangle of sides 3, 4 and 5.
    assert fit_errors.added((0.5, 0.66), 0.396) == "{shift: 0.5000, width: 0.5280}"
    assert fit_errors.added((0.0, 0.27), 0.3) == "{shift: 0.0000, width: 0.0000}"


def test_workloads_without_a_stack_have_families_of_their_own(tmp_path):
    file = tmp_path / "unknown.csv"
    file.write_text("unknown,quantity,kind,low,high\nsoftware,time,dense,-0.1,0.3\nsoftware,memory,,0.0,0.6\ndatasheet,time,,0.2,0.8\n")
    unknown = fit_errors.read_unknown(file)
    assert unknown["datasheet", "time", ""] == (pytest.approx(0.5), pytest.approx(0.3))
    assert fit_errors.idealized_records(unknown, "time") == [
        {"kind": "dense", "idealized": "true", "shift": "0.1000", "width": "0.2000"}]
    assert fit_errors.idealized_records(unknown, "memory") == [
        {"kind": "", "idealized": "true", "shift": "0.3000", "width": "0.3000"}]


def test_columns_without_values_are_left_out():
    assert fit_errors.table_lines("of", [{"stack": "a, b", "width": 1}, {"width": 2, "kind": "c"}]) == [
        "of: |", "  kind,stack,width", '  ,"a, b",1', "  c,,2"]


def test_software_is_known_by_kind_of_model():
    steps = [{"stack": "A 2024, eager", "template": "llama"}, {"stack": "A 2025", "template": "gpt"}, {"stack": "A 2025", "template": "mixtral"}]
    assert fit_errors.compared_names(steps, fit_errors.software_of) == [
        {"name": "A 2024", "of": "dense"}, {"name": "A 2025", "of": "dense"}, {"name": "A 2025", "of": "experts"}]
    assert fit_errors.compared_names(steps, fit_errors.program_of) == [{"name": "A", "of": "dense"}, {"name": "A", "of": "experts"}]


ROOT = Path(__file__).parents[2]
ROWS, STEPS, MEMORY = fit_errors.read_inputs(ROOT)


def test_the_shipped_table_is_made_of_the_shipped_rows():
    assert fit_errors.table_of(ROWS, STEPS, MEMORY, ROOT) == (ROOT / "workloads/measured/errors.yaml").read_text()


def test_compared_steps_are_of_known_kinds():
    assert {fit_errors.kind_of(row) for row in STEPS} == set(fit_errors.KINDS.values())


def test_bars_hold_four_of_five_ratios():
    # Errors of layouts on one chip under one stack have most of their variance in common, those of others little.
    pairs = ratio_errors.pairs_of(fit_errors.with_bars(STEPS, ROWS, ROOT))
    correlation = ratio_errors.correlations(pairs)
    assert correlation[ratio_errors.ALIKE] > 0.6 > 0.3 > correlation[ratio_errors.APART]
    for differs, (number, inside) in ratio_errors.coverage(pairs).items():
        assert number > 1000
        assert 0.72 <= inside <= 0.88, differs


@pytest.fixture(scope="module")
def calibration():
    return fit_errors.calibration(ROWS)


@pytest.mark.parametrize("family", ["dense", "experts", "all"])
def test_bars_hold_four_of_five_unseen_rows(family, calibration):
    _, inside, _, ratio = calibration[family]
    assert 0.72 <= inside <= 0.88
    assert ratio <= 2.5
