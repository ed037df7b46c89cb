"""The command line from end to end, on a model of one's own."""

import json
import pathlib
import re
import resource
import shlex
import subprocess
import sys

import ir_text
import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "workloads" / "capture" / "jax_capture.py"
OWN = """
import jax, jax.numpy as jnp

def init():
    return {"w_in": jnp.zeros((64, 256), jnp.bfloat16), "w_out": jnp.zeros((256, 64), jnp.bfloat16)}

def step(parameters, x, scale=1.0):
    def loss(p):
        return jnp.sum(jax.nn.relu(x @ p["w_in"]) @ p["w_out"], dtype=jnp.float32) * scale
    return jax.grad(loss)(parameters)

def not_a_program(mesh):
    return 3

def fails(x):
    return x @ x
"""
GOOD = ["own:step", "--mesh", "data=2,model=4", "--arg=own:init", "--shard=w_in=-,model", "--shard=w_out=model",
        "--arg=bf16[8,64]@data"]


def capture(folder, *words):
    (folder / "own.py").write_text(OWN)
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *words], cwd=folder, capture_output=True, text=True,
                          check=False)


def test_a_model_of_ones_own(tmp_path):
    done = capture(tmp_path, *GOOD, "--emit", "sdy,gspmd,spmd,optimized", "-o", "out/mlp", "--set", "scale=2.0")
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "out" / "mlp.json").read_text())
    assert manifest["devices"] == 8 and manifest["mesh"] == {"data": 2, "model": 4}
    # Products of 8 x 64 x 256: two forward, two for the weights' gradients, one for the gradient between them. JAX
    # has written down both forward ones, though nothing reads the second.
    assert manifest["dot_flops"] == 5 * 2 * 8 * 64 * 256
    assert manifest["arguments"] == [{"tensors": 2, "bytes": 2 * 2 * 64 * 256}, {"tensors": 1, "bytes": 2 * 8 * 64}]
    sdy, gspmd, spmd, optimized = ((tmp_path / "out" / file["file"]).read_text() for file in manifest["files"])
    assert '#sdy.sharding<@mesh, [{}, {"model"}]>' in sdy and "mhlo.sharding" not in sdy
    assert "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}" in gspmd and "sdy." not in gspmd
    assert "bf16[4,64]" in spmd and "fusion(" not in spmd and "fusion(" in optimized
    # Both gradients are summed over data: 64 x 256 / 4 of bf16, each.
    partitioned = manifest["files"][2]
    assert partitioned["collectives"] == [
        {"kind": "all-reduce", "group": 2, "count": 2, "bytes": 2 * 2 * 64 * 64, "written": 2}]


def test_captures_are_the_same_bytes_each_time(tmp_path):
    texts = []
    for name in ("a", "b"):
        assert capture(tmp_path, *GOOD, "--emit", "sdy,spmd", "--gzip", "-o", name).returncode == 0
        texts.append([(tmp_path / f"{name}.{file}.gz").read_bytes() for file in ("sdy.mlir", "after_spmd.hlo")])
    assert texts[0] == texts[1]
    assert str(tmp_path) not in ir_text.read(tmp_path / "a.after_spmd.hlo.gz")


@pytest.mark.parametrize("words, message", [
    (["own:absent", "--mesh", "data=2"], "no function 'absent' (it has fails, init, not_a_program, step)"),
    (["absent:step", "--mesh", "data=2"], "cannot import 'absent'"),
    (["own:step", "--mesh", "data"], "'data' is not AXIS=SIZE"),
    (["own:step", "--mesh", "data=2", "--emit", "hlo"], "unknown stage 'hlo'"),
    (["own:step", "--mesh", "data=2", "--arg=own:init", "--shard=typo=data", "--arg=bf16[8,64]"], "matches no tensor"),
    (["own:step", "--mesh", "data=3", "--arg=own:init", "--shard=w_in=data"], "64 cannot be divided into 3 parts"),
    (["own:fails", "--mesh", "data=1", "--arg=f32[2,3]"], "own:fails: TypeError"),
    (["own:fails", "--mesh", "data=1", "--arg=f32[2,2]", "--emit=spmd"], "does not partition for one device"),
    (["own:not_a_program", "--mesh", "data=1", "--program"], "returned int, not a jax_program.Program"),
    (["models.jax_llama:training", "--program", "--mesh", "tensor=2"], "mesh axis 'tensor' splits nothing"),
    (["models.jax_llama:training", "--program", "--mesh", "fsdp=3"], "'batch' of 8 cannot be divided into 3 parts"),
])
def test_what_is_wrong_is_said_with_code_2(tmp_path, words, message):
    done = capture(tmp_path, *words)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.glob("*.json"))


def test_the_largest_model_takes_no_memory(tmp_path):
    # fp32 weights and two moments of 405B parameters are 4.9 TB.
    done = capture(tmp_path, "models.jax_llama:training", "--program", "--mesh", "fsdp=8,model=8", "--set", "size=405b")
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "training.json").read_text())
    assert manifest["arguments"][0]["bytes"] > 4.8e12
    # Of all commands that this process has run, in KiB.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1.5 * 2**20


def test_the_example_of_the_documentation(tmp_path):
    page = (SCRIPT.parents[2] / "docs" / "capture.md").read_text(encoding="utf-8").replace("\\\n", " ")
    (tmp_path / "mymodel.py").write_text(re.search(r"```python\n(import jax.*?)```", page, re.DOTALL)[1])
    command = shlex.split(re.search(r"^    jax_capture\.py (mymodel:.*)$", page, re.MULTILINE)[1])
    assert capture(tmp_path, *command).returncode == 0
    assert (tmp_path / "mymodel.sdy.mlir").exists() and (tmp_path / "mymodel.after_spmd.hlo").exists()
