#include "eval/serve/answer_requests.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/eval/measure.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "dse/serving/deployment.hpp"
#include "dse/serving/draw_adapters.hpp"
#include "dse/serving/draw_conversations.hpp"
#include "dse/serving/draw_prefixes.hpp"
#include "dse/serving/draw_requests.hpp"
#include "dse/serving/pools.hpp"
#include "dse/serving/trace_reader.hpp"
#include "eval/serve/cache_room.hpp"
#include "eval/serve/cache_transfer.hpp"
#include "eval/serve/class_values.hpp"
#include "eval/serve/host_room.hpp"
#include "eval/serve/pool_scenario.hpp"
#include "eval/serve/rate_search.hpp"
#include "eval/serve/service_metrics.hpp"
#include "eval/stages/step.hpp"

namespace dse::eval {
namespace {

std::int64_t times(std::int64_t steps, double tokens) {
    return std::llround(static_cast<double>(steps) * tokens);
}

/// Common to all points unless they state a seed, so that they answer the same requests.
std::uint64_t seed_of_requests(const study::Scenario& scenario) {
    const std::int64_t stated = scenario.workload.traffic.seed;
    return stated > 0 ? static_cast<std::uint64_t>(stated) : scenario.sweep_seed;
}

/// The same requests, arriving in a shorter time.
graph::Traffic hurried(graph::Traffic traffic, double faster) {
    traffic.rate = traffic.rate * faster;
    traffic.ramp_to = traffic.ramp_to * faster;
    traffic.ramp_time = traffic.ramp_time / faster;
    traffic.day = traffic.day / faster;
    return traffic;
}

/// Of conversations, more are under way at a higher rate: people think as long as before.
serving::Requests drawn(const graph::Traffic& traffic, double faster, std::uint64_t seed,
                        std::int64_t page_tokens) {
    if (graph::has_conversations(traffic))
        return serving::draw_conversations(hurried(traffic, faster), seed, page_tokens);
    serving::Requests requests = serving::draw_requests(hurried(traffic, faster), seed);
    serving::draw_prefixes(traffic, seed, page_tokens, requests);
    return requests;
}

/// \param faster  factor on the scenario's request rate
serving::Requests requests_of(const ServeJob& job, double faster) {
    const graph::Traffic& traffic = job.scenario.workload.traffic;
    graph::require_none(graph::conflicts_of(traffic));
    if (traffic.trace.empty()) {
        const std::uint64_t seed = seed_of_requests(job.scenario);
        serving::Requests requests = drawn(traffic, faster, seed, job.scenario.workload.serving.kv_block);
        if (traffic.adapters > 0) serving::name_pieces_by_adapter(requests);
        return requests;
    }
    serving::Requests requests = job.traces.find(traffic.trace, traffic.most_requests);
    serving::draw_adapters(traffic, seed_of_requests(job.scenario), requests);
    // Clients of a closed loop send when they are answered, regardless of the trace's times.
    if (traffic.clients > 0) return requests;
    speed_up(traffic.speed * faster, requests);
    return requests;
}

/// A source that generates requests one by one if there are very many; nullptr otherwise.
std::unique_ptr<serving::RequestSource> source_of(const ServeJob& job, double faster) {
    constexpr std::int64_t many = 1'000'000;
    const graph::Traffic& traffic = job.scenario.workload.traffic;
    if (traffic.clients > 0) return nullptr;
    if (!traffic.trace.empty()) {
        if (traffic.rate.value() > 0.0 || !job.traces.is_long(traffic.trace, traffic.most_requests))
            return nullptr;
        std::unique_ptr<serving::RequestSource> trace = std::make_unique<serving::TraceSource>(
            job.traces.file(traffic.trace), traffic.most_requests, traffic.speed * faster);
        if (traffic.adapters == 0) return trace;
        return std::make_unique<serving::AdaptedRequests>(std::move(trace), traffic,
                                                          seed_of_requests(job.scenario));
    }
    if (traffic.requests <= many || graph::has_prefixes(traffic) || graph::has_conversations(traffic))
        return nullptr;
    return std::make_unique<serving::DrawnRequests>(hurried(traffic, faster), seed_of_requests(job.scenario));
}

/// By kind of request; empty if nobody gives up.
std::vector<graph::RequestPatience> patience_of(const graph::Traffic& traffic) {
    if (!graph::gives_up(traffic)) return {};
    if (traffic.classes.empty()) return {static_cast<const graph::RequestPatience&>(traffic)};
    return {traffic.classes.begin(), traffic.classes.end()};
}

/// The replicas of a scenario, or of one of its pools.
class Server {
  public:
    Server(const ServeJob& job, const study::Scenario& scenario, ServerState& state)
        : scenario_{scenario},
          state_{state},
          machine_{state.machine(job.system_key, scenario)},
          player_{scenario, machine_, state.replayed(job.system_key, scenario), job.when_full, job.stages} {}

