#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"
#include "dse/config/described_once.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// The engine whose scheduling rules decide what a step processes.
enum class Scheduler : std::uint8_t {
    vllm,      ///< running requests first, then first come first served; preempts by recomputation
    tensorrt,  ///< admits a request only if its full length fits, so that nothing is preempted
    sglang,    ///< prompts first, in steps of their own
};
DSE_CHOICES(Scheduler, vllm, tensorrt, sglang);

/// The order in which a scheduler serves waiting requests.
enum class SchedulingPolicy : std::uint8_t {
    fcfs,      ///< first come, first served
    priority,  ///< by the priority of their class, then first come, first served
};
DSE_CHOICES(SchedulingPolicy, fcfs, priority);

/// What drafts the tokens that the next step verifies (speculative decoding).
enum class Speculation : std::uint8_t {
    none,
    mtp,    ///< a multi-token head of the model, as large as one of its layers
    draft,  ///< a smaller model; see ServingEngine::draft_share
};
DSE_CHOICES(Speculation, none, mtp, draft);

/// How the router chooses a replica for a request.
enum class Router : std::uint8_t {
    round_robin,
    least_loaded,  ///< the one with the fewest requests that are not yet answered
    prefix,        ///< the one that was sent most of the prompt's pieces; of these the least loaded
    session,       ///< the one that answered what the prompt continues; of a new session the least loaded
};
DSE_CHOICES(Router, round_robin, least_loaded, prefix, session);

/// When the caches of prompts that are found in host memory are copied to the devices.
enum class HostLoad : std::uint8_t {
    whole,   ///< before the step that goes on from them
    layers,  ///< each layer's while the layers before it are computed
};
DSE_CHOICES(HostLoad, whole, layers);

/// How a serving engine forms its steps. Names and defaults are those of vLLM v1.
struct ServingEngine {
    Scheduler scheduler{Scheduler::vllm};
    SchedulingPolicy scheduling_policy{SchedulingPolicy::fcfs};
    std::int64_t token_budget{8192};  ///< largest number of tokens per step; vLLM's max_num_batched_tokens
    bool chunked_prefill{true};       ///< whether a prompt may be split over several steps
    std::int64_t max_sequences{256};  ///< largest number of running requests; vLLM's max_num_seqs
    bool prefix_cache{false};         ///< whether prompts with a common prefix share its pages
    Speculation speculative{Speculation::none};
    double memory_share{
        0.9};               ///< share of device memory that the engine uses; gpu_memory_utilization in vLLM
    double watermark{0.0};  ///< share of the pages that must stay free when a request is admitted
    std::int64_t cache_pages{0};  ///< pages of a replica's cache; 0: as many as fit into memory
    /// Share of the memory that parameters and the largest steps leave, which the cache gets (TensorRT-LLM's
    /// free_gpu_memory_fraction); 0: memory_share of the whole device, less both.
    double cache_share{0.0};
    /// Host memory of a device that keeps what the prefix cache forgets; 0: none.
    Bytes host_cache{0.0};
    HostLoad host_load{HostLoad::whole};
    Seconds host_time{0.0};  ///< host time per step, before the devices start
    /// Further host time per step of replicas over several devices, whose processes are told what to do.
    Seconds worker_time{0.0};
    Seconds host_time_sequence{0.0};  ///< additional host time per decoding sequence of the step
    Seconds step_gap{0.0};  ///< before each step, in which the devices wait even if the host is ahead
    /// Fixed time of the engine's own collectives, captured in graphs; 0: that of the cluster.
    Seconds collective_launch{0.0};
    /// Further fixed time of its all-reduces in two steps, which large messages take.
    Seconds two_step_launch{0.0};
    /// Size up to which its all-reduces among more than two devices take one step, and beyond which they are
    /// the library's; 0: the fastest.
    Bytes one_step_limit{0.0};
    /// Fixed time of an exchange of tokens between the ranks that hold experts; 0: collective_launch.
    Seconds exchange_launch{0.0};
    /// Further time of each dense product in eight bits, of casts that transform their scales slowly: fixed,
    /// and per row for many rows; and the number of rows for which the latter is half of that.
    Seconds cast_launch{0.0};
    Seconds cast_row_time{0.0};
    double cast_rows_half{0.0};
    /// Further fixed time of each product of experts, of kernels that prepare and collect their rows.
    Seconds expert_launch{0.0};
    bool asynchronous{false};  ///< whether the host prepares a step while the devices run another
    /// Of each request in client and server, before its prompt is tokenized. Of those that arrive together,
    /// none goes on before all are accepted.
    Seconds accept_time{0.0};
    /// Per prompt token. Prompts are tokenized one after the other, before two pools side by side.
    Seconds tokenize_time{0.0};
    Seconds request_time{0.0};      ///< from the end of tokenization to the scheduler
    Seconds send_time{0.0};         ///< per token; tokens are made text and sent one after the other
    std::int64_t receive_every{1};  ///< SGLang: decode steps between checks for new requests
    std::int64_t hold_steps{0};     ///< TensorRT-LLM: largest number of steps that prompts wait for others
    double hold_share{1.0};         ///< share of token_budget from which a step does not wait
    std::int64_t graph_batch{
        0};  ///< decode batches are padded to 1, 2, 4 or a multiple of this (captured graphs); 0: no padding
    /// From this number of sequences on, captured graphs double in size, up to max_sequences; 0: they do not.
    std::int64_t graph_double_from{0};
    /// vLLM: steps that read prompts are replayed in pieces, too, up to this number of tokens.
    std::int64_t graph_tokens{512};
    /// Once, of a scheduler's first step that leaves a part of a prompt to the next: while the kernels which
    /// attend to the cached part are compiled.
    Seconds first_chunk_time{0.0};
    Router router{Router::round_robin};
    std::int64_t least_replicas{0};  ///< that always run, others as the load asks for them; 0: all run
    double start_load{8.0};          ///< unanswered requests a replica from which another one starts
    Seconds start_time{0.0};         ///< from its start until a replica is sent requests
    Seconds stop_after{300.0};       ///< that a replica has nothing to do before it stops
    Seconds failure_interval{0.0};   ///< mean time from the start of a replica to its failure; 0: none
    Seconds repair_time{0.0};        ///< from a failure until the replica is sent requests again
    std::int64_t most_retries{
        1'000'000};                ///< times that a request starts over after failures; then it is lost
    std::int64_t attention_dp{1};  ///< ranks of a replica that each attend to requests of their own
    /// Whether a step runs as two half batches, one computing while the other exchanges its experts' tokens.
    bool two_batch{false};
    /// Whether a pipeline works on as many batches at a time as it has stages.
    bool concurrent_batches{true};
    std::int64_t max_loras{1};           ///< distinct adapters of the running requests of a scheduler
    std::int64_t lora_rank{16};          ///< of each adapter
    std::int64_t speculative_tokens{1};  ///< drafted each step
    double acceptance{0.8};              ///< probability that the first draft token is right
    double acceptance_decay{0.95};  ///< that of a draft token over that of the one before, which was right
    double draft_share{0.1};  ///< time of a draft token of `draft`, over that of a step that checks none
    friend bool operator==(const ServingEngine&, const ServingEngine&) = default;
};

