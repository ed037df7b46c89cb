#pragma once

#include <cstdint>
#include <string>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"
#include "dse/eval/validation/kernel_facts.hpp"
#include "dse/eval/validation/launch_conditions.hpp"

namespace dse::eval {

/// Engine settings of a measurement's published launch script that differ from the engine's defaults. In the
/// conditions, 0 or an empty string matches any deployment; in the settings, 0 keeps the default.
struct LaunchFacts : LaunchConditions, KernelFacts {
    std::string release;
    std::int64_t least_clients{0};
    std::int64_t most_clients{0};
    std::int64_t least_tp{0};
    std::int64_t most_tp{0};
    std::int64_t token_budget{0};
    bool whole_experts{false};    ///< each device has experts of its own, whatever the table says
    std::int64_t sequences{0};    ///< running requests
    bool no_prefix_cache{false};  ///< --disable-radix-cache
    graph::StatePrecision state_precision{graph::StatePrecision::fp32};  ///< of recurrent states
    std::int64_t beyond_prompt{0};  ///< token_budget: this, a prompt, and a token for each client
    std::int64_t receive_every{0};
    std::int64_t hold_steps{0};
    double hold_share{0.0};
    std::int64_t draft_tokens{0};  ///< of the model's multi-token heads
    double acceptance{0.0};
    double acceptance_decay{0.0};
    std::string file;  ///< of workloads/models, with those heads
    /// Of engines that do not overlap steps with draft tokens: the host's time before the devices start. 0:
    /// they overlap them.
    Seconds draft_host_time{0.0};
    Seconds draft_host_time_sequence{0.0};  ///< further host time per decoding sequence
    /// Of the engine's own all-reduce, where a script selects another one.
    Seconds collective_launch{0.0};
    Seconds two_step_launch{0.0};
    Bytes one_step_limit{0.0};
    /// Sizes of the captured graphs, and the cache's share of what is free: see graph::ServingEngine.
    std::int64_t graph_batch{0};
    std::int64_t graph_double_from{0};
    double cache_share{0.0};
    std::int64_t graph_tokens{0};
    Seconds first_chunk_time{0.0};
    double launch_factor{0.0};  ///< instead of the model's, with the kernels of this script
};

template <class Visitor>
void describe(Visitor& v, LaunchFacts& launch) {
    describe(v, static_cast<LaunchConditions&>(launch));
    v.optional("release", launch.release, "in the table");
    v.optional("least_clients", launch.least_clients, config::not_negative, "from so many on");
    v.optional("most_clients", launch.most_clients, config::not_negative, "up to so many");
    v.optional("least_tp", launch.least_tp, config::not_negative, "from so wide on");
    v.optional("most_tp", launch.most_tp, config::not_negative, "up to so wide");
    v.optional("whole_experts", launch.whole_experts,
               "whether each device has experts of its own, whatever the table says");
    v.optional("sequences", launch.sequences, config::not_negative, "running requests");
    v.optional("no_prefix_cache", launch.no_prefix_cache, "whether prompts share no pages");
    v.optional("state_precision", launch.state_precision, "of recurrent states, that is set");
    v.optional("token_budget", launch.token_budget, config::not_negative, "that is set");
    v.optional("beyond_prompt", launch.beyond_prompt, config::not_negative,
               "token_budget beyond the prompt's tokens and one for each client");
    v.optional("receive_every", launch.receive_every, config::not_negative, "that is set");
    v.optional("hold_steps", launch.hold_steps, config::not_negative, "that is set");
    v.optional("hold_share", launch.hold_share, config::share, "that is set");
    v.optional("draft_tokens", launch.draft_tokens, config::not_negative, "of the model's multi-token heads");
    v.optional("acceptance", launch.acceptance, config::share, "of the first of these tokens");
    v.optional("acceptance_decay", launch.acceptance_decay, config::share, "of each further one");
    v.optional("file", launch.file, "of workloads/models: the model with these heads");
    v.optional("draft_host_time", launch.draft_host_time, config::not_negative,
               "host time of a step with draft tokens, if it is not overlapped; 0: it is");
    v.optional("draft_host_time_sequence", launch.draft_host_time_sequence, config::not_negative,
               "further host time per decoding sequence");
    v.optional("collective_launch", launch.collective_launch, config::not_negative,
               "of the all-reduce that is selected");
    v.optional("two_step_launch", launch.two_step_launch, config::not_negative,
               "of the all-reduce that is selected");
    v.optional("one_step_limit", launch.one_step_limit, config::not_negative,
               "of the all-reduce that is selected");
    v.optional("graph_batch", launch.graph_batch, config::not_negative, "of the captured graphs");
    v.optional("graph_double_from", launch.graph_double_from, config::not_negative, "of the captured graphs");
    v.optional("cache_share", launch.cache_share, config::share, "that is set");
    v.optional("graph_tokens", launch.graph_tokens, config::not_negative, "of the captured graphs");
    v.optional("first_chunk_time", launch.first_chunk_time, config::not_negative, "of the release");
    v.optional("launch_factor", launch.launch_factor, config::not_negative,
               "kernels that the engine launches for each modelled one, instead of the model's");
    describe(v, static_cast<KernelFacts&>(launch));
}

}  // namespace dse::eval