    /// \returns like eval::find_room()
    bool find_room(Evaluation& evaluation) {
        if (!eval::find_room(player_, evaluation, room_)) return false;
        state_.steps.serve(player_, step_key(scenario_, machine_));
        return true;
    }

    StepTable& steps() { return state_.steps; }
    StepPlayer& player() { return player_; }
    [[nodiscard]] const CacheRoom& room() const { return room_; }
    [[nodiscard]] const study::Scenario& scenario() const { return scenario_; }
    [[nodiscard]] double bytes_a_token() const {
        return room_.page_bytes / static_cast<double>(scenario_.workload.serving.kv_block);
    }
    [[nodiscard]] serving::ReplicaLimits limits() const {
        graph::ServingEngine engine = scenario_.workload.engine;
        // What is spent or counted once per step, while the schedule has a step for each token.
        const double tokens = state_.steps.tokens_a_step();
        const graph::ParallelLayout& layout = scenario_.workload.layout;
        if (layout.tp * layout.cp * layout.pp > 1) engine.host_time += engine.worker_time;
        engine.host_time = engine.host_time / tokens;
        engine.host_time_sequence = engine.host_time_sequence / tokens;
        engine.step_gap = engine.step_gap / tokens;
        const std::int64_t look_every = times(engine.receive_every, tokens);
        engine.hold_steps = times(engine.hold_steps, tokens);
        engine.max_sequences = room_.sequences;
        const HostRoom host = host_room(scenario_, room_);
        return {.pages = room_.pages,
                .page_tokens = scenario_.workload.serving.kv_block,
                .engine = engine,
                .adapters = scenario_.workload.traffic.adapters,
                .look_every = look_every,
                .patience = patience_of(scenario_.workload.traffic),
                .host_pages = host.pages,
                .copy_time = host.copy_time,
                .state_pages = room_.state_pages};
    }

