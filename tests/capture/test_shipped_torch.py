"""The shipped captures of PyTorch: their manifests say what is in the files, and what is published of the models."""

import collections
import json
import pathlib
import re

import ir_text
import pytest

CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "workloads" / "captures" / "torch"
MANIFESTS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CAPTURES.glob("*.json"))}
WHOLE = {"llama3_8b": 8_030_261_248, "llama3_70b": 70_553_706_496, "mixtral_8x7b": 46_702_792_704,
         "resnet50": 25_557_032, "vit_l_16": 304_326_632, "gpt2_large": 774_030_080, "opt_1_3b": 1_315_758_080,
         "bert_large": 335_141_888 - 1_049_600,  # without its pooler
         # Layers: 12 h^2 weights, 13 h biases and norms.
         "gpt_22b_layer": (12 * 6144 + 13) * 6144, "gpt3_175b_layer": (12 * 12288 + 13) * 12288}
CALL = re.compile(r"= torch\.ops\.(\w+\.\w+)\.")


def text_of(name):
    return ir_text.read(CAPTURES / MANIFESTS[name]["files"][0]["file"])


def collectives(name):
    """Return {(kind, process group): row}."""
    return {(row["kind"], row["process_group"]): row for row in MANIFESTS[name]["files"][0]["collectives"]}


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifest_says_what_the_file_holds(name):
    manifest, text = MANIFESTS[name], text_of(name)
    entry = manifest["files"][0]
    assert text.count("\n") == entry["lines"]
    assert collections.Counter(CALL.findall(text)) == entry["operators"]
    for row in entry["collectives"]:
        pattern = rf"= torch\.ops\._c10d_functional\.{row['kind']}\.default\(.*'{row['process_group']}'\)"
        assert len(re.findall(pattern, text)) == row["count"]
        assert row["group"] == len(manifest["process_groups"][row["process_group"]]["ranks"])
    assert f"# mesh: {json.dumps(manifest['mesh'])}\n" in text


@pytest.mark.parametrize("name", [name for name in MANIFESTS if "stage" not in name])
def test_parameters_are_the_published_ones(name):
    model = next(model for model in WHOLE if name.startswith(model))
    assert MANIFESTS[name]["parameters"] == WHOLE[model]


def test_no_place_of_a_machine_is_kept():
    for name in MANIFESTS:
        assert ".py" not in text_of(name), name


def test_products_of_llama_are_three_times_its_forward_ones():
    # One sequence of 8192 tokens a rank. A layer's matrices: 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336; the
    # head: 4096 * 128256; 2 FLOPs a multiply-add, three times for training. Attention over all pairs of tokens: two
    # products of 32 heads * 128 forward, five backward (FlopCounterMode counts the scores' recomputation).
    layer = 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336
    products = 3 * 2 * 8192 * (32 * layer + 4096 * 128256)
    attention = 7 * 32 * 2 * 32 * 128 * 8192 * 8192
    assert MANIFESTS["llama3_8b_fsdp8"]["flops"] == products + attention
    # With Flint's plan the head reads each rank's whole sequence as its share of one eight times as long.
    head = 3 * 2 * 8192 * 4096 * 128256
    assert MANIFESTS["llama3_8b_tp8"]["flops"] * 8 == products + attention + 7 * head


def test_images_take_what_is_published():
    # ResNet-50: 4.089e9 multiply-adds an image (He et al. say 3.8e9, without their shortcuts), thrice for training, but
    # that no gradient of the image is made: 7 * 7 * 3 * 64 * 112 * 112 multiply-adds less.
    forward = 4_089_184_256
    assert MANIFESTS["resnet50_dp8"]["flops"] == 32 * 2 * (3 * forward - 7 * 7 * 3 * 64 * 112 * 112)


def test_parameters_are_gathered_in_bf16_and_reduced_in_fp32():
    rows = collectives("llama3_8b_fsdp8")
    parameters, embedding = 8_030_261_248, 128256 * 4096
    assert rows["all_gather_into_tensor", "0"]["bytes"] == 2 * (2 * parameters - embedding) // 8
    assert rows["reduce_scatter_tensor", "0"]["bytes"] == 4 * parameters


def test_experts_exchange_tokens_four_times_a_layer():
    # Out and back, forward and backward: 4096 tokens * 2 experts of 4096 bf16 numbers.
    row = next(row for key, row in collectives("mixtral_8x7b_fsdp2_ep8").items() if key[0] == "all_to_all_single")
    assert row["count"] == 4 * 32 and row["bytes"] == 4 * 32 * 4096 * 2 * 4096 * 2
