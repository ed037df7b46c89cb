import numpy as np
import pandas as pd
import pytest

from dse_analysis.kernel_features import FORMATS, KINDS, RUNNER_FAMILIES, Kernels, attention_families, runner_families

COMMON = {"library": "trtllm", "release": "1.3.0rc20", "format": "bf16"}
ATTENTION = {**COMMON, "heads": 16, "kv_heads": 4, "head_dim": 128}
EXPERTS = {**COMMON, "operator": "experts", "capability": 12.0, "tokens": 64, "hidden": 4096, "inner": 1536, "choices": 8, "experts": 128,
           "tensor_ranks": 2, "expert_ranks": 4, "load": "power_law_1.2", "gated": "yes", "low_latency": "no"}

#: Kernels with the number of their features, their sum, their sum weighted by 1, 2, 3, …, and the bare form; and of their
#: costs in microseconds the number, the sum, the weighted sum, and the family: what
#: tests/model/compute/learned/kernel_features_test.cpp expects of the same.
EXPECTED = [
    ({**COMMON, "operator": "gemm", "library": "vllm", "format": "fp8", "m": 1000, "n": 4096, "k": 2048},
     22, 83.939777299, 1032.454948140, -8.955335481834,
     10, 419.473676190, 1901.394864762, 10),
    ({**COMMON, "operator": "gemm", "m": 64, "n": 4096, "k": 2048}, 22, 54.454539760, 668.489604671, -10.741340058418,
     10, 143.770843607, 763.151069713, 0),
    ({**ATTENTION, "operator": "prefill", "batch": 2, "window": 512, "queries": 1024, "keys": 1024, "cache": "bf16"},
     24, 198.108258978, 2798.707602871, -8.837341744601,
     14, 285.256516978, 1883.482978133, 36),
    ({**ATTENTION, "operator": "decode", "batch": 8, "window": 0, "queries": 1, "keys": 4096, "cache": "fp8"},
     24, 181.114234971, 2618.993513341, -10.677065750522,
     11, 67.702873141, 526.866661701, 18),
    ({**COMMON, "operator": "experts", "format": "nvfp4", "tokens": 64, "hidden": 4096, "inner": 1536, "choices": 8, "experts": 128,
      "tensor_ranks": 2, "expert_ranks": 4, "load": "power_law_1.2", "gated": "yes", "low_latency": "no"},
     27, 78.409620976, 971.164786397, -8.500680858095,
     19, 823.626919154, 4727.175847087, 3),
    ({**COMMON, "operator": "experts", "tokens": 4, "hidden": 4096, "inner": 1536, "choices": 8, "experts": 128, "tensor_ranks": 2,
      "expert_ranks": 1, "load": "power_law_1.01", "gated": "yes", "low_latency": "no"},
     27, 65.788746524, 789.631519294, -7.399213305228,
     19, 2688.034863018, 15314.049159375, 0),
    ({**COMMON, "operator": "experts", "tokens": 16, "hidden": 4096, "inner": 1536, "choices": 8, "experts": 128, "tensor_ranks": 2,
      "expert_ranks": 1, "load": "power_law_1.01", "gated": "yes", "low_latency": "no"},
     27, 80.085717682, 941.090260253, -6.363303905051,
     19, 7613.226559826, 42566.523113144, 0),
    ({**EXPERTS, "format": "nvfp4"}, 27, 78.409620976, 971.164786397, -8.500680858095, 19, 387.884493681, 7301.560145354, 3),
    ({**EXPERTS, "format": "fp8_block"}, 27, 79.783690453, 953.452039288, -7.956686379128, 19, 344.725936981, 6481.547568038, 2),
    ({**COMMON, "operator": "latent_decode_block", "library": "vllm", "format": "fp8_block", "batch": 4, "heads": 16, "queries": 1,
      "keys": 2048, "cache": "bf16"}, 19, 33.660195447, 390.071797081, -9.711919546439,
     14, 76.994191644, 648.882332444, 11),
    ({**COMMON, "operator": "latent_prefill", "batch": 4, "heads": 16, "queries": 256, "keys": 512, "cache": "fp8"},
     19, 61.797051974, 664.003906089, -9.684832180715,
     11, 191.964316444, 1250.021390222, 18),
    ({**COMMON, "operator": "latent_decode", "capability": 8.0, "batch": 200, "heads": 16, "queries": 1, "keys": 2048, "cache": "bf16"},
     19, 65.869693238, 531.286111259, -6.277010710594,
     9, 2324.178844444, 18387.710933333, 0),
    ({**COMMON, "operator": "latent_decode", "capability": 12.0, "batch": 200, "heads": 16, "queries": 1, "keys": 2048, "cache": "bf16"},
     19, 64.869693238, 513.286111259, -6.277010710594,
     9, 2324.178844444, 18387.710933333, 0)]


