"""The command line from end to end, and the models against what they are known to compute."""

import json
import pathlib
import re
import shlex
import subprocess
import sys

import ir_text
import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "workloads" / "capture" / "torch_capture.py"
OWN = """
import torch
from torch import nn

class Mlp(nn.Module):
    def __init__(self, width=256):
        super().__init__()
        self.up, self.down = nn.Linear(64, width, bias=False), nn.Linear(width, 64, bias=False)
        self.register_buffer("shift", torch.zeros(64))

    def forward(self, x):
        return self.down(torch.relu(self.up(x + self.shift)))

def number():
    return 3

def scattered(x, mesh):
    return torch.distributed._functional_collectives.reduce_scatter_tensor(x, "sum", 0, mesh.get_group("tp"))

def attention(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
"""


def capture(folder, *words):
    (folder / "own.py").write_text(OWN)
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *words], cwd=folder, capture_output=True, text=True,
                          check=False)


def manifest_of(folder, *words):
    """Capture as the words say; return the manifest."""
    done = capture(folder, *words, "-o", "out")
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "out.json").read_text())


def counts(manifest):
    """Return {(kind, axes): count}."""
    groups = manifest["process_groups"]
    return {(row["kind"].partition("_into")[0].partition("_tensor")[0], *groups[row["process_group"]]["axes"]):
            row["count"] for row in manifest["files"][0]["collectives"]}


def test_a_module_of_ones_own(tmp_path):
    manifest = manifest_of(tmp_path, "own:Mlp", "--set", "width=512", "--mesh", "dp_replicate=2,dp_shard=4",
                           "--input", "f32[8,64]", "--compute", "f32")
    assert manifest["devices"] == 8 and manifest["parameters"] == 2 * 64 * 512
    # Three products of 8 * 64 * 512 for each matrix, but for the gradient of the input.
    assert manifest["flops"] == 5 * 2 * 8 * 64 * 512
    # The first matrix is used for no gradient, and so is not gathered again.
    assert counts(manifest) == {("all_gather", "dp_shard"): 3, ("reduce_scatter", "dp_shard"): 2,
                                ("all_reduce", "dp_replicate"): 2}
    text = (tmp_path / "out.fx").read_text()
    assert '"f32[128, 64][64, 1]cpu"' in text and ".py" not in text


def test_gathered_parameters_may_be_kept(tmp_path):
    manifest = manifest_of(tmp_path, "own:Mlp", "--mesh", "dp_shard=4", "--input", "f32[8,64]", "--keep-gathered",
                           "--compute", "f32")
    assert counts(manifest)["all_gather", "dp_shard"] == 2


def test_inference_has_no_backward_pass(tmp_path):
    manifest = manifest_of(tmp_path, "own:Mlp", "--mesh", "dp_shard=4", "--input", "bf16[8,64]", "--mode", "inference")
    assert manifest["flops"] == 2 * 2 * 8 * 64 * 256
    assert counts(manifest) == {("all_gather", "dp_shard"): 2}


def test_a_function(tmp_path):
    shape = ["--input", "bf16[1,2,64,16]"] * 3
    manifest = manifest_of(tmp_path, "own:attention", "--function", "--input-gradients", "--mesh", "tp=2", *shape)
    # Two products forward, five backward, masked or not.
    assert manifest["flops"] == 7 * 2 * 2 * 64 * 64 * 16


def test_a_function_of_the_mesh(tmp_path):
    manifest = manifest_of(tmp_path, "own:scattered", "--function", "--mode", "inference", "--mesh", "dp_shard=3,tp=2",
                           "--input", "bf16[8,4]")
    assert counts(manifest) == {("reduce_scatter", "tp"): 1}
    assert manifest["files"][0]["collectives"][0]["bytes"] == 2 * 8 * 4


def test_captures_are_the_same_bytes_each_time(tmp_path):
    files = []
    for name in ("a", "b"):
        assert capture(tmp_path, "own:Mlp", "--mesh", "dp_shard=2", "--input", "bf16[8,64]", "--gzip", "-o",
                       f"{name}/mlp").returncode == 0
        files.append((tmp_path / name / "mlp.fx.gz").read_bytes())
    assert files[0] == files[1]
    assert str(tmp_path) not in ir_text.read(tmp_path / "a" / "mlp.fx.gz")


