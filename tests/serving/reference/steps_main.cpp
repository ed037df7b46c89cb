// Reads cases of traffic from the standard input and writes what a replica does, step by step: for
// compare_steps.py.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../serve_alone.hpp"
#include "dse/serving/pools.hpp"
#include "dse/serving/replica.hpp"

namespace {

using dse::serving::Chunk;
using dse::serving::DecodeLine;
using dse::serving::Decodes;
using dse::serving::Ticks;
using nlohmann::json;

/// Costs in whole ticks, with one bend in the context.
class Costs final : public dse::serving::StepTime {
  public:
    explicit Costs(const json& costs)
        : step_{costs["step"]},
          sequence_{costs["sequence"]},
          context_{costs["context"]},
          beyond_{costs["beyond"]},
          bend_{costs["bend"]},
          token_{costs["token"]},
          pair_{costs["pair"]},
          adapter_{costs.value("adapter", Ticks{0})},
          load_{costs.value("load", Ticks{0})} {}

    DecodeLine decode(const Decodes& decodes) override {
        const Ticks base = step_ + sequence_ * decodes.sequences;
        if (decodes.context < bend_) return {base, context_, bend_ - 1};
        return {base - (beyond_ - context_) * bend_, beyond_, std::int64_t{1} << 40U};
    }
    Ticks adapters(const dse::serving::Batch& batch) override {
        return adapter_ * (batch.adapters + batch.tokens()) + load_ * batch.loads;
    }
    Ticks mixed(std::span<const Chunk> chunks, const Decodes& decodes) override {
        Ticks time = decodes.sequences > 0 ? decode(decodes).at(decodes.context) : step_;
        for (const Chunk& chunk : chunks)
            time += token_ * chunk.tokens + pair_ * chunk.tokens * (2 * chunk.before + chunk.tokens);
        return time;
    }