@pytest.mark.parametrize("kernel, count, total, weighted, bare, costs, cost, weighted_cost, family", EXPECTED)
def test_features_are_those_of_the_program(kernel, count, total, weighted, bare, costs, cost, weighted_cost, family):
    device = {"rates": [[80e12, 160e12, 320e12, 80e12]], "products": [[80e12, 140e12, 320e12, 80e12]], "loaded": [0.9], "memory": [1e12], "multiprocessors": [100], "cache": [50e6],
              "capability": [kernel.get("capability", 9.0)], "cycle": [1e-9]}
    features, form, parts, families = KINDS[kernel["operator"]](Kernels(pd.DataFrame([kernel]), device))
    assert features.shape == (1, count)
    assert features.sum() == pytest.approx(total, abs=1e-8)
    assert features[0] @ np.arange(1, count + 1) == pytest.approx(weighted, abs=1e-8)
    assert form[0] == pytest.approx(bare, abs=1e-11)
    microseconds = np.array(list(parts.values()))[:, 0] * 1e6
    assert len(microseconds) == costs
    assert microseconds.sum() == pytest.approx(cost, abs=1e-8)
    assert microseconds @ np.arange(1, costs + 1) == pytest.approx(weighted_cost, abs=1e-8)
    assert families[0] == family


def product(library, name, n):
    """Return the costs [s] of a product of one row with n x 1,000 weights on a device with a cache of 1 MB."""
    device = {"rates": [[1e12] * 4], "products": [[1e12] * 4], "loaded": [1.0], "memory": [1e12], "multiprocessors": [100], "cache": [1e6],
              "capability": [9.0], "cycle": [1e-9]}
    row = {"library": library, "format": name, "m": 1, "n": n, "k": 1000}
    return {cost: values[0] for cost, values in KINDS["gemm"](Kernels(pd.DataFrame([row]), device))[2].items()}


def test_copies_of_weights_leave_the_cache():
    """Six copies of 140 kB (vLLM, SGLang) fit 0.85 of 1 MB, six of 200 kB do not fit 1.2, but one does; TensorRT-LLM goes through five."""
    assert product("vllm", "bf16", 70)["memory"] == 0
    for library in ("vllm", "sglang"):
        assert product(library, "bf16", 100)["cached"] == 0
    assert product("vllm", "nvfp4", 300)["memory"] == 0  # one copy of 169 kB
    assert 0 < product("trtllm", "bf16", 100)["memory"] < product("vllm", "bf16", 100)["memory"]  # five of 200 kB: 1.002 MB
    assert product("trtllm", "bf16", 650)["cached"] == 0  # one of 1.3 MB


def test_experts_of_all_libraries_share_the_weights_of_what_runs_them():
    """vLLM 0.24.0 runs TensorRT-LLM's kernels on RTX PRO 6000, and Triton's, which are another family, on L40S."""
    device = {"rates": [[1e12] * 4] * 3, "products": [[1e12] * 4] * 3, "loaded": [1.0] * 3, "memory": [1e12] * 3, "multiprocessors": [100] * 3,
              "cache": [1e6] * 3, "capability": [12.0, 12.0, 8.9], "cycle": [1e-9] * 3}
    rows = pd.DataFrame({"library": ["trtllm", "vllm", "vllm"], "release": ["1.3.0rc20", "0.24.0", "0.24.0"], "format": "fp8", "gated": "yes",
                         "low_latency": "no"})
    fp8, cutlass = list(FORMATS).index("fp8"), 1
    assert runner_families(Kernels(rows, device)).tolist() == [RUNNER_FAMILIES + fp8 + len(FORMATS) * cutlass] * 2 + [RUNNER_FAMILIES + fp8]


def test_prefill_of_all_libraries_shares_the_weights_of_what_runs_it():
    """On B200, FlashInfer has TensorRT-LLM's kernels for a cache in fp8, but none for heads of 192, which vLLM runs in Triton's."""
    device = {"rates": [[1e12] * 4] * 3, "products": [[1e12] * 4] * 3, "loaded": [1.0] * 3, "memory": [1e12] * 3, "multiprocessors": [100] * 3,
              "cache": [1e6] * 3, "capability": [10.0] * 3, "cycle": [1e-9] * 3}
    rows = pd.DataFrame({"library": ["trtllm", "vllm", "vllm"], "release": ["1.3.0rc20", "0.24.0", "0.24.0"], "format": "bf16",
                         "head_dim": [128, 128, 192], "cache": "fp8", "window": [0, 0, 128]})
    generated, runners = 3, 9
    narrow, with_window = runners, 2 * runners
    places = [generated + narrow] * 2 + [narrow + with_window]
    assert attention_families(Kernels(rows, device)).tolist() == [RUNNER_FAMILIES + len(FORMATS) * place for place in places]
