import numpy as np
import pandas as pd
import pytest

from dse_analysis.kernel_features import KINDS, Kernels

COMMON = {"library": "trtllm", "format": "bf16"}
ATTENTION = {**COMMON, "heads": 16, "kv_heads": 4, "head_dim": 128}

#: Kernels with the number of their features, their sum, their sum weighted by 1, 2, 3, …, and the bare form; and of their
#: costs in microseconds the number, the sum, the weighted sum, and the family: what
#: tests/model/compute/learned/kernel_features_test.cpp expects of the same.
EXPECTED = [
    ({**COMMON, "operator": "gemm", "library": "vllm", "format": "fp8", "m": 1000, "n": 4096, "k": 2048},
     22, 81.055033176, 1006.655275005, -8.987940277148,
     10, 427.651453968, 1947.754189206, 10),
    ({**COMMON, "operator": "gemm", "m": 64, "n": 4096, "k": 2048}, 22, 52.761978065, 653.028004717, -10.826571439060,
     10, 156.119978667, 803.141788444, 0),
    ({**ATTENTION, "operator": "prefill", "batch": 2, "window": 512, "queries": 1024, "keys": 1024, "cache": "bf16"},
     23, 190.108258978, 2614.707602871, -8.837341744601,
     14, 285.256516978, 1883.482978133, 36),
    ({**ATTENTION, "operator": "decode", "batch": 8, "window": 0, "queries": 1, "keys": 4096, "cache": "fp8"},
     23, 173.737763041, 2436.384582203, -10.053537680463,
     11, 102.793361357, 733.174532071, 18),
    ({**COMMON, "operator": "experts", "format": "nvfp4", "tokens": 64, "hidden": 4096, "inner": 1536, "choices": 8, "experts": 128,
      "tensor_ranks": 2, "expert_ranks": 4, "load": "power_law_1.2", "gated": "yes", "low_latency": "no"},
     27, 78.383062642, 970.686736383, -8.500680858095,
     17, 825.040039154, 3923.984932911, 3),
    ({**COMMON, "operator": "experts", "tokens": 4, "hidden": 4096, "inner": 1536, "choices": 8, "experts": 128, "tensor_ranks": 2,
      "expert_ranks": 1, "load": "power_law_1.01", "gated": "yes", "low_latency": "no"},
     27, 64.100347892, 759.240343920, -7.399213305228,
     17, 2688.309636351, 12637.579048002, 0),
    ({**COMMON, "operator": "latent_decode_block", "library": "vllm", "format": "fp8_block", "batch": 4, "heads": 16, "queries": 1,
      "keys": 2048, "cache": "bf16"}, 19, 33.660195447, 390.071797081, -9.711919546439,
     14, 76.994191644, 648.882332444, 11),
    ({**COMMON, "operator": "latent_prefill", "batch": 4, "heads": 16, "queries": 256, "keys": 512, "cache": "fp8"},
     19, 61.797051974, 664.003906089, -9.684832180715,
     11, 191.964316444, 1250.021390222, 18),
    ({**COMMON, "operator": "latent_decode", "capability": 8.0, "batch": 200, "heads": 16, "queries": 1, "keys": 2048, "cache": "bf16"},
     19, 65.668154637, 530.479956857, -6.478549311219,
     9, 3432.299377778, 23924.185600000, 0),
    ({**COMMON, "operator": "latent_decode", "capability": 12.0, "batch": 200, "heads": 16, "queries": 1, "keys": 2048, "cache": "bf16"},
     19, 64.668154637, 512.479956857, -6.478549311219,
     9, 3432.299377778, 23924.185600000, 0)]


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
