#pragma once

#include <cstdint>
#include <string>

#include "dse/config/choices.hpp"
#include "dse/config/described_once.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// Form in which weights that are not trained lie in memory.
enum class FrozenWeights : std::uint8_t {
    compute,  ///< as products read them (with primary_weights fp8: in eight bits)
    nf4,      ///< in four bits, with scales that are quantized as well; each product dequantizes its weight
};
DSE_CHOICES(FrozenWeights, compute, nf4);

/// Fine-tuning by low-rank adapters: a product x W of a frozen weight W [m, n] becomes x W + s (x A) B with
/// trained A [m, rank] and B [rank, n]. Nothing else is trained but the parameters that `trained` names.
/// Source: Hu et al. 2021 (arXiv 2106.09685), LoRA; Dettmers et al. 2023 (arXiv 2305.14314), QLoRA.
struct Adapter {
    std::int64_t rank{0};  ///< 0: no adapters, all parameters are trained
    /// Names of the parameters that have an adapter, separated by blanks; empty: the weights of all matrix
    /// products of the layers, except routers.
    std::string targets;
    /// Names of the parameters that are trained whole beside the adapters, separated by blanks: PEFT's
    /// modules_to_save. They have no adapter.
    std::string trained;
    bool dropout{false};  ///< whether the input of an adapter passes through dropout
    FrozenWeights frozen_weights{FrozenWeights::compute};

    [[nodiscard]] bool on() const { return rank > 0; }
};

template <class Visitor>
void describe(Visitor& v, Adapter& adapter) {
    v.optional("rank", adapter.rank, config::between(0, 65536),
               "rank of the adapters; 0: none, all parameters are trained");
    v.optional("targets", adapter.targets,
               "parameters that have an adapter, separated by blanks; by default the weights of all products "
               "of the layers");
    v.optional("trained", adapter.trained,
               "parameters that are trained whole beside the adapters, separated by blanks");
    v.optional("dropout", adapter.dropout, "the input of an adapter passes through dropout");
    v.optional("frozen_weights", adapter.frozen_weights, "form in which frozen weights lie in memory");
}
DSE_DESCRIBED_ONCE(Adapter);

/// \throws ModelError naming the field that is out of range
void require_valid(const Adapter& adapter);

}  // namespace dse::graph
