"""Which kernels a library runs experts and attention with: src/model/compute/learned/kernel_runner.cpp, by the same rules.

Both must be changed together; runners.txt and attention_runners.txt of tests/model/compute/learned hold what both say.
Source: `kernel_source` of the tables of ai-dynamo/aiconfigurator 095f58a51c4c. Experts (moe_perf.parquet): where a table has several
those of most gated rows; a library decides by format and compute capability (vLLM: fused_moe/oracle). Attention
(context_attention_perf.parquet, generation_attention_perf.parquet): vLLM takes the first backend that has the size of heads and the
format of the cache, FlashInfer first on compute capability 10, else FlashAttention (vllm/platforms/cuda.py); SGLang as the
collector (collector/sglang/collect_attn.py) up to 0.5.10, later by itself.
"""

import re

#: In the order of model::KernelRunner: Triton's fused kernel, CUTLASS' grouped products (TensorRT-LLM's, which FlashInfer has,
#: too), Marlin's for narrow weights, kernels for a whole layer or attention that TensorRT-LLM generates, DeepGEMM and CuTe's grouped
#: products; FlashAttention's, FlashInfer's own, and TensorRT-LLM's written for each architecture (fmha_v2, XQA).
RUNNERS = ("triton", "cutlass", "marlin", "generated", "deepgemm", "cute", "flash_attention", "flashinfer", "fused")


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


def numbers_of(release):
    return [int(number) for number in re.findall(r"\d+", release)]


def runner(library, release, form, capability, gated=True, low_latency=False):
    """Return the name in RUNNERS of the kernels of a layer's experts."""
    numbers = numbers_of(release)
    if library == "trtllm":
        return tensorrt_llm(form, capability, low_latency)
    return vllm(numbers, form, capability, gated) if library == "vllm" else sglang(numbers, form, capability)


def vllm_attention(head_dim, narrow_cache, capability):
    tensor_memory = 10 <= capability < 12
    of_flashinfer = head_dim in (64, 128, 256) or (tensor_memory and head_dim == 512)
    if tensor_memory and of_flashinfer:
        return "generated"
    # FlashAttention reads a cache in 8 bits on Hopper only, where its newest version has heads of 512.
    if 9 <= capability < 10 or (head_dim <= 256 and not narrow_cache):
        return "flash_attention"
    return "flashinfer" if of_flashinfer else "triton"


def sglang_attention(numbers, head_dim, window, capability):
    late = numbers >= [0, 5, 14]
    if 10 <= capability < 12:
        return "triton" if head_dim == 192 else "generated"
    if 9 <= capability < 10:
        return "triton" if late and (head_dim == 512 or (head_dim == 256 and window)) else "flash_attention"
    if not late:
        return "triton" if capability >= 12 else "flash_attention"
    if capability >= 12:
        return "flashinfer" if head_dim in (128, 256) and not window else "triton"
    return "flashinfer" if head_dim in (128, 256, 512) else "triton"


def attention_runner(library, release, head_dim, narrow_cache, window, capability):
    """Return the name in RUNNERS of the kernels of prefill and decode; `narrow_cache`: in 8 bits, `window`: whether there is one."""
    if library == "trtllm":
        return "generated" if 10 <= capability < 12 else "fused"
    if library == "vllm":
        return vllm_attention(head_dim, narrow_cache, capability)
    return sglang_attention(numbers_of(release), head_dim, window, capability)
