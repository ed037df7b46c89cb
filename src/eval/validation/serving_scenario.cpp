#include "eval/validation/serving_scenario.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/config/source_text.hpp"
#include "eval/validation/stated_precision.hpp"

namespace dse::eval {
namespace {

std::int64_t at_least_one(std::int64_t size) {
    return std::max<std::int64_t>(1, size);
}

void require_covered(const ServingRow& row) {
    if (!row.suspect.empty())
        throw ModelError(fmt::format("its sizes are not to be trusted: {}", row.suspect));
    if (row.concurrency == 0) throw ModelError("concurrency is not stated");
    if (!row.ttft || !row.tpot || !(*row.ttft > 0.0) || !(*row.tpot > 0.0))
        throw ModelError("latencies are not stated");
    if (row.pools_apart && (row.prefill.workers == 0 || row.decode.workers == 0))
        throw ModelError("workers of its pools are not stated");
}

std::int64_t width(const WorkerRow& worker) {
    return at_least_one(worker.tp) * at_least_one(worker.pp) * at_least_one(worker.attention_dp);
}

/// Sets the layout of one worker.
void set_layout(const WorkerRow& worker, graph::WorkloadSpec& workload) {
    workload.layout.tp = at_least_one(worker.tp);
    workload.layout.pp = at_least_one(worker.pp);
    workload.engine.attention_dp = at_least_one(worker.attention_dp);
    workload.layout.ep = at_least_one(worker.moe_ep);
    // Otherwise experts are split like the dense parts.
    if (worker.moe_ep > 1)
        workload.layout.etp = at_least_one(width(worker) / workload.layout.pp / worker.moe_ep);
}

hardware::PoolSpec pool_of(const WorkerRow& worker) {
    hardware::PoolSpec pool;
    pool.devices = worker.workers * width(worker);
    pool.tp = at_least_one(worker.tp);
    pool.pp = at_least_one(worker.pp);
    pool.ep = at_least_one(worker.moe_ep);
    pool.attention_dp = at_least_one(worker.attention_dp);
    return pool;
}

void set_engine(const EngineFacts& engine, const config::Library& library, study::Scenario& scenario) {
    graph::WorkloadSpec& workload = scenario.workload;
    workload.stack =
        config::read_from_library<graph::NamedStack>(library, "workloads/stacks", engine.stack, engine.match)
            .values;
    workload.stack.dispatcher = engine.dispatcher;
    scenario.system.cluster.device.attention.efficiency *= engine.attention_rate;
    workload.engine = engine.serving;
    workload.serving.kv_cache_precision = engine.kv_cache_precision;
    if (engine.collective_launch > Seconds{}) workload.engine.collective_launch = engine.collective_launch;
    scenario.system.pools.transfer = engine.transfer;
    scenario.system.pools.first_token = engine.first_token;
    scenario.system.pools.prefill_ranks = engine.prefill_ranks;
}

void set_traffic(const ServingRow& row, const ServingFacts& facts, graph::WorkloadSpec& workload) {
    graph::Traffic& traffic = workload.traffic;
    traffic.clients = row.concurrency;
    traffic.requests = facts.requests_a_client * row.concurrency;
    traffic.prompt = row.prompt;
    traffic.output = row.output;
    const auto client = std::ranges::find(facts.clients, row.source, &ClientFacts::source);
    if (client == facts.clients.end()) return;
    traffic.length_ratio = client->length_ratio;
    if (client->tokenize_time > Seconds{}) workload.engine.tokenize_time = client->tokenize_time;
    if (client->send_time > Seconds{} && row.pools_apart) workload.engine.accept_time = client->send_time;
}

bool is(const std::string& wanted, const std::string& found) {
    return wanted.empty() || wanted == found;
}

bool is_size(std::int64_t wanted, std::int64_t found) {
    return wanted == 0 || wanted == found;
}

/// Conditions that the settings of one pool and of two have in common.
template <class Launch>
bool is_of(const Launch& launch, const ServingRow& row, const std::string& model) {
    return row.source.starts_with(launch.source) && launch.framework == row.framework &&
           is(launch.model, model) && is(launch.gpu, row.gpu) && is(launch.quantization, row.quantization) &&
           is_size(launch.prompt, row.prompt) && is_size(launch.output, row.output);
}

bool is_launched(const LaunchFacts& launch, const ServingRow& row, const std::string& model) {
    return is_of(launch, row, model) && is(launch.release, row.release) &&
           row.concurrency >= launch.least_clients &&
           (launch.most_clients == 0 || row.concurrency <= launch.most_clients) &&
           row.worker.tp >= launch.least_tp && (launch.most_tp == 0 || row.worker.tp <= launch.most_tp);
}

bool is_launched(const PoolLaunchFacts& launch, const ServingRow& row, const std::string& model) {
    return is_of(launch, row, model) && is_size(launch.prefill_workers, row.prefill.workers) &&
           is_size(launch.attention_dp, at_least_one(row.prefill.attention_dp));
}

bool is_launched(const DecodeLaunch& launch, const ServingRow& row) {
    return is_size(launch.workers, row.decode.workers) && is_size(launch.width, width(row.decode)) &&
           (launch.most_clients == 0 || row.concurrency <= launch.most_clients);
}

/// Kernels that the engine launches for each modelled one, whatever its stack says of the kind of model.
void set_launches(double factor, graph::SoftwareStack& stack) {
    stack.launch_factor = factor;
    stack.expert_launch_factor = stack.latent_launch_factor = 0.0;
}

/// Applies settings that one pool and two have in common.
void set_kernels(const KernelFacts& kernels, graph::WorkloadSpec& workload) {
    graph::SoftwareStack& stack = workload.stack;
    if (kernels.cast_launch > Seconds{}) workload.engine.cast_launch = kernels.cast_launch;
    if (kernels.cast_row_time > Seconds{}) {
        workload.engine.cast_row_time = kernels.cast_row_time;
        workload.engine.cast_rows_half = kernels.cast_rows_half;
    }
    if (kernels.expert_launch > Seconds{}) workload.engine.expert_launch = kernels.expert_launch;
    if (kernels.prompt_dense_rate > 0.0) stack.prompt_dense_rate = kernels.prompt_dense_rate;
    if (kernels.sparse_heads > 0) stack.sparse_heads = kernels.sparse_heads;
    if (kernels.expert_rate > 0.0) stack.expert_rate = kernels.expert_rate;
    if (kernels.prompt_expert_rate > 0.0) stack.prompt_expert_rate = kernels.prompt_expert_rate;
    if (kernels.few_expert_rows > 0) stack.few_expert_rows = kernels.few_expert_rows;
    if (kernels.expert_tile > 0) stack.expert_tile = kernels.expert_tile;
    if (kernels.least_expert_tile > 0) stack.least_expert_tile = kernels.least_expert_tile;
    if (kernels.expert_tile_margin > 0.0) stack.expert_tile_margin = kernels.expert_tile_margin;
    if (kernels.tile_reading > 0.0) stack.tile_reading = kernels.tile_reading;
    if (kernels.weight_bits > 0.0) stack.weight_bits = kernels.weight_bits;
    if (kernels.widening_rate > 0.0) stack.widening_rate = kernels.widening_rate;
    stack.fused_experts = stack.fused_experts || kernels.fused_experts;
    stack.fused_shared_expert = stack.fused_shared_expert || kernels.fused_shared_expert;
    if (kernels.kv_cache_precision != graph::CachePrecision::automatic)
        workload.serving.kv_cache_precision = kernels.kv_cache_precision;
}

void set_pool_launch(const ServingRow& row, const ServingFacts& facts, study::Scenario& scenario) {
    hardware::PoolsSpec& pools = scenario.system.pools;
    for (const PoolLaunchFacts& launch : facts.pool_launches) {
        if (!is_launched(launch, row, scenario.workload.model)) continue;
        set_kernels(launch, scenario.workload);
        if (launch.sequences > 0) pools.prefill.max_sequences = launch.sequences;
        if (launch.token_budget > 0) pools.prefill.token_budget = launch.token_budget;
        for (const DecodeLaunch& decode : launch.decode) {
            if (is_launched(decode, row)) pools.decode.max_sequences = decode.sequences;
        }
    }
}

/// Sets speculative decoding with the heads of a model.
void set_draft(const LaunchFacts& launch, graph::ServingEngine& engine) {
    if (launch.draft_tokens == 0) return;
    engine.speculative = graph::Speculation::mtp;
    engine.speculative_tokens = launch.draft_tokens;
    if (launch.acceptance > 0.0) engine.acceptance = launch.acceptance;
    if (launch.acceptance_decay > 0.0) engine.acceptance_decay = launch.acceptance_decay;
    if (launch.draft_host_time > Seconds{}) {
        engine.asynchronous = false;
        engine.step_gap = Seconds{};
        engine.host_time = launch.draft_host_time;
        engine.host_time_sequence = launch.draft_host_time_sequence;
    }
}

/// Applies launch settings to deployments with a single pool.
void set_launch(const ServingRow& row, const ServingFacts& facts, graph::WorkloadSpec& workload) {
    graph::ServingEngine& engine = workload.engine;
    const std::string model = workload.model;
    for (const LaunchFacts& launch : facts.launches) {
        if (row.pools_apart || !is_launched(launch, row, model)) continue;
        if (launch.sequences > 0) engine.max_sequences = launch.sequences;
        if (launch.no_prefix_cache) engine.prefix_cache = false;
        if (launch.state_precision != graph::StatePrecision::fp32)
            workload.serving.state_precision = launch.state_precision;
        if (launch.token_budget > 0) engine.token_budget = launch.token_budget;
        if (launch.beyond_prompt > 0)
            engine.token_budget = row.prompt + row.concurrency + launch.beyond_prompt;
        if (launch.receive_every > 0) engine.receive_every = launch.receive_every;
        if (launch.hold_steps > 0) engine.hold_steps = launch.hold_steps;
        if (launch.hold_share > 0.0) engine.hold_share = launch.hold_share;
        if (launch.collective_launch > Seconds{}) engine.collective_launch = launch.collective_launch;
        if (launch.two_step_launch > Seconds{}) engine.two_step_launch = launch.two_step_launch;
        if (launch.one_step_limit > Bytes{}) engine.one_step_limit = launch.one_step_limit;
        if (launch.graph_batch > 0) engine.graph_batch = launch.graph_batch;
        if (launch.graph_double_from > 0) engine.graph_double_from = launch.graph_double_from;
        if (launch.cache_share > 0.0) {
            // The engine measures what is free: what it leaves of that is the reserve, not the stack's share
            // of the whole device.
            engine.cache_share = launch.cache_share;
            workload.stack.allocator_overhead = 0.0;
        }
        if (launch.graph_tokens > 0) engine.graph_tokens = launch.graph_tokens;
        if (launch.first_chunk_time > Seconds{}) engine.first_chunk_time = launch.first_chunk_time;
        if (launch.launch_factor > 0.0) set_launches(launch.launch_factor, workload.stack);
        if (!launch.file.empty()) workload.model = launch.file;
        set_draft(launch, engine);
        set_kernels(launch, workload);
    }
    engine.max_sequences = std::min(engine.max_sequences, engine.token_budget);
}

/// Whether the experts of a deployment with one pool are whole although the table does not say so.
bool has_whole_experts(const ServingRow& row, const ServingFacts& facts, const std::string& model) {
    return !row.pools_apart && std::ranges::any_of(facts.launches, [&](const LaunchFacts& launch) {
        return launch.whole_experts && is_launched(launch, row, model);
    });
}

void set_devices(const ServingRow& row, const ServingFacts& facts, study::Scenario& scenario) {
    if (!row.pools_apart) {
        set_layout(row.worker, scenario.workload);
        scenario.system.devices = width(row.worker);
        return;
    }
    hardware::PoolsSpec& pools = scenario.system.pools;
    pools.prefill = pool_of(row.prefill);
    pools.decode = pool_of(row.decode);
    set_pool_launch(row, facts, scenario);
    scenario.system.devices = pools.prefill.devices + pools.decode.devices;
}

}  // namespace

study::Scenario serving_scenario(const ServingRow& row, const ServingFacts& facts,
                                 const config::Library& library) {
    require_covered(row);
    const EngineFacts* engine = find_engine(facts, row.framework, row.release);
    if (engine == nullptr)
        throw ModelError(fmt::format("nothing is known of the engine {}", config::excerpt(row.framework)));
    study::Scenario scenario;
    scenario.system.cluster = config::read_from_library<hardware::ClusterSpec>(
        library, "hardware/clusters", require_named(facts.clusters, row.gpu, "machine").file, row.gpu);
    const NamedFile& model = require_named(facts.models, row.model, "model");
    scenario.workload.model = model.file;
    scenario.workload.mode = graph::Mode::serving;
    set_engine(*engine, library, scenario);
    set_launches(model.launch_factor, scenario.workload.stack);
    scenario.workload.engine.request_time += model.first_token_time;
    if (model.routing_skew > 0.0) {
        scenario.workload.routing.imbalance = graph::Imbalance::zipf;
        scenario.workload.routing.skew = model.routing_skew;
    }
    set_precision(require_named(facts.precisions, row.quantization, "precision"),
                  scenario.system.cluster.device, scenario.workload.stack);
    graph::SoftwareStack& stack = scenario.workload.stack;
    stack.fused_casts =
        stack.fused_casts && !(model.block_scales && stack.precision == graph::Precision::fp8);
    set_traffic(row, facts, scenario.workload);
    set_launch(row, facts, scenario.workload);
    set_devices(row, facts, scenario);
    if (has_whole_experts(row, facts, model.file)) {
        scenario.workload.layout.ep = width(row.worker) / scenario.workload.layout.pp;
        scenario.workload.layout.etp = 1;
    }
    return scenario;
}

}  // namespace dse::eval
