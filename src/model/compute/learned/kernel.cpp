#include "dse/model/compute/learned/kernel.hpp"

namespace dse::model {

std::span<const std::string_view> choice_names(KernelKind) {
    static constexpr std::array<std::string_view, kernel_kind_count> names{"gemm",
                                                                           "prefill",
                                                                           "decode",
                                                                           "experts",
                                                                           "latent_prefill",
                                                                           "latent_decode",
                                                                           "latent_prefill_block",
                                                                           "latent_decode_block"};
    return names;
}

std::span<const std::string_view> choice_names(OperandFormat) {
    static constexpr std::array<std::string_view, 9> names{"bf16",        "fp8",          "fp8_block",
                                                           "nvfp4",       "int8",         "int8_weight",
                                                           "int4_weight", "mxfp4_weight", "mxfp4_fp8"};
    return names;
}

std::span<const std::string_view> choice_names(KernelLibrary) {
    static constexpr std::array<std::string_view, 3> names{"trtllm", "vllm", "sglang"};
    return names;
}

std::span<const std::string_view> choice_names(ExpertLoad) {
    static constexpr std::array<std::string_view, 3> names{"balanced", "power_law_1.01", "power_law_1.2"};
    return names;
}

}  // namespace dse::model
