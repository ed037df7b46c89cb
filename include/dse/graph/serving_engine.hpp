#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// Whose rules say what a step does.
enum class Scheduler : std::uint8_t {
    vllm,      ///< running first, then who came first; recomputes what it preempts
    tensorrt,  ///< admits only what has room to its end, so that nothing is preempted
    sglang,    ///< prompts first, in steps of their own
};
std::span<const std::string_view> choice_names(Scheduler);

/// Who drafts tokens ahead that the next step checks.
enum class Speculation : std::uint8_t {
    none,
    mtp,    ///< a head of the model, as large as one of its layers
    draft,  ///< a smaller model: see ServingEngine::draft_share
};
std::span<const std::string_view> choice_names(Speculation);

/// Which replica is sent a request.
enum class Router : std::uint8_t {
    round_robin,
    least_loaded,  ///< the one with the fewest requests that are not yet answered
    prefix,        ///< the one that was sent most of the prompt's pieces; of these the least loaded
    session,       ///< the one that answered what the prompt continues; of a new session the least loaded
};
std::span<const std::string_view> choice_names(Router);

/// How a server forms its steps. Names and defaults are vLLM's (v1).
struct ServingEngine {
    Scheduler scheduler{Scheduler::vllm};
    std::int64_t token_budget{8192};  ///< most tokens a step; vLLM's max_num_batched_tokens
    bool chunked_prefill{true};       ///< whether a prompt may be read in pieces
    std::int64_t max_sequences{256};  ///< most requests under way; vLLM's max_num_seqs
    bool prefix_cache{false};         ///< whether pages of equal beginnings are shared
    Speculation speculative{Speculation::none};
    double memory_share{0.9};  ///< of a device's memory that the server takes; vLLM's gpu_memory_utilization
    double watermark{0.0};     ///< share of the pages that stay free when a request is let in
    std::int64_t cache_pages{0};      ///< of the cache, a replica; 0: what the memory holds
    Seconds host_time{0.0};           ///< of a step, before the devices begin
    Seconds host_time_sequence{0.0};  ///< the same, for each sequence that decodes in it
    bool asynchronous{false};         ///< whether the host prepares a step while the devices do another
    Seconds tokenize_time{0.0};       ///< of a token of a prompt; one prompt after the other
    Seconds request_time{0.0};        ///< from a tokenized request to the scheduler
    std::int64_t receive_every{1};    ///< steps that decode between looks for new requests, by SGLang's rules
    std::int64_t hold_steps{0};       ///< most steps that prompts wait for others to come, by TensorRT-LLM's
    double hold_share{1.0};           ///< of token_budget: a step of so many tokens need not wait
    std::int64_t graph_batch{
        0};  ///< captured graphs have 1, 2, 4 or a multiple of it sequences; 0: as many as run
    Router router{Router::round_robin};
    std::int64_t least_replicas{0};      ///< that always run, others as the load asks for them; 0: all run
    double start_load{8.0};              ///< unanswered requests a replica from which another one starts
    Seconds start_time{0.0};             ///< from its start until a replica is sent requests
    Seconds stop_after{300.0};           ///< that a replica has nothing to do before it stops
    std::int64_t attention_dp{1};        ///< ranks of a replica that each attend to requests of their own
    std::int64_t speculative_tokens{1};  ///< drafted each step
    double acceptance{0.8};              ///< probability that the first draft token is right
    double acceptance_decay{0.95};  ///< that of a draft token over that of the one before, which was right
    double draft_share{0.1};  ///< time of a draft token of `draft`, over that of a step that checks none
    friend bool operator==(const ServingEngine&, const ServingEngine&) = default;
};

template <class Visitor>
void describe(Visitor& v, ServingEngine& engine) {
    v.optional("scheduler", engine.scheduler, "serving: whose rules say what a step does");
    v.optional("token_budget", engine.token_budget, config::between(1, 1e6), "serving: most tokens a step");
    v.optional("chunked_prefill", engine.chunked_prefill, "serving: whether prompts are read in pieces");
    v.optional("max_sequences", engine.max_sequences, config::between(1, 1e6),
               "serving: most requests under way at once, a replica");
    v.optional("prefix_cache", engine.prefix_cache, "serving: whether equal beginnings share pages");
    v.optional("speculative", engine.speculative, "serving: how tokens are drafted ahead");
    v.optional("memory_share", engine.memory_share, config::fraction,
               "serving: share of a device's memory that the server takes");
    v.optional("watermark", engine.watermark, config::between(0, 0.99),
               "serving: share of the pages that stay free when a request is let in");
    v.optional("cache_pages", engine.cache_pages, config::between(0, 1e12),
               "serving: pages of a replica's cache; by default what the memory holds");
    v.optional("host_time", engine.host_time, config::not_negative,
               "serving: of each step, before the devices begin");
    v.optional("host_time_sequence", engine.host_time_sequence, config::not_negative,
               "serving: of each step for each of its sequences, before the devices begin");
    v.optional("asynchronous", engine.asynchronous,
               "serving: whether the host prepares a step while the devices do another");
    v.optional("tokenize_time", engine.tokenize_time, config::not_negative,
               "serving: of a token of a prompt, one prompt after the other");
    v.optional("request_time", engine.request_time, config::not_negative,
               "serving: from a tokenized request to the scheduler");
    v.optional("receive_every", engine.receive_every, config::between(1, 1e6),
               "serving: of scheduler sglang: steps that decode between looks for new requests");
    v.optional("hold_steps", engine.hold_steps, config::between(0, 1e6),
               "serving: of scheduler tensorrt: most steps that prompts wait for others");
    v.optional("hold_share", engine.hold_share, config::share,
               "serving: share of token_budget from which prompts do not wait for others");
    v.optional("graph_batch", engine.graph_batch, config::between(0, 1e6),
               "serving: steps that decode are padded to 1, 2, 4 or a multiple of it; 0: not");
    v.optional("router", engine.router, "serving: which replica is sent a request");
    v.optional("least_replicas", engine.least_replicas, config::between(0, 1e6),
               "serving: replicas that always run, others start and stop with the load; 0: all run");
    v.optional("start_load", engine.start_load, config::positive,
               "serving: unanswered requests a replica from which another one starts");
    v.optional("start_time", engine.start_time, config::not_negative,
               "serving: from the start of a replica until it is sent requests");
    v.optional("stop_after", engine.stop_after, config::not_negative,
               "serving: how long a replica has nothing to do before it stops");
    v.optional("attention_dp", engine.attention_dp, config::at_least(1),
               "serving: ranks of a replica that each attend to requests of their own");
    v.optional("speculative_tokens", engine.speculative_tokens, config::between(1, 64),
               "serving: drafted each step");
    v.optional("acceptance", engine.acceptance, config::share,
               "serving: probability that the first draft token is right");
    v.optional("acceptance_decay", engine.acceptance_decay, config::share,
               "serving: probability of a draft token over that of the one before");
    v.optional("draft_share", engine.draft_share, config::between(0, 1),
               "serving: time of a draft token of a draft model over that of a step that checks none");
}

}  // namespace dse::graph
