"""Every shipped file fulfils the schema of its kind, and a planted error does not; jsonschema is the judge."""

import copy
import functools
import json
import os
import pathlib
import re
import subprocess

import jsonschema
import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {"sweep": "sweeps", "model": "workloads/models", "template": "workloads/templates", "cluster": "hardware/clusters",
           "device": "hardware/devices", "stack": "workloads/stacks"}
FILES = [(kind, path) for kind, folder in FOLDERS.items() for path in sorted((ROOT / folder).glob("*.yaml"))]


@functools.cache
def validator(kind):
    text = subprocess.run([os.environ["DSE"], "schema", kind], check=True, capture_output=True, text=True).stdout
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_shipped_schema_is_the_one_that_is_printed(kind):
    printed = subprocess.run([os.environ["DSE"], "schema", kind], check=True, capture_output=True, text=True).stdout
    shipped = (ROOT / "schemas" / f"{kind}.json").read_text(encoding="utf-8")
    assert shipped == printed, f"run: dse schema {kind} --force -o schemas/{kind}.json"


def references(value):
    """Return every $ref in a schema."""
    if isinstance(value, list):
        return [found for inner in value for found in references(inner)]
    if not isinstance(value, dict):
        return []
    here = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
    return here + [found for inner in value.values() for found in references(inner)]


@pytest.mark.parametrize("kind", FOLDERS)
def test_every_definition_is_used_and_every_reference_defined(kind):
    schema = validator(kind).schema
    assert {f"#/$defs/{name}" for name in schema.get("$defs", {})} == set(references(schema))


def test_no_schema_is_large():
    """Shared definitions: without them the sweep's schema is 728 KB."""
    assert max((ROOT / "schemas" / f"{kind}.json").stat().st_size for kind in FOLDERS) < 260_000


def written(tmp_path, kind, *arguments):
    """Return what dse wrote, with the schema that its first line names; that has to be the shipped one."""
    subprocess.run([os.environ["DSE"], *arguments], check=True, capture_output=True, cwd=tmp_path)
    (path,) = tmp_path.glob("*.yaml")
    named = re.match(r"# yaml-language-server: \$schema=(.*)\n", path.read_text(encoding="utf-8")).group(1)
    assert json.loads(pathlib.Path(named).read_text(encoding="utf-8")) == validator(kind).schema
    return load(path)


@pytest.mark.parametrize("goal", ["training", "serving"])
def test_what_init_writes_is_valid_and_names_its_schema(tmp_path, goal):
    assert validator("sweep").is_valid(written(tmp_path, "sweep", "init", "--goal", goal))


def test_what_import_writes_is_valid_and_names_its_schema(tmp_path):
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
              "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert validator("model").is_valid(written(tmp_path, "model", "import", "config.json", "-o", "."))


def load(path):
    return with_text_keys(yaml.safe_load(path.read_text(encoding="utf-8")))


def with_text_keys(value):
    """Return the value with keys as JSON has them: YAML's may be numbers."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(inner) for key, inner in value.items()}
    return [with_text_keys(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("kind, path", FILES, ids=[str(path.relative_to(ROOT)) for _, path in FILES])
def test_a_shipped_file_is_valid(kind, path):
    error = jsonschema.exceptions.best_match(validator(kind).iter_errors(load(path)))
    assert error is None, f"{error.json_path}: {error.message}"


@pytest.mark.parametrize("kind, path", FILES, ids=[str(path.relative_to(ROOT)) for _, path in FILES])
def test_a_modeline_names_the_schema_of_its_kind(kind, path):
    for schema in re.findall(r"^# yaml-language-server: \$schema=(.*)$", path.read_text(encoding="utf-8"), re.M):
        assert (path.parent / schema).resolve() == ROOT / "schemas" / f"{kind}.json"


def put(*keys, value):
    """Return a change that puts a value at nested keys."""
    def change(data):
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = value
    return change


def drop(*keys):
    def change(data):
        for key in keys[:-1]:
            data = data[key]
        del data[keys[-1]]
    return change


PLANTED = [
    ("sweep", "smoke", put("axess", value={})),
    ("sweep", "smoke", drop("name")),
    ("sweep", "smoke", put("axes", value={})),
    ("sweep", "smoke", put("axes", "tp", value={"from": 1, "until": 8})),
    ("sweep", "smoke", put("workload", "sequnce", value=8192)),
    ("sweep", "smoke", put("workload", "global_batch", value=0)),
    ("sweep", "smoke", put("workload", "global_batch", value=1.5)),
    ("sweep", "smoke", put("workload", "mode", value="trainig")),
    ("sweep", "smoke", put("workload", "zero", value=4)),
    ("sweep", "smoke", put("system", "cluster", value=["h100_ndr400"])),
    ("sweep", "smoke", put("objectives", value={"iteration_time": "smallest"})),
    ("sweep", "smoke", put("search", value={"method": "gird"})),
    ("sweep", "smoke", put("require", value={"a": "b"})),
    ("model", "llama3_8b", put("symbols", "h", value=0)),
    ("model", "llama3_8b", put("layers", value=32)),
    ("model", "llama3_8b", drop("template")),
    ("model", "llama3_8b", put("blocks", value=[])),
    ("model", "llama3_8b", put("blocks", value=[{"decoder_layer": 1, "head": 1}])),
    ("template", "llama", drop("boundary")),
    ("template", "llama", put("blocks", "head", "operator", value=[])),
    ("template", "llama", drop("blocks", "head", "operators")),
    ("template", "llama", put("blocks", "head", "parameters", "w_norm", value={"split": {"0": "tp"}})),
    ("template", "llama", put("blocks", "head", "parameters", "w_norm", "storage", value="disk")),
    ("template", "llama", put("blocks", "head", "parameters", "w_norm", "split", value={"first": "tp"})),
    ("cluster", "h100_ndr400", drop("devices_per_node")),
    ("cluster", "h100_ndr400", put("devices_per_node", value=0)),
    ("cluster", "h100_ndr400", put("network", "scale_out", "bandwidth", value=400)),
    ("cluster", "h100_ndr400", put("netwrok", value={})),
    ("device", "h100_sxm", put("memory", "capacity", value=80)),
    ("device", "h100_sxm", put("memory", "capacity", value={"value": "80 GB", "sorce": "me"})),
    ("device", "h100_sxm", drop("memory")),
    ("stack", "mcore_2024", put("zero", value="one")),
    ("stack", "mcore_2024", put("precisoin", value="bf16")),
]


@pytest.mark.parametrize("number", range(len(PLANTED)))
def test_a_planted_error_is_refused(number):
    kind, name, change = PLANTED[number]
    data = load(ROOT / FOLDERS[kind] / f"{name}.yaml")
    assert validator(kind).is_valid(data)
    wrong = copy.deepcopy(data)
    change(wrong)
    assert not validator(kind).is_valid(wrong)
