"""The shipped captures of JAX: their manifests say what is in the files, and what is published of the models."""

import json
import pathlib

import hlo_counts
import ir_text
import pytest

CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "workloads" / "captures" / "jax"
MANIFESTS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CAPTURES.glob("*.json"))}
WHOLE = {"llama3_8b": 8_030_261_248, "llama3_70b": 70_553_706_496, "llama3_405b": 405_853_388_800,
         "mixtral_8x7b": 46_702_792_704, "resnet50": 25_557_032, "vit_l_16": 304_326_632}
# MaxText's sizes, by hand: layers * (4 * h * heads * 128 + 3 * h * f + 2 * h) + 2 * 32,000 * h + h.
WHOLE |= {"maxtext_22b": 48 * 6144 * (4 * 24 * 128 + 3 * 24576 + 2) + 64001 * 6144,
          "maxtext_32b": 32 * 8192 * (4 * 64 * 128 + 3 * 28672 + 2) + 64001 * 8192,
          "maxtext_52b": 32 * 12288 * (4 * 32 * 128 + 3 * 49152 + 2) + 64001 * 12288}


def entry(name, stage):
    return next(file for file in MANIFESTS[name]["files"] if file["stage"] == stage)


def collectives(name):
    return {(row["kind"], row["group"]): row for row in entry(name, "spmd")["collectives"]}


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifest_says_what_the_files_hold(name):
    manifest = MANIFESTS[name]
    assert manifest["name"] == name and manifest["files"]
    for file in manifest["files"]:
        text = ir_text.read(CAPTURES / file["file"])
        assert text.count("\n") == file["lines"]
        if file["stage"] in ("sdy", "gspmd"):
            assert ir_text.mlir_operators(text) == file["operators"]
        else:
            module = hlo_counts.Module(text)
            assert module.operators() == file["operators"]
            assert module.collectives() == file["collectives"]


@pytest.mark.parametrize("name", [name for name, m in MANIFESTS.items() if m["kind"] == "training step"])
def test_parameters_are_the_published_ones(name):
    assert MANIFESTS[name]["parameters"] == WHOLE[MANIFESTS[name]["model"]]


@pytest.mark.parametrize("name", MANIFESTS)
def test_partitioning_conserves_flops(name):
    manifest = MANIFESTS[name]
    for file in manifest["files"]:
        if file["stage"] in ("spmd", "optimized"):
            for key in ("dot_flops", "convolution_flops"):
                assert file[key] * manifest["devices"] == manifest[key] + executed_twice(manifest, key)


def executed_twice(manifest, key):
    """FLOPs that several devices spend on the same thing: the head, on every stage of a pipeline."""
    if "microbatches" not in manifest or key != "dot_flops":
        return 0
    # Llama-3 8B: three products of the tokens with a head of 4,096 x 128,256.
    return (manifest["mesh"]["stage"] - 1) * 3 * 2 * manifest["batch"] * manifest["sequence"] * 4096 * 128256


def test_no_place_of_a_machine_is_kept():
    for path in CAPTURES.iterdir():
        if path.suffix in (".gz", ".mlir", ".hlo", ".json"):
            text = ir_text.read(path)
            assert ".py\"" not in text and "source_file" not in text and "loc(" not in text, path.name


def test_layers_of_fsdp_gather_and_reduce_each_parameter():
    # 32 layers of 9 parameters, the last norm and the head are gathered in the forward and again in the backward
    # pass; of the embedding the rows move instead, in two all-to-alls. Each of the 291 gradients is summed; but that
    # the embedding's has no sum over devices (each scatters all tokens' gradients into its own columns), the loss.
    rows = collectives("llama3_8b_fsdp8")
    assert rows["all-gather", 8]["count"] == 2 * (32 * 9 + 2)
    assert rows["all-reduce", 8]["count"] == 32 * 9 + 3


def test_layers_of_tensor_parallelism_sum_seven_times():
    # Flint's count of the same model is 224 = 32 x 7: wo and w2 forward; the inputs' gradients of wq, wk, wv, w1
    # and w3 backward. Here the embedding and the loss over a split vocabulary add five.
    assert collectives("llama3_8b_tp8")["all-reduce", 8]["count"] == 32 * 7 + 5


def test_experts_exchange_tokens_four_times_a_layer():
    # Out and back, in the forward and in the backward pass.
    assert collectives("mixtral_8x7b_ep8")["all-to-all", 8]["count"] == 4 * 32
