"""When a capture made again is the same one."""

import copy

import ir_text
import remake

OLD = {"name": "a", "versions": {"jax": "1"}, "dot_flops": 8,
       "files": [{"file": "a.sdy.mlir", "operators": {"stablehlo.add": 1}, "collectives": [{"kind": "x", "count": 1}]}]}


def folders(tmp_path, old_text, new_text):
    for name, text in (("old", old_text), ("new", new_text)):
        (tmp_path / name).mkdir()
        ir_text.write(tmp_path / name / "a.sdy.mlir", text, compress=False)
    return tmp_path / "old", tmp_path / "new"


def test_the_same_is_the_same(tmp_path):
    assert remake.differences(OLD, copy.deepcopy(OLD), *folders(tmp_path, "x", "x")) == []


def test_a_text_differs_only_under_equal_versions(tmp_path):
    places = folders(tmp_path, "x", "y")
    assert remake.differences(OLD, copy.deepcopy(OLD), *places) == ["a.sdy.mlir: the text differs"]
    newer = copy.deepcopy(OLD)
    newer["versions"]["jax"] = "2"
    newer["files"][0]["operators"]["stablehlo.add"] = 2
    assert remake.differences(OLD, newer, *places) == []


def test_counts_must_be_equal_under_any_version(tmp_path):
    newer = copy.deepcopy(OLD)
    newer["versions"]["jax"] = "2"
    newer["dot_flops"] = 9
    newer["files"][0]["collectives"][0]["count"] = 3
    assert remake.differences(OLD, newer, *folders(tmp_path, "x", "x")) == [
        "dot_flops: 8 became 9", "files[0].collectives[0].count: 1 became 3"]


def test_numbers_in_names_of_optimized_programs_do_not_count(tmp_path):
    old = {"name": "a", "versions": {}, "files": [{"file": "a.optimized.hlo"}]}
    for name, text in (("old", "%add.3 = f32[4]"), ("same", "%add.15 = f32[4]"), ("other", "%add.3 = f32[5]")):
        (tmp_path / name).mkdir()
        ir_text.write(tmp_path / name / "a.optimized.hlo", text, compress=False)
    assert remake.differences(old, old, tmp_path / "old", tmp_path / "same") == []
    assert remake.differences(old, old, tmp_path / "old", tmp_path / "other") == ["a.optimized.hlo: the text differs"]
