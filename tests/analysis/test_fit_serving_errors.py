import json

import numpy as np
import pytest

from dse_analysis import fit_serving_errors


def row(error, model="Llama", chip="h100_sxm", framework="vllm", weight=1.0, metric="tpot", **more):
    return {"metric": metric, "why": "", "error": error, "overloaded": False, "model": model, "chip": chip, "framework": framework,
            "weight": weight, **more}


def rows_of(tmp_path, rows, metric="tpot"):
    path = tmp_path / "deployments.json"
    path.write_text(json.dumps({"rows": rows}), encoding="utf-8")
    return fit_serving_errors.read_errors(path, metric)


def test_rows_without_an_error_count_for_nothing(tmp_path):
    rows = [row(1.0), row(None), row(1.0, why="no model"), row(1.0, metric="ttft"), row(1.0, metric="ttft", overloaded=True)]
    assert len(rows_of(tmp_path, rows)) == 1
    assert len(rows_of(tmp_path, rows, "ttft")) == 1
    # Twice as long as measured: ln 1/2.
    assert rows_of(tmp_path, rows)[0]["error"] == pytest.approx(-np.log(2))


def test_half_an_interval_holds_four_fifths_by_weight(tmp_path):
    rows = [row(np.exp(size) - 1, weight=weight) for size, weight in ((0.1, 2), (-0.2, 2), (0.3, 1))]
    assert fit_serving_errors.half_interval(rows_of(tmp_path, rows)) == pytest.approx(0.2)


def test_a_family_of_one_model_borrows_from_its_parent(tmp_path):
    # Of all 0.4 holds four fifths; of the dense model 0.1: (0.1 + 2 · 0.4) / 3.
    rows = [row(np.exp(0.1) - 1)] + [row(np.exp(0.4) - 1, model="DeepSeek-V3")] * 4
    widths = fit_serving_errors.widths_of(rows_of(tmp_path, rows))
    assert widths[()] == (pytest.approx(0.4), 5, 2)
    assert widths[(("kind", "dense"),)] == (pytest.approx(0.3), 1, 1)
    text = fit_serving_errors.text_of({"decode": widths})
    assert '  - {kind: "dense", width: 0.300, rows: 1, groups: 1}' in text
