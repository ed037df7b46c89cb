#include "model/compute/learned/kernel_runner.hpp"

#include "dse/model/compute/learned/release_order.hpp"

namespace dse::model {
namespace {

/// Tensor cores with memory of their own.
bool has_tensor_memory(double capability) {
    return capability >= 10.0 && capability < 12.0;
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
    const bool hopper = capability >= 9.0 && capability < 10.0;
    if (work.format == OperandFormat::mxfp4_weight)
        return hopper ? KernelRunner::triton : KernelRunner::marlin;
    if (capability < 9.0 || (hopper && work.format == OperandFormat::bf16)) return KernelRunner::triton;
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

}  // namespace dse::model
