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
};
std::span<const std::string_view> choice_names(Scheduler);

enum class Speculation : std::uint8_t { none };
std::span<const std::string_view> choice_names(Speculation);

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
    std::int64_t cache_pages{0};  ///< of the cache, a replica; 0: what the memory holds
    Seconds host_time{0.0};       ///< of a step, before the devices begin
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
    v.optional("speculative", engine.speculative, "serving: how tokens are guessed ahead");
    v.optional("memory_share", engine.memory_share, config::fraction,
               "serving: share of a device's memory that the server takes");
    v.optional("watermark", engine.watermark, config::between(0, 0.99),
               "serving: share of the pages that stay free when a request is let in");
    v.optional("cache_pages", engine.cache_pages, config::between(0, 1e12),
               "serving: pages of a replica's cache; by default what the memory holds");
    v.optional("host_time", engine.host_time, config::not_negative,
               "serving: of each step, before the devices begin");
}

}  // namespace dse::graph
