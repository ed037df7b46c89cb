"""Which kernels a library runs experts with: src/model/compute/learned/kernel_runner.cpp, by the same rules.

Both must be changed together; tests/model/compute/learned/runners.txt holds what both say.
Source: `kernel_source` of the tables of ai-dynamo/aiconfigurator 095f58a51c4c (moe_perf.parquet), where a table has several
those of most gated rows; a library decides by format and compute capability (vLLM: fused_moe/oracle).
"""

import re

#: In the order of model::KernelRunner: Triton's fused kernel, CUTLASS' grouped products (TensorRT-LLM's, which FlashInfer has,
#: too), Marlin's for narrow weights, one kernel for a whole layer that TensorRT-LLM generates, DeepGEMM and CuTe's grouped products.
RUNNERS = ("triton", "cutlass", "marlin", "generated", "deepgemm", "cute")


def tensorrt_llm(form, capability, low_latency):
    tensor_memory = 10 <= capability < 12
    if low_latency:
        return "generated"
    if form == "fp8_block":
        return "deepgemm" if tensor_memory else "triton" if capability >= 12 else "cutlass"
    if form == "mxfp4_weight":
        return "generated" if tensor_memory else "triton"
    return "generated" if form == "mxfp4_fp8" and tensor_memory else "cutlass"


def vllm(numbers, form, capability, gated):
    if form == "int4_weight":
        return "marlin"
    if numbers < [0, 24]:
        return "generated" if form == "nvfp4" else "triton"
    if 10 <= capability < 12:
        return "generated" if gated else "cutlass"
    if form == "mxfp4_weight":
        return "triton" if 9 <= capability < 10 else "marlin"
    if capability < 9 or (capability < 10 and form == "bf16"):
        return "triton"
    return "cutlass"


def sglang(numbers, form, capability):
    if numbers >= [0, 5, 14] and 10 <= capability < 12:
        return "generated"
    if form == "int4_weight":
        return "marlin"
    if form == "nvfp4":
        return "cutlass" if numbers >= [0, 5, 14] else "cute"
    if form == "mxfp4_weight" and capability >= 12:
        return "marlin"
    return "generated" if form.startswith("mxfp4") and numbers < [0, 5, 14] else "triton"


def runner(library, release, form, capability, gated=True, low_latency=False):
    """Return the name in RUNNERS of the kernels of a layer's experts."""
    numbers = [int(number) for number in re.findall(r"\d+", release)]
    if library == "trtllm":
        return tensorrt_llm(form, capability, low_latency)
    return vllm(numbers, form, capability, gated) if library == "vllm" else sglang(numbers, form, capability)
