#include "model/compute/learned/kernel_runner.hpp"

#include <algorithm>
#include <initializer_list>

#include "dse/model/compute/learned/release_order.hpp"

namespace dse::model {
namespace {

/// Tensor cores with memory of their own.
bool has_tensor_memory(double capability) {
    return capability >= 10.0 && capability < 12.0;
}

bool is_hopper(double capability) {
    return capability >= 9.0 && capability < 10.0;
}

KernelRunner of_tensorrt_llm(const Kernel& work, double capability) {
    const bool tensor_memory = has_tensor_memory(capability);
    if (work.low_latency) return KernelRunner::generated;
    switch (work.format) {
        case OperandFormat::fp8_block:
            if (tensor_memory) return KernelRunner::deepgemm;
            return capability >= 12.0 ? KernelRunner::triton : KernelRunner::cutlass;
        case OperandFormat::mxfp4_weight:
            return tensor_memory ? KernelRunner::generated : KernelRunner::triton;
        case OperandFormat::mxfp4_fp8:
            return tensor_memory ? KernelRunner::generated : KernelRunner::cutlass;
        default:
            return KernelRunner::cutlass;
    }
}

KernelRunner of_vllm(const Kernel& work, double capability) {
    if (work.format == OperandFormat::int4_weight) return KernelRunner::marlin;
    if (release_before(work.release, "0.24"))
        return work.format == OperandFormat::nvfp4 ? KernelRunner::generated : KernelRunner::triton;
    if (has_tensor_memory(capability)) return work.gated ? KernelRunner::generated : KernelRunner::cutlass;
    if (work.format == OperandFormat::mxfp4_weight)
        return is_hopper(capability) ? KernelRunner::triton : KernelRunner::marlin;
    if (capability < 9.0 || (is_hopper(capability) && work.format == OperandFormat::bf16))
        return KernelRunner::triton;
    return KernelRunner::cutlass;
}

KernelRunner of_sglang(const Kernel& work, double capability) {
    const bool late = !release_before(work.release, "0.5.14");
    if (late && has_tensor_memory(capability)) return KernelRunner::generated;
    switch (work.format) {
        case OperandFormat::int4_weight:
            return KernelRunner::marlin;
        case OperandFormat::nvfp4:
            return late ? KernelRunner::cutlass : KernelRunner::cute;
        case OperandFormat::mxfp4_weight:
            if (capability >= 12.0) return KernelRunner::marlin;
            [[fallthrough]];
        case OperandFormat::mxfp4_fp8:
            return late ? KernelRunner::triton : KernelRunner::generated;
        default:
            return KernelRunner::triton;
    }
}

bool is_one_of(double head_dim, std::initializer_list<double> sizes) {
    return std::ranges::find(sizes, head_dim) != sizes.end();
}

KernelRunner attention_of_vllm(const Kernel& work, double capability) {
    const bool tensor_memory = has_tensor_memory(capability);
    const bool of_flashinfer =
        is_one_of(work.head_dim, {64, 128, 256}) || (tensor_memory && work.head_dim == 512);
    if (tensor_memory && of_flashinfer) return KernelRunner::generated;
    // FlashAttention reads a cache in 8 bits on Hopper only, where its newest version has heads of 512.
    if (is_hopper(capability) || (work.head_dim <= 256 && !work.narrow_cache))
        return KernelRunner::flash_attention;
    return of_flashinfer ? KernelRunner::flashinfer : KernelRunner::triton;
}

KernelRunner attention_of_sglang(const Kernel& work, double capability) {
    const bool late = !release_before(work.release, "0.5.14");
    const bool window = work.window > 0.0;
    if (has_tensor_memory(capability))
        return work.head_dim == 192 ? KernelRunner::triton : KernelRunner::generated;
    if (is_hopper(capability)) {
        const bool other = work.head_dim == 512 || (work.head_dim == 256 && window);
        return late && other ? KernelRunner::triton : KernelRunner::flash_attention;
    }
    if (!late) return capability >= 12.0 ? KernelRunner::triton : KernelRunner::flash_attention;
    const bool of_flashinfer = capability >= 12.0 ? is_one_of(work.head_dim, {128, 256}) && !window
                                                  : is_one_of(work.head_dim, {128, 256, 512});
    return of_flashinfer ? KernelRunner::flashinfer : KernelRunner::triton;
}

}  // namespace

KernelRunner runner_of(const Kernel& work, double capability) {
    switch (work.library) {
        case KernelLibrary::trtllm:
            return of_tensorrt_llm(work, capability);
        case KernelLibrary::vllm:
            return of_vllm(work, capability);
        default:
            return of_sglang(work, capability);
    }
}

KernelRunner attention_runner_of(const Kernel& work, double capability) {
    switch (work.library) {
        case KernelLibrary::trtllm:
            return has_tensor_memory(capability) ? KernelRunner::generated : KernelRunner::fused;
        case KernelLibrary::vllm:
            return attention_of_vllm(work, capability);
        default:
            return attention_of_sglang(work, capability);
    }
}

}  // namespace dse::model
