#pragma once

#include <cstdint>
#include <vector>

#include "dse/config/range.hpp"
#include "dse/eval/validation/decode_launch.hpp"
#include "dse/eval/validation/kernel_facts.hpp"
#include "dse/eval/validation/launch_conditions.hpp"

namespace dse::eval {

/// Settings of published recipes of deployments with two pools; see LaunchFacts. Limits of the prefill pool
/// apply to each attention rank.
struct PoolLaunchFacts : LaunchConditions, KernelFacts {
    std::int64_t prefill_workers{0};
    std::int64_t attention_dp{0};  ///< of the prefill workers
    std::int64_t sequences{0};     ///< that a step of the prefill pool processes
    std::int64_t token_budget{0};  ///< of the prefill pool
    std::vector<DecodeLaunch> decode;
};

template <class Visitor>
void describe(Visitor& v, PoolLaunchFacts& launch) {
    describe(v, static_cast<LaunchConditions&>(launch));
    v.optional("prefill_workers", launch.prefill_workers, config::not_negative, "number of them");
    v.optional("attention_dp", launch.attention_dp, config::not_negative, "of the prefill workers");
    v.optional("sequences", launch.sequences, config::not_negative, "that a prefill step processes");
    v.optional("token_budget", launch.token_budget, config::not_negative, "of the prefill pool");
    describe(v, static_cast<KernelFacts&>(launch));
    v.records("decode", launch.decode, "settings of the decode pool, all matches apply, in order");
}

}  // namespace dse::eval
