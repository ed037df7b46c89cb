"""What a user writes on the command line, right and wrong."""

import capture_arguments
import pytest
from capture_arguments import CaptureError

MESH = {"data": 2, "model": 4}


def test_mesh_keeps_its_order():
    assert list(capture_arguments.parse_mesh("data=8, model=4").items()) == [("data", 8), ("model", 4)]
    assert capture_arguments.device_count({"data": 8, "model": 4}) == 32


@pytest.mark.parametrize("text, message", [
    ("", "no axis"), ("data", "not AXIS=SIZE"), ("data=0", "not AXIS=SIZE"), ("data=2,data=4", "appears twice"),
])
def test_a_wrong_mesh_says_why(text, message):
    with pytest.raises(CaptureError, match=message):
        capture_arguments.parse_mesh(text)


def test_a_tensor_with_its_sharding():
    tensor = capture_arguments.parse_tensor("bf16[16, 32,8]@data+model,-", MESH)
    assert tensor == capture_arguments.Tensor((16, 32, 8), "bfloat16", (("data", "model"), (), ()))
    assert capture_arguments.parse_tensor("i32[]", MESH) == capture_arguments.Tensor((), "int32", ())


@pytest.mark.parametrize("text, message", [
    ("b16[4]", "unknown type 'b16'"), ("f32", "neither"), ("f32[4]@batch", "no axis 'batch'"),
    ("f32[4,4]@data,data", "splits two dimensions"), ("f32[6]@model", "6 cannot be divided into 4 parts"),
    ("f32[8]@data,model", "has 2 dimensions, the tensor 1"),
])
def test_a_wrong_tensor_says_why(text, message):
    with pytest.raises(CaptureError, match=message):
        capture_arguments.parse_tensor(text, MESH)


def test_rules_take_the_last_equals_sign():
    pattern, axes = capture_arguments.parse_rule(r"\['w=x'\]=-,model", MESH)
    assert pattern.search("0['w=x']") and axes == ((), ("model",))
    for wrong in ("data", "([=data"):
        with pytest.raises(CaptureError, match="--shard"):
            capture_arguments.parse_rule(wrong, MESH)


def test_options_are_literals_or_text():
    assert capture_arguments.parse_options(["a=3", "b=True", "c=8b", "d=x=y"]) == {"a": 3, "b": True, "c": "8b", "d": "x=y"}
    with pytest.raises(CaptureError, match="not KEY=VALUE"):
        capture_arguments.parse_options(["a"])


def test_targets():
    assert capture_arguments.parse_target("a.b:c") == ("a.b", "c")
    for wrong in ("a.b", ":c", "a:", "a/b.py:c"):
        with pytest.raises(CaptureError, match="not MODULE:FUNCTION"):
            capture_arguments.parse_target(wrong)