  private:
    Ticks step_, sequence_, context_, beyond_, bend_, token_, pair_, adapter_, load_;
};

dse::Seconds seconds_of(Ticks ticks) {
    return dse::Seconds{dse::serving::to_seconds(ticks)};
}

dse::serving::ReplicaLimits limits_of(const json& options) {
    dse::serving::ReplicaLimits limits;
    limits.pages = options["pages"];
    limits.page_tokens = options["page_tokens"];
    limits.state_pages = options.value("state_pages", 0);
    limits.engine.token_budget = options["token_budget"];
    limits.engine.max_sequences = options["max_sequences"];
    limits.engine.chunked_prefill = options["chunked"];
    limits.engine.watermark = options["watermark"];
    limits.engine.prefix_cache = options["prefix_cache"];
    if (options["scheduler"] == "tensorrt") limits.engine.scheduler = dse::graph::Scheduler::tensorrt;
    if (options["scheduler"] == "sglang") limits.engine.scheduler = dse::graph::Scheduler::sglang;
    limits.engine.accept_time = seconds_of(options.value("accept", 0));
    limits.engine.tokenize_time = seconds_of(options["tokenize"]);
    limits.engine.request_time = seconds_of(options["request"]);
    limits.engine.send_time = seconds_of(options.value("send", 0));
    limits.engine.host_time = seconds_of(options["host"]);
    limits.engine.host_time_sequence = seconds_of(options["host_sequence"]);
    limits.engine.step_gap = seconds_of(options["gap"]);
    limits.engine.asynchronous = options["asynchronous"];
    limits.look_every = options["receive_every"];
    limits.engine.hold_steps = options["hold_steps"];
    limits.engine.hold_share = options["hold_share"];
    limits.adapters = options.value("adapters", 0);
    limits.engine.max_loras = options.value("max_loras", 1);
    if (options.value("policy", "fcfs") == "priority")
        limits.engine.scheduling_policy = dse::graph::SchedulingPolicy::priority;
    if (options.contains("patience"))
        limits.patience = {{seconds_of(options["patience"][0]), seconds_of(options["patience"][1])}};
    if (options.contains("router"))
        limits.engine.router =
            options["router"] == "prefix" ? dse::graph::Router::prefix : dse::graph::Router::least_loaded;
    return limits;
}

json statistics_of(const dse::serving::Outcome& outcome) {
    return {{"latency", outcome.latency},
            {"answered", outcome.answered},
            {"good", outcome.good},
            {"output_tokens", outcome.output_tokens},
            {"preemptions", outcome.preemptions},
            {"lost", outcome.lost},
            {"retried", outcome.retried},
            {"cached_tokens", outcome.cached_tokens},
            {"waiting", outcome.waiting},
            {"running", outcome.running},
            {"duration", outcome.duration},
            {"steps", outcome.steps}};
}

dse::serving::Requests requests_of(const json& question) {
    dse::serving::Requests requests;
    requests.piece_tokens = question["options"]["piece_tokens"];
    const json priorities = question["options"].value("priorities", json::array());
    for (const json& each : question["requests"]) {
        requests.all.push_back({each[0], each[1], each[2]});
        if (each.size() > 4) requests.all.back().adapter = each[4];
        if (!priorities.empty()) requests.all.back().priority = priorities[requests.all.size() - 1];
        requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
        for (const json& piece : each[3]) {
            requests.pieces.push_back(piece);
            requests.piece_names = std::max<std::size_t>(requests.piece_names, requests.pieces.back() + 1);
        }
    }
    requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
    return requests;
}

dse::graph::ServiceLevels levels_of(const json& question) {
    dse::graph::ServiceLevels levels;
    levels.most[0][4] = dse::Seconds{question["ttft"]};
    levels.most[1][4] = dse::Seconds{question["tpot"]};
    return levels;
}

/// Two pools: what follows from all of their steps.
json answer_by_pools(const json& question) {
    dse::serving::Requests requests = requests_of(question);
    const json& options = question["options"];
    Costs costs{question["costs"]};
    dse::serving::ReplicaLimits prefill = limits_of(options);
    dse::serving::ReplicaLimits decode = prefill;
    decode.engine.max_sequences = options["decode_sequences"];
    prefill.engine.attention_dp = options["ranks"];
    if (options["pool_router"] == "least_loaded") prefill.engine.router = dse::graph::Router::least_loaded;
    if (options["pool_router"] == "prefix") prefill.engine.router = dse::graph::Router::prefix;
    const Ticks transfer = options["transfer"];
    dse::serving::PoolDeployment deployment{
        prefill,
        decode,
        options["prefill_workers"],
        options["decode_workers"],
        options["clients"],
        levels_of(question),
        1.0,
        [&](std::int64_t tokens, Ticks reading) { return std::max(transfer, transfer * tokens - reading); },
        options["first_token_waits"],
        false,
        {},
        options["decode_ranks"]};
    if (options.contains("rank_seed")) deployment.rank_seed = options["rank_seed"].get<std::uint64_t>();
    return {{"outcome", statistics_of(serve_pools(deployment, costs, costs, requests, {}))}};
}

/// Replicas of a router: the same.
json answer_by_router(const json& question) {
    dse::serving::Requests requests = requests_of(question);
    Costs costs{question["costs"]};
    dse::serving::Deployment deployment;
    deployment.limits = limits_of(question["options"]);
    deployment.replicas = question["options"]["replicas"];
    deployment.ranks = question["options"]["ranks"];
    deployment.levels = levels_of(question);
    if (question["options"].contains("failures")) {
        deployment.limits.engine.most_retries = question["options"]["most_retries"];
        deployment.limits.engine.repair_time = seconds_of(question["options"]["repair"]);
        deployment.next_failure = [&](std::size_t replica, Ticks up) {
            for (const json& failure : question["options"]["failures"])
                if (failure[1] == replica && failure[0] > up) return failure[0].get<Ticks>();
            return dse::serving::never;
        };
    }
    return {{"outcome", statistics_of(serve(deployment, costs, requests, {}))}};
}

/// One replica of attention ranks or lanes of a pipeline, with the pages of its lanes together: the same.
json answer_by_lanes(const json& question) {
    dse::serving::Requests requests = requests_of(question);
    Costs costs{question["costs"]};
    dse::serving::Deployment deployment;
    deployment.limits = limits_of(question["options"]);
    deployment.stages = question["options"]["stages"];
    deployment.ranks = question["options"]["ranks"];
    deployment.limits.pages *= deployment.stages;
    deployment.clients = question["options"]["clients"];
    deployment.levels = levels_of(question);
    return {{"outcome", statistics_of(serve(deployment, costs, requests, {}))}};
}

json answer(const json& question) {
    if (question["options"].contains("prefill_workers")) return answer_by_pools(question);
    if (question["options"].contains("stages")) return answer_by_lanes(question);
    if (question["options"].contains("router")) return answer_by_router(question);
    dse::serving::Requests requests = requests_of(question);
    Costs costs{question["costs"]};
    const dse::graph::ServiceLevels levels = levels_of(question);
    dse::serving::Recorder recorder{levels, requests.all.size()};
    const dse::serving::Share share{requests, 0, 1, question["options"]["clients"]};
    const dse::serving::ReplicaLimits limits = limits_of(question["options"]);
    dse::serving::Replica replica{limits, share, recorder};
    json steps = json::array();
    replica.set_watch([&](const dse::serving::StepReport& report) {
        json chunks = json::array();
        for (const Chunk& chunk : report.chunks) chunks.push_back({chunk.before, chunk.tokens});
        steps.push_back({report.start, report.duration, report.decodes.sequences, report.decodes.context,
                         chunks, report.preempted, report.steps});
    });
    serve_alone(replica, limits.engine, costs);
    return {{"steps", steps}, {"outcome", statistics_of(recorder.outcome(1))}};
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) std::cout << answer(json::parse(line)) << "\n";
}
