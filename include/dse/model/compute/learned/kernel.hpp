#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dse/config/choices.hpp"

namespace dse::model {

/// Kind of a kernel in compute model `learned`, finer than graph::OpClass.
enum class KernelKind : std::uint8_t {
    gemm,
    prefill,               ///< attention of new tokens
    decode,                ///< attention of one token per sequence to the preceding ones
    experts,               ///< gated products of a layer's experts on one rank
    latent_prefill,        ///< DeepSeek's latent attention without its projections
    latent_decode,         ///< likewise, of one token per sequence
    latent_prefill_block,  ///< latent attention with its projections
    latent_decode_block,   ///< likewise, of one token per sequence
};
DSE_CHOICES(KernelKind, gemm, prefill, decode, experts, latent_prefill, latent_decode, latent_prefill_block,
            latent_decode_block);
inline constexpr std::size_t kernel_kind_count = 8;

/// Formats of a product's operands, which determine the matrix units used.
enum class OperandFormat : std::uint8_t {
    bf16,
    fp8,
    fp8_block,  ///< scales for blocks of 128 × 128
    nvfp4,
    int8,
    int8_weight,  ///< with bf16 activations, like the next two
    int4_weight,
    mxfp4_weight,
    mxfp4_fp8,  ///< weights and activations
};
DSE_CHOICES(OperandFormat, bf16, fp8, fp8_block, nvfp4, int8, int8_weight, int4_weight, mxfp4_weight,
            mxfp4_fp8);

/// The library of a kernel: libraries differ in fusion and in the kernels they select.
enum class KernelLibrary : std::uint8_t { trtllm, vllm, sglang };
DSE_CHOICES(KernelLibrary, trtllm, vllm, sglang);

/// Distribution of tokens over experts: the same number for each, or a power law with this exponent, as in
/// the tables of AIConfigurator.
enum class ExpertLoad : std::uint8_t { balanced, power_law_1_01, power_law_1_2 };
std::span<const std::string_view> choice_names(ExpertLoad);

/// One kernel on one device; sizes that do not apply to its kind keep their defaults. Sizes are numbers of
/// elements, rows or tokens, at least 1 unless stated otherwise. The trees know sizes like those they were
/// fitted to (docs/compute-accuracy.md); nothing here checks that.
struct Kernel {
    KernelKind kind{KernelKind::gemm};
    KernelLibrary library{KernelLibrary::trtllm};
    std::string release;  ///< of the library, as 0.24.0; empty: the one that the device's file says
    OperandFormat format{OperandFormat::bf16};
    // Products: (m × k)(k × n).
    double m{1};
    double n{1};
    double k{1};
    // Attention; heads are those of this rank.
    double batch{1};     ///< sequences
    double heads{1};     ///< of queries
    double kv_heads{1};  ///< of keys and values
    double head_dim{128};
    double window{0};          ///< keys visible to a query; 0: all
    double queries{1};         ///< new tokens of each sequence
    double keys{1};            ///< of each sequence, including those of the new tokens
    bool narrow_cache{false};  ///< keys and values in 8 bits
    // Experts: sizes of the whole model, except where ranks share them.
    double tokens{1};        ///< of all ranks that share the experts
    double hidden{1};        ///< width of a token
    double inner{1};         ///< width of an expert, before tensor_ranks share it
    double choices{1};       ///< experts of each token
    double experts{1};       ///< of the layer
    double tensor_ranks{1};  ///< that share each expert
    double expert_ranks{1};  ///< over which experts are distributed
    ExpertLoad load{ExpertLoad::balanced};
    bool gated{true};         ///< three matrices an expert; otherwise two
    bool low_latency{false};  ///< the library's kernel for few tokens
};

}  // namespace dse::model
