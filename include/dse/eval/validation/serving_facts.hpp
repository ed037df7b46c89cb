#pragma once

#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/hardware/pools_spec.hpp"

namespace dse::eval {

/// Maps a name used in a table to the name used in this project.
struct NamedFile {
    std::string name;
    std::string file;
    double launch_factor{1.0};  ///< of models: see graph::SoftwareStack
    Seconds first_token_time{
        0.0};                  ///< of models: until a first token, beyond what steps take and requests wait
    bool block_scales{false};  ///< of models: whether operands in fp8 have a scale for each block
    double routing_skew{0.0};  ///< of models: how unevenly their experts are chosen; 0: all alike
    std::string stack{};  ///< of models in tables of power: a file of workloads/stacks; empty: the table's
};

template <class Visitor>
void describe(Visitor& v, NamedFile& named) {
    v.required("name", named.name, "in the table");
    v.required("file", named.file, "here");
    v.optional("launch_factor", named.launch_factor, config::not_negative,
               "of models: kernels that engines launch for each one that we model");
    v.optional("first_token_time", named.first_token_time, config::not_negative,
               "of models: time until a first token beyond what steps take and requests wait");
    v.optional(
        "block_scales", named.block_scales,
        "of models: operands in fp8 have a scale for each block, and are cast by kernels of their own");
    v.optional("routing_skew", named.routing_skew, config::not_negative,
               "of models: exponent of their experts' popularity (imbalance zipf); 0: all are chosen alike");
    v.optional("stack", named.stack,
               "of models in tables of power: file of workloads/stacks, instead of the table's");
}

/// Properties of a serving engine or of some of its releases.
struct EngineFacts {
    std::string match;  ///< prefix of "framework release" to which it applies
    std::string stack{"vllm_2025"};
    graph::CachePrecision kv_cache_precision{graph::CachePrecision::automatic};
    Seconds collective_launch{0.0};  ///< fixed time of the engine's own all-reduce; 0: the cluster's value
    double attention_rate{1.0};      ///< rate of attention, relative to the device's
    graph::ServingEngine serving;
    graph::Dispatcher dispatcher{graph::Dispatcher::all_to_all};  ///< between attention ranks
    hardware::CacheTransfer transfer{hardware::CacheTransfer::layers};
    hardware::FirstToken first_token{hardware::FirstToken::prefill};
};

template <class Visitor>
void describe(Visitor& v, EngineFacts& engine) {
    v.required("match", engine.match, "prefix of framework and release to which it applies");
    v.optional("stack", engine.stack, "file of workloads/stacks");
    v.optional("kv_cache_precision", engine.kv_cache_precision, "precision of cached keys and values");
    v.optional("collective_launch", engine.collective_launch, config::not_negative,
               "fixed time of the engine's own all-reduce");
    v.optional("attention_rate", engine.attention_rate, config::positive,
               "rate of attention relative to that of the device");
    v.optional("dispatcher", engine.dispatcher, "how attention ranks send tokens to experts");
    v.optional("transfer", engine.transfer, "how caches are transferred between pools");
    v.optional("first_token", engine.first_token, "pool that returns the first token");
    v.optional_section("serving", engine.serving, "defaults of the engine");
}

/// How the client of a kind of measurement draws its requests.
struct ClientFacts {
    std::string source;
    double length_ratio{1.0};
    Seconds tokenize_time{0.0};  ///< per token of its prompts, one pool; 0: the engine's
};

template <class Visitor>
void describe(Visitor& v, ClientFacts& client) {
    v.required("source", client.source, "kind of measurement");
    v.optional("length_ratio", client.length_ratio, config::fraction,
               "shortest length of a request relative to the longest");
    v.optional("tokenize_time", client.tokenize_time, config::not_negative,
               "per token of its prompts, with one pool; 0: the engine's");
}

/// Kernels that a launch script or a release chooses: see graph::SoftwareStack and graph::ServingEngine. 0,
/// false and automatic keep the engine's.
struct KernelFacts {
    Seconds cast_launch{0.0};
    Seconds cast_row_time{0.0};
    double cast_rows_half{0.0};
    Seconds expert_launch{0.0};
    double prompt_dense_rate{0.0};
    std::int64_t sparse_heads{0};
    double expert_rate{0.0};
    double prompt_expert_rate{0.0};
    std::int64_t expert_tile{0};
    bool fused_experts{false};
    graph::CachePrecision kv_cache_precision{graph::CachePrecision::automatic};
};

template <class Visitor>
void describe(Visitor& v, KernelFacts& kernels) {
    v.optional("cast_launch", kernels.cast_launch, config::not_negative, "of casts to eight bits");
    v.optional("cast_row_time", kernels.cast_row_time, config::not_negative, "of casts to eight bits");
    v.optional("cast_rows_half", kernels.cast_rows_half, config::not_negative, "of casts to eight bits");
    v.optional("expert_launch", kernels.expert_launch, config::not_negative, "of the kernels of experts");
    v.optional("prompt_dense_rate", kernels.prompt_dense_rate, config::share,
               "of the kernels of dense products");
    v.optional("sparse_heads", kernels.sparse_heads, config::not_negative,
               "of the kernel of sparse attention");
    v.optional("expert_rate", kernels.expert_rate, config::share, "of the kernels of experts");
    v.optional("prompt_expert_rate", kernels.prompt_expert_rate, config::share, "of the kernels of experts");
    v.optional("expert_tile", kernels.expert_tile, config::not_negative, "of the kernels of experts");
    v.optional("fused_experts", kernels.fused_experts, "of the kernels of experts");
    v.optional("kv_cache_precision", kernels.kv_cache_precision, "that is set");
}

/// Engine settings of a measurement's published launch script that differ from the engine's defaults. In the
/// conditions, 0 or an empty string matches any deployment; in the settings, 0 keeps the default.
struct LaunchFacts : KernelFacts {
    std::string source;  ///< prefix of the kind of measurement
    std::string framework;
    std::string release;
    std::string gpu;
    std::string model;  ///< file of workloads/models
    std::string quantization;
    std::int64_t prompt{0};
    std::int64_t output{0};
    std::int64_t least_clients{0};
    std::int64_t most_clients{0};
    std::int64_t least_tp{0};
    std::int64_t most_tp{0};
    std::int64_t token_budget{0};
    bool whole_experts{false};      ///< each device has experts of its own, whatever the table says
    std::int64_t sequences{0};      ///< running requests
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
    v.required("source", launch.source, "what the kind of measurement begins with");
    v.required("framework", launch.framework, "in the table");
    v.optional("release", launch.release, "in the table");
    v.optional("gpu", launch.gpu, "in the table");
    v.optional("model", launch.model, "file of workloads/models");
    v.optional("quantization", launch.quantization, "in the table");
    v.optional("prompt", launch.prompt, config::not_negative, "tokens");
    v.optional("output", launch.output, config::not_negative, "tokens");
    v.optional("least_clients", launch.least_clients, config::not_negative, "from so many on");
    v.optional("most_clients", launch.most_clients, config::not_negative, "up to so many");
    v.optional("least_tp", launch.least_tp, config::not_negative, "from so wide on");
    v.optional("most_tp", launch.most_tp, config::not_negative, "up to so wide");
    v.optional("whole_experts", launch.whole_experts,
               "whether each device has experts of its own, whatever the table says");
    v.optional("sequences", launch.sequences, config::not_negative, "running requests");
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

/// Setting of a published recipe's decode pool. As in LaunchFacts, 0 matches any deployment.
struct DecodeLaunch {
    std::int64_t workers{0};
    std::int64_t width{0};  ///< devices per worker
    std::int64_t most_clients{0};
    std::int64_t sequences{0};  ///< running requests per attention rank
};

template <class Visitor>
void describe(Visitor& v, DecodeLaunch& launch) {
    v.optional("workers", launch.workers, config::not_negative, "number of them");
    v.optional("width", launch.width, config::not_negative, "devices per worker");
    v.optional("most_clients", launch.most_clients, config::not_negative, "up to so many");
    v.required("sequences", launch.sequences, config::at_least(1), "per attention rank");
}

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

/// Facts that a table of measured deployments does not contain. They describe software and clients; none
/// belongs to a single row.
struct ServingFacts {
    std::vector<NamedFile> models;      ///< files of workloads/models
    std::vector<NamedFile> clusters;    ///< files of hardware/clusters
    std::vector<NamedFile> precisions;  ///< precisions of matrix products
    std::vector<EngineFacts> engines;   ///< the last match applies
    std::vector<ClientFacts> clients;
    std::vector<LaunchFacts> launches;           ///< all matches apply, in order
    std::vector<PoolLaunchFacts> pool_launches;  ///< all matches apply, in order
    std::int64_t requests_a_client{10};          ///< number of measured requests per client
    /// Measured times to first token above this indicate a growing queue.
    Seconds overload{10.0};
};

template <class Visitor>
void describe(Visitor& v, ServingFacts& facts) {
    v.records("models", facts.models, "files of models");
    v.records("clusters", facts.clusters, "files of clusters");
    v.records("precisions", facts.precisions, "precisions of matrix products");
    v.records("engines", facts.engines, "engines and their releases");
    v.records("clients", facts.clients, "clients by kind of measurement");
    v.records("launches", facts.launches, "settings of published launch scripts");
    v.records("pool_launches", facts.pool_launches, "settings of published recipes with two pools");
    v.optional("requests_a_client", facts.requests_a_client, config::at_least(1),
               "number of measured requests per client");
    v.optional("overload", facts.overload, config::not_negative,
               "time to first token above which a deployment is overloaded");
}

ServingFacts read_serving_facts(const config::Node& node, config::Diagnostics& diagnostics);

/// \returns nullptr if there is no entry for it
const NamedFile* find_named(const std::vector<NamedFile>& all, const std::string& name);

/// \param what  of which kind the entry is, for the message
/// \throws ModelError with the nearest name if there is no entry for it
const NamedFile& require_named(const std::vector<NamedFile>& all, const std::string& name, const char* what);
const EngineFacts* find_engine(const ServingFacts& facts, const std::string& framework,
                               const std::string& release);

}  // namespace dse::eval