  private:
    const study::Scenario& scenario_;
    ServerState& state_;
    const Machine& machine_;
    StepPlayer player_;
    CacheRoom room_;
};

/// Measures a decode step with the mean batch, which is what a device of a server does most of the time.
void measure_mean_step(const ServeJob& job, Server& server, const serving::Outcome& outcome,
                       Evaluation& evaluation) {
    const auto parts = static_cast<double>(server.player().parts());
    // One batch of several at a time has as many sequences as each of the others.
    const double decoding = outcome.decoding * static_cast<double>(server.player().batches());
    const auto sequences = static_cast<std::int64_t>(std::max(1.0, std::round(decoding / parts)) * parts);
    const auto context = static_cast<std::int64_t>(std::max(1.0, std::round(outcome.context)));
    Job step = server.player().decode_job(sequences, context);
    step.asked = job.asked;
    const Cost::Costed costed = job.stages.cost(step, job.stages.build(step));
    evaluation.graph = costed.graph;
    evaluation.durations = costed.durations;
    evaluation.result = play_step(step, *costed.durations, job.stages);
    study::Scenario scenario = server.scenario();
    scenario.workload = step.workload;
    evaluation.metrics = measure(scenario, *costed.graph, costed.total, evaluation.result, evaluation.memory);
}

/// The fewest tokens that a request occupies a step with if prompts are not split: a prompt, and in one pool
/// also its output, which is read again after a preemption.
std::int64_t fewest_tokens(const ServeJob& job, bool with_output) {
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    const auto look_at = [&](const serving::Request& request) {
        fewest = std::min(fewest, request.prompt + (with_output ? std::int64_t{request.output} - 1 : 0));
    };
    if (const auto source = source_of(job, 1.0)) {
        serving::Request request;
        while (source->next(request)) look_at(request);
    } else {
        for (const serving::Request& request : requests_of(job, 1.0).all) look_at(request);
    }
    return fewest;
}

/// \param reading  the server that reads prompts
/// \param server   the server that generates tokens
std::string why_none_fits(const ServeJob& job, const Server& reading, const Server& server,
                          std::int64_t refused) {
    const graph::ServingEngine& engine = reading.scenario().workload.engine;
    const bool one_pool = &reading == &server;
    if (!engine.chunked_prefill) {
        const std::int64_t fewest = fewest_tokens(job, one_pool);
        if (fewest > engine.token_budget)
            return fmt::format(
                "none of {} requests fits a step: the shortest has {} tokens{}, token_budget is {}, and "
                "chunked_prefill is off",
                refused, fewest, one_pool ? " (its output is read again after a preemption)" : "",
                engine.token_budget);
    }
    return fmt::format("none of {} requests fits a cache of {} pages alone", refused, server.room().pages);
}

/// Why nobody was answered, though nobody gave up. The parameters are those of why_none_fits().
std::string why_none_answered(const ServeJob& job, const Server& reading, const Server& server,
                              const serving::Outcome& outcome) {
    if (outcome.lost == 0) return why_none_fits(job, reading, server, outcome.refused);
    return fmt::format(
        "all of {} requests were lost: their replicas failed more than most_retries ({}) times each",
        outcome.lost, job.scenario.workload.engine.most_retries);
}

/// \param outcome  at the stated rate
std::string why_all_gave_up(const ServeJob& job, const serving::Outcome& outcome) {
    const bool searched = job.scenario.workload.levels.rate_within > 0.0;
    const bool closed = job.scenario.workload.traffic.clients > 0;
    const char* load = closed ? ", or the clients too many"
                              : ", or the load too high (slo.rate_within finds a rate that is not)";
    return fmt::format(
        "clients gave up before any of {} requests was answered{}: traffic.timeout or first_token_timeout is "
        "too short{}",
        outcome.lost + outcome.refused,
        searched ? ", and no lower rate meets the levels, down to a 4,096th of the stated one" : "",
        searched ? "" : load);
}

using ServeAt = std::function<serving::Outcome(double)>;

/// \param reading   the server that reads prompts
/// \param server    the server whose steps are measured
/// \param serve_at  serves the requests at a multiple of their rate
void answer(const ServeJob& job, const Server& reading, Server& server, const ServeAt& serve_at,
            Evaluation& evaluation) {
    serving::Outcome outcome = serve_at(1.0);
    const bool all_gave_up = outcome.answered == 0 && outcome.gave_up > 0;
    if (outcome.answered == 0 && !all_gave_up)
        throw ModelError(why_none_answered(job, reading, server, outcome));
    metrics::Metrics searched;
    const auto best = add_highest_rate(job.scenario.workload, outcome, serve_at, searched);
    // At a lower rate they may be answered, and then the steps are those of that rate.
    if (all_gave_up && !best) throw ModelError(why_all_gave_up(job, outcome));
    // After the search, whose steps replace the graph and the durations that the evaluation refers to.
    measure_mean_step(job, server, all_gave_up ? *best : outcome, evaluation);
    add_service(job.scenario, outcome, evaluation.metrics);
    evaluation.metrics.max_request_rate = searched.max_request_rate;
    evaluation.metrics.max_request_rate_high = searched.max_request_rate_high;
    if (best) add_price_at_max_rate(job.scenario, *best, evaluation.metrics);
    const graph::WorkloadSpec& workload = job.scenario.workload;
    evaluation.class_values = class_values(outcome, graph::states_levels(workload.levels, workload.traffic));
    evaluation.series = std::move(outcome.series);
    evaluation.classes = std::move(outcome.classes);
    evaluation.requests = std::move(outcome.requests);
}

/// \throws ModelError if a line of a trace is not valid, which then is the result of the point
serving::Outcome serve_all(const serving::Deployment& deployment, StepTable& steps,
                           serving::RequestSource& source, const std::function<void()>& checkpoint) {
    try {
        return serving::serve_stream(deployment, steps, source, checkpoint);
    } catch (const InputError& error) {
        throw ModelError(fmt::format("traffic.trace: {}", error.what()));
    }
}

bool keeps_course(const ServeJob& job) {
    return job.asked == sim::Asked::For::parts;
}

/// The time that a replica runs before it fails is exponentially distributed.
std::function<serving::Ticks(std::size_t, serving::Ticks)> failures_of(const study::Scenario& scenario) {
    const double mean = scenario.workload.engine.failure_interval.value();
    if (mean == 0.0) return {};
    return serving::draw_failures(mean, seed_of_requests(scenario));
}

void answer_by_replicas(const ServeJob& job, Evaluation& evaluation) {
    Server server{job, job.scenario, job.servers.whole};
    job.checkpoint();
    if (!server.find_room(evaluation)) return;
    const graph::WorkloadSpec& workload = job.scenario.workload;
    const serving::Deployment deployment{.limits = server.limits(),
                                         .replicas = server.player().replicas() / server.player().ranks(),
                                         .clients = workload.traffic.clients,
                                         .levels = workload.levels,
                                         .tokens_a_step = server.steps().tokens_a_step(),
                                         .keeps_course = keeps_course(job),
                                         .next_failure = failures_of(job.scenario),
                                         .classes = workload.traffic.classes,
                                         .stages = server.player().batches(),
                                         .ranks = server.player().ranks()};
    const auto serve_at = [&](double faster) {
        if (const auto source = source_of(job, faster))
            return serve_all(deployment, server.steps(), *source, job.checkpoint);
        serving::Requests requests = requests_of(job, faster);
        return serving::serve(deployment, server.steps(), requests, job.checkpoint);
    };
    answer(job, server, server, serve_at, evaluation);
}

std::optional<std::uint64_t> rank_seed_of(const study::Scenario& scenario) {
    if (scenario.system.pools.prefill_ranks == hardware::PrefillRanks::turns) return std::nullopt;
    return seed_of_requests(scenario);
}

void answer_by_pools(const ServeJob& job, Evaluation& evaluation) {
    hardware::validate(job.scenario.system);
    if (job.scenario.workload.traffic.adapters > 0)
        throw ModelError("traffic.adapters: those of separate pools are not modelled (leave out pools)");
    const study::Scenario reading = pool_scenario(job.scenario, Pool::prefill);
    const study::Scenario generating = pool_scenario(job.scenario, Pool::decode);
    Server prefill{job, reading, job.servers.prefill};
    Server decode{job, generating, job.servers.decode};
    job.checkpoint();
    if (!prefill.find_room(evaluation) || !decode.find_room(evaluation)) return;
    const graph::WorkloadSpec& workload = job.scenario.workload;
    const hardware::PoolsSpec& pools = job.scenario.system.pools;
    const CacheTransfer transfer{*job.servers.decode.machine(job.system_key, generating).network, pools,
                                 std::max(prefill.bytes_a_token(), decode.bytes_a_token()),
                                 std::max(prefill.room().state_bytes, decode.room().state_bytes),
                                 decode.player().layers()};
    const serving::PoolDeployment deployment{
        .prefill = prefill.limits(),
        .decode = decode.limits(),
        .prefill_workers = prefill.player().replicas() / pools.prefill.attention_dp,
        .decode_workers = decode.player().replicas() / decode.player().ranks(),
        .clients = workload.traffic.clients,
        .levels = workload.levels,
        .tokens_a_step = decode.steps().tokens_a_step(),
        .transfer = [&](std::int64_t tokens, serving::Ticks time) { return transfer(tokens, time); },
        .first_token_waits = pools.first_token == hardware::FirstToken::decode,
        .keeps_course = keeps_course(job),
        .classes = workload.traffic.classes,
        .decode_ranks = decode.player().ranks(),
        .rank_seed = rank_seed_of(job.scenario)};
    const auto serve_at = [&](double faster) {
        serving::Requests requests = requests_of(job, faster);
        return serving::serve_pools(deployment, prefill.steps(), decode.steps(), requests, job.checkpoint);
    };
    answer(job, prefill, decode, serve_at, evaluation);
}

}  // namespace

void answer_requests(const ServeJob& job, Evaluation& evaluation) {
    graph::require_none(graph::conflicts_of(job.scenario.workload.engine, job.scenario.workload.traffic));
    job.scenario.system.pools.exist() ? answer_by_pools(job, evaluation)
                                      : answer_by_replicas(job, evaluation);
}

}  // namespace dse::eval
