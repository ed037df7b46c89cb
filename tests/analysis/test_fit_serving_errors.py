import json
from pathlib import Path

import numpy as np
import pytest

from dse_analysis import fit_serving_errors
from dse_analysis.fit_errors import read_unknown


def row(error, model="Llama", chip="h100_sxm", framework="vllm", weight=1.0, metric="tpot", template="llama", **more):
    return {"metric": metric, "why": "", "error": error, "overloaded": False, "model": model, "chip": chip, "framework": framework,
            "template": template, "weight": weight, "prompt": 1024, **more}


def prompt(error, model="gpt2", stack="PyTorch eager"):
    return {"metric": "prefill_latency", "why": "", "error": error, "model": model, "chip": "L4", "stack": stack, "template": "gpt"}


def read(tmp_path, rows):
    answers, residuals = tmp_path / "answers.json", tmp_path / "residuals.csv"
    answers.write_text(json.dumps({"rows": rows}), encoding="utf-8")
    fit_serving_errors.write_residuals(residuals, fit_serving_errors.read_answers([answers]))
    return fit_serving_errors.read_residuals(residuals)


def test_rows_without_an_error_count_for_nothing(tmp_path):
    rows = [row(1.0), row(None), row(1.0, why="no model"), row(1.0, metric="ttft"), row(1.0, metric="ttft", overloaded=True)]
    tables = read(tmp_path, rows)
    assert {quantity: len(rows) for quantity, rows in tables.items()} == {"prompts": 0, "first_token": 1, "decode": 1}
    # Twice as long as measured: ln 1/2.
    assert tables["decode"][0]["log"] == pytest.approx(-np.log(2))


def test_families_of_each_quantity(tmp_path):
    tables = read(tmp_path, [row(0.1, template="gpt_oss"), row(0.1, metric="ttft"), prompt(0.2)])
    assert tables["decode"][0]["path"][-1] == {"kind": "experts", "stack": "vLLM", "generation": "hopper"}
    assert tables["first_token"][0]["path"][1] == {"kind": "dense"}
    assert tables["first_token"][0]["path"][-1] == {"kind": "dense", "stack": "vLLM", "generation": "hopper", "prompt": "short"}
    long = read(tmp_path, [row(0.1, metric="ttft", prompt=1025)])
    assert long["first_token"][0]["path"][-1]["prompt"] == "long"
    assert tables["prompts"][0]["path"] == [{}, {"stack": "PyTorch"}]
    assert tables["prompts"][0]["group"] == "gpt2"


def test_a_template_of_no_kind_is_refused(tmp_path):
    with pytest.raises(KeyError, match="resnet"):
        read(tmp_path, [row(0.1, template="resnet")])


def test_a_family_of_one_group_borrows_from_its_parent(tmp_path):
    # Errors 0.1 and 0.3, each predicted by the other alone: factors 1/3 and 3, and 3 for both together. All: 0.2; a stack with
    # one group: 0.3 / 5 + 0.2 · 4 / 5. The other's, (0.1 / 5 + 0.2 · 4 / 5) / 3, would not hold its own row.
    tables = read(tmp_path, [prompt(np.exp(0.1) - 1), prompt(np.exp(0.3) - 1, model="opt", stack="vLLM 2023")])
    text = fit_serving_errors.text_of({"prompts": tables["prompts"]}, {("software", "prompts", "dense"): (0.3, 0.25)})
    assert "prompts: |\n  kind,stack,idealized,shift,width,rows,groups\n  ,,,,0.6000,2,2\n" in text
    assert f"  ,vLLM,,,{3 * 0.22:.4f},1,1\n" in text
    assert f"  ,PyTorch,,,{0.1:.4f},1,1\n" in text
    assert text.endswith("  dense,,true,0.3000,0.2500,,\n")


ROOT = Path(__file__).parents[2]
TABLES = fit_serving_errors.read_residuals(ROOT / "workloads/measured/serving_left_out.csv")


def test_the_shipped_table_is_made_of_the_shipped_rows():
    unknown = read_unknown(ROOT / "workloads/measured/unknown_errors.csv")
    assert fit_serving_errors.text_of(TABLES, unknown) == (ROOT / "workloads/measured/serving_errors.yaml").read_text()


WIDEST = 2.5  # times the median error


@pytest.mark.parametrize("quantity", TABLES)
def test_bars_hold_four_of_five_unseen_rows_of_each_family(quantity):
    for name, (_, inside, _, ratio) in fit_serving_errors.calibrations(TABLES)[quantity].items():
        assert 0.72 <= inside <= 0.88, name
        assert ratio <= WIDEST, name
