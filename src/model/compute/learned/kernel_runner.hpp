#pragma once

#include <cstdint>

#include "dse/config/choices.hpp"
#include "dse/model/compute/learned/kernel.hpp"

namespace dse::model {

/// Kernels that libraries run a layer's experts and attention with; several libraries have the same ones.
enum class KernelRunner : std::uint8_t {
    triton,     ///< one fused kernel a product
    cutlass,    ///< grouped products of TensorRT-LLM, which FlashInfer has, too
    marlin,     ///< products with narrow weights
    generated,  ///< one kernel for a whole layer or for attention, which TensorRT-LLM generates for tensor
                ///< cores with memory
    deepgemm,
    cute,
    flash_attention,
    flashinfer,  ///< its own, not those that it has from TensorRT-LLM
    fused,       ///< TensorRT-LLM's attention for other tensor cores
};
DSE_CHOICES(KernelRunner, triton, cutlass, marlin, generated, deepgemm, cute, flash_attention, flashinfer,
            fused);

/// What runs experts, by the rules of analysis/dse_analysis/kernel_runners.py, which names their source; both
/// must change together.
/// \param work  with a release
/// \param capability  NVIDIA's compute capability
KernelRunner runner_of(const Kernel& work, double capability);

/// What runs prefill and decode, likewise.
KernelRunner attention_runner_of(const Kernel& work, double capability);

}  // namespace dse::model