LLAMA = ["models.torch_llama:llama3_8b", "--set", "layers=2", "--input", "i64[1,256]"]


def test_flints_plan_of_tensor_parallelism(tmp_path):
    manifest = manifest_of(tmp_path, *LLAMA, "--mesh", "dp_shard=2,tp=2", "--tensor-parallel", "flint")
    # 9 parameters a layer and 3 more; all but the embedding's table are gathered again.
    assert counts(manifest) == {("all_gather", "dp_shard"): 2 * (2 * 9 + 3) - 1, ("all_gather", "tp"): 1,
                                ("reduce_scatter", "dp_shard"): 2 * 9 + 3, ("reduce_scatter", "tp"): 1,
                                ("all_reduce", "tp"): 2 * 7 + 1}


def test_replicated_norms_sum_once_more(tmp_path):
    # As Flint's, but that the head's input is whole on every rank: its gradient is summed instead of scattered.
    manifest = manifest_of(tmp_path, *LLAMA, "--mesh", "tp=2", "--tensor-parallel", "replicated")
    assert counts(manifest) == {("all_reduce", "tp"): 2 * 7 + 1}


def test_sequence_parallelism_gathers_and_scatters(tmp_path):
    # Two pairs a layer (attention, MLP) and one at the head, forward and backward, and the embedding's.
    manifest = manifest_of(tmp_path, *LLAMA, "--mesh", "tp=2", "--tensor-parallel", "sequence")
    got = counts(manifest)
    assert got["all_gather", "tp"] == 2 * (2 + 2) + 1 + 1
    assert got["reduce_scatter", "tp"] == 2 * (2 + 2) + 1 + 1


def test_experts_over_ranks(tmp_path):
    manifest = manifest_of(tmp_path, "models.torch_mixtral:mixtral_8x7b", "--set", "layers=1", "--mesh",
                           "dp_shard=2,ep=4", "--input", "i64[1,256]")
    got = counts(manifest)
    assert got["all_to_all_single", "ep"] == 4
    # Experts' three matrices over dp_shard, everything else over both.
    assert got["reduce_scatter", "dp_shard"] == 3
    assert got["reduce_scatter", "dp_shard", "ep"] == 1 + 4 + 2 + 1 + 2


@pytest.mark.parametrize("words, message", [
    (["own:absent", "--mesh", "dp_shard=2", "--input", "f32[8,64]"], "has no attribute 'absent'"),
    (["absent:Mlp", "--mesh", "dp_shard=2", "--input", "f32[8,64]"], "No module named 'absent'"),
    (["own:number", "--mesh", "dp_shard=2", "--input", "f32[8,64]"], "made int, not a torch.nn.Module"),
    (["own:Mlp", "--mesh", "data=2", "--input", "f32[8,64]"], "unknown axis 'data'"),
    (["own:Mlp", "--mesh", "tp=2", "--input", "f32[8,64]"], "own:Mlp has no tensor_parallel(mesh, …)"),
    (["own:attention", "--function", "--mesh", "tp=2", *["--input", "f32[1,2,8,4]"] * 3], "has nothing to train"),
    (["own:Mlp", "--mesh", "dp_shard=2", "--input", "8,64"], "--input '8,64' is not DTYPE[DIM,...]"),
    (["own:Mlp", "--mesh", "dp_shard=2", "--input", "q7[8]"], "unknown type 'q7'"),
    (["own:Mlp", "--mesh", "dp_shard=2", "--input", "f32[8,64]", "--rank", "2"], "the mesh has ranks 0 to 1"),
    (["own:Mlp", "--mesh", "dp_shard=2", "--input", "bf16[8,65]"], "own:Mlp: RuntimeError"),
])
def test_what_is_wrong_is_said_with_code_2(tmp_path, words, message):
    done = capture(tmp_path, *words)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.glob("*.json"))


def test_the_example_of_the_documentation(tmp_path):
    page = (SCRIPT.parents[2] / "docs" / "capture.md").read_text(encoding="utf-8")
    (tmp_path / "mynet.py").write_text(re.search(r"```python\n(import torch.*?)```", page, re.DOTALL)[1])
    command = shlex.split(re.search(r"^    torch_capture\.py (mynet:.*)$", page, re.MULTILINE)[1])
    assert capture(tmp_path, *command).stderr == ""
    assert (tmp_path / "net.fx").exists()
