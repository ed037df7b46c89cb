#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/config/range.hpp"
#include "dse/eval/validation/decode_launch.hpp"
#include "dse/eval/validation/kernel_facts.hpp"

namespace dse::eval {

/// Settings of published recipes of deployments with two pools; see LaunchFacts. Limits of the prefill pool
/// apply to each attention rank.
struct PoolLaunchFacts : KernelFacts {
    std::string source;
    std::string framework;
    std::string gpu;
    std::string model;
    std::string quantization;
    std::int64_t prompt{0};
    std::int64_t output{0};
    std::int64_t prefill_workers{0};
    std::int64_t attention_dp{0};  ///< of the prefill workers
    std::int64_t sequences{0};     ///< that a step of the prefill pool processes
    std::int64_t token_budget{0};  ///< of the prefill pool
    std::vector<DecodeLaunch> decode;
};

template <class Visitor>
void describe(Visitor& v, PoolLaunchFacts& launch) {
    v.required("source", launch.source, "what the kind of measurement begins with");
    v.required("framework", launch.framework, "in the table");
    v.optional("gpu", launch.gpu, "in the table");
    v.optional("model", launch.model, "file of workloads/models");
    v.optional("quantization", launch.quantization, "in the table");
    v.optional("prompt", launch.prompt, config::not_negative, "tokens");
    v.optional("output", launch.output, config::not_negative, "tokens");
    v.optional("prefill_workers", launch.prefill_workers, config::not_negative, "number of them");
    v.optional("attention_dp", launch.attention_dp, config::not_negative, "of the prefill workers");
    v.optional("sequences", launch.sequences, config::not_negative, "that a prefill step processes");
    v.optional("token_budget", launch.token_budget, config::not_negative, "of the prefill pool");
    describe(v, static_cast<KernelFacts&>(launch));
    v.records("decode", launch.decode, "settings of the decode pool, all matches apply, in order");
}

}  // namespace dse::eval