template <class Visitor>
void describe(Visitor& v, ServingEngine& engine) {
    v.optional("scheduler", engine.scheduler, "serving: engine whose scheduling rules apply");
    v.optional("scheduling_policy", engine.scheduling_policy,
               "serving, scheduler vllm: order of requests, also in which they are preempted");
    v.optional("token_budget", engine.token_budget, config::between(1, 1e6),
               "serving: largest number of tokens per step");
    v.optional("chunked_prefill", engine.chunked_prefill,
               "serving: whether a prompt may be split over several steps");
    v.optional("max_sequences", engine.max_sequences, config::between(1, 1e6),
               "serving: largest number of running requests per replica");
    v.optional("prefix_cache", engine.prefix_cache,
               "serving: whether prompts with a common prefix share its pages");
    v.optional("speculative", engine.speculative, "serving: what drafts tokens for speculative decoding");
    v.optional("memory_share", engine.memory_share, config::fraction,
               "serving: share of a device's memory that the engine uses");
    v.optional("watermark", engine.watermark, config::between(0, 0.99),
               "serving: share of the pages that must stay free when a request is admitted");
    v.optional("cache_pages", engine.cache_pages, config::between(0, 1e12),
               "serving: pages of a replica's cache; by default as many as fit into memory");
    v.optional(
        "cache_share", engine.cache_share, config::share,
        "serving: share of what parameters and steps leave that the cache gets; 0: memory_share applies");
    v.optional("host_cache", engine.host_cache, config::not_negative,
               "serving, prefix_cache: host memory per device for what the cache forgets; 0: none");
    v.optional("host_load", engine.host_load, "serving: when caches of prompts are copied from host memory");
    v.optional("host_time", engine.host_time, config::between(0, 100),
               "serving: host time per step, before the devices start");
    v.optional("worker_time", engine.worker_time, config::between(0, 1),
               "serving: further host time per step if a replica has several devices");
    v.optional("host_time_sequence", engine.host_time_sequence, config::not_negative,
               "serving: additional host time per decoding sequence of a step");
    v.optional("step_gap", engine.step_gap, config::not_negative,
               "serving: time before each step in which the devices wait even if the host is ahead");
    v.optional("collective_launch", engine.collective_launch, config::not_negative,
               "serving: fixed time of the engine's own collectives; 0: that of the cluster");
    v.optional("two_step_launch", engine.two_step_launch, config::not_negative,
               "serving: further fixed time of the engine's own all-reduces in two steps");
    v.optional("one_step_limit", engine.one_step_limit, config::not_negative,
               "serving: size up to which all-reduces take one step, larger ones are the library's; 0: the "
               "fastest");
    v.optional("exchange_launch", engine.exchange_launch, config::not_negative,
               "serving: fixed time of an exchange of experts' tokens; 0: collective_launch");
    v.optional("cast_launch", engine.cast_launch, config::not_negative,
               "serving: further fixed time of each dense product in eight bits, for its cast");
    v.optional("cast_row_time", engine.cast_row_time, config::not_negative,
               "serving: further time per row of each dense product in eight bits, for many rows");
    v.optional("cast_rows_half", engine.cast_rows_half, config::not_negative,
               "serving: rows for which cast_row_time is half of what is stated");
    v.optional("expert_launch", engine.expert_launch, config::between(0, 1),
               "serving: further fixed time of each product of experts, to prepare and collect their rows");
    v.optional("asynchronous", engine.asynchronous,
               "serving: whether the host prepares a step while the devices run another");
    v.optional("accept_time", engine.accept_time, config::between(0, 1),
               "serving: time to send and accept a request; of those that arrive together, none goes on "
               "before all are accepted");
    v.optional("tokenize_time", engine.tokenize_time, config::not_negative,
               "serving: time to tokenize one prompt token; prompts are tokenized one after the other, "
               "before two pools side by side");
    v.optional("request_time", engine.request_time, config::between(0, 100),
               "serving: time from the end of tokenization to the scheduler");
    v.optional(
        "send_time", engine.send_time, config::between(0, 1),
        "serving: time to turn one token into text and send it; a replica does so one after the other");
    v.optional("receive_every", engine.receive_every, config::between(1, 1e6),
               "serving, scheduler sglang: decode steps between checks for new requests");
    v.optional("hold_steps", engine.hold_steps, config::between(0, 1e6),
               "serving, scheduler tensorrt: largest number of steps that prompts wait for others");
    v.optional("hold_share", engine.hold_share, config::share,
               "serving: share of token_budget from which prompts do not wait for others");
    v.optional("graph_batch", engine.graph_batch, config::between(0, 1e6),
               "serving: steps that decode are padded to 1, 2, 4 or a multiple of it; 0: not");
    v.optional("graph_double_from", engine.graph_double_from, config::between(0, 1e6),
               "serving: from this number of sequences on, captured graphs double in size; 0: not");
    v.optional("graph_tokens", engine.graph_tokens, config::between(0, 1e6),
               "serving, scheduler vllm: up to this number of tokens, steps that read prompts are replayed");
    v.optional("first_chunk_time", engine.first_chunk_time, config::not_negative,
               "serving: once, of the first step that leaves a part of a prompt to the next");
    v.optional("router", engine.router, "serving: which replica is sent a request");
    v.optional("least_replicas", engine.least_replicas, config::between(0, 1e6),
               "serving: replicas that always run, others start and stop with the load; 0: all run");
    v.optional("start_load", engine.start_load, config::positive,
               "serving: unanswered requests a replica from which another one starts");
    v.optional("start_time", engine.start_time, config::not_negative,
               "serving: from the start of a replica until it is sent requests");
    v.optional("stop_after", engine.stop_after, config::not_negative,
               "serving: how long a replica has nothing to do before it stops");
    v.optional("failure_interval", engine.failure_interval, config::not_negative,
               "serving: mean time that a replica runs until it fails; 0: none fails");
    v.optional("repair_time", engine.repair_time, config::not_negative,
               "serving: from a failure until the replica is sent requests again");
    v.optional("most_retries", engine.most_retries, config::between(0, 1e6),
               "serving: times that a request starts over after failures; then it is lost");
    v.optional("attention_dp", engine.attention_dp, config::at_least(1),
               "serving: data-parallel attention ranks within a replica");
    v.optional("two_batch", engine.two_batch,
               "serving: whether half of a step computes while the other exchanges its experts' tokens");
    v.optional("concurrent_batches", engine.concurrent_batches,
               "serving, pp > 1: whether a pipeline works on as many batches as it has stages");
    v.optional("max_loras", engine.max_loras, config::between(1, 1e4),
               "serving: distinct adapters of running requests, and those that device memory holds");
    v.optional("lora_rank", engine.lora_rank, config::between(1, 512), "serving: rank of the adapters");
    v.optional("speculative_tokens", engine.speculative_tokens, config::between(1, 64),
               "serving: tokens drafted per step");
    v.optional("acceptance", engine.acceptance, config::share,
               "serving: probability that the first draft token is accepted");
    v.optional("acceptance_decay", engine.acceptance_decay, config::share,
               "serving: acceptance of a draft token relative to the one before it");
    v.optional("draft_share", engine.draft_share, config::between(0, 1),
               "serving: time per token of a draft model, relative to a step without speculation");
}
DSE_DESCRIBED_ONCE(ServingEngine);

}  // namespace dse::graph
