#include "dse/sim/fold/folded_engine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/sim/critical_path.hpp"
#include "dse/sim/fold/played_abreast.hpp"
#include "dse/sim/fold/played_alone.hpp"

namespace dse::sim::fold {

namespace {

// Largest number of nodes to list; each takes about 100 bytes.
constexpr double most_listed_nodes = 1U << 24U;
/// Largest number of spans whose memory is kept for the next graph.
constexpr std::size_t most_kept_spans = 1U << 19U;

void refuse_shared_links(const Durations& durations) {
    if (durations.shared == nullptr) return;
    throw ModelError(
        "engine folded does not support links shared by all traffic (use engine event, or "
        "network.topology.sharing: collective)");
}

void refuse_coupled_stages(const graph::Graph& graph) {
    if (graph.schedule.stages == 1) return;
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        const auto* collective = std::get_if<graph::Collective>(&graph.works[i]);
        if (collective == nullptr || i == graph.barrier.index()) continue;
        if (!collective->axes.contains(graph::MeshAxis::pipeline)) continue;
        if (collective->members != graph::Members::all) continue;
        throw ModelError(
            fmt::format("engine folded does not support {} across pipeline stages (use engine event)",
                        graph::name(collective->kind)));
    }
}

void refuse_moving_ends(const Durations& durations) {
    if (durations.compute_slowdown == 1.0) return;
    throw ModelError(
        "engine folded does not support measured slowdowns (use engine event, or device.overlap.rule: "
        "fixed)");
}

void refuse_unequal_ranks(const Durations& durations) {
    if (durations.kernel_tables.empty()) return;
    throw ModelError(
        "engine folded assumes that the ranks of a stage are equal: system.stragglers, and "
        "system.device_classes that differ within a stage, need engine event");
}

void refuse_what_is_not_folded(const graph::Graph& graph, const Durations& durations) {
    refuse_shared_links(durations);
    refuse_coupled_stages(graph);
    refuse_moving_ends(durations);
    refuse_unequal_ranks(durations);
}

bool is_folded(const graph::Graph& graph, const Durations& durations) {
    try {
        refuse_what_is_not_folded(graph, durations);
        return true;
    } catch (const ModelError&) {
        return false;
    }
}

/// Whether skipping rounds, which requires separate evaluations, is likely to save more time than simulating
/// several evaluations together.
bool is_long(const ScheduleProgram& program) {
    constexpr std::size_t saved_abreast = 3;  // factor by which evaluations together are faster
    if (RunJump::pays(program, saved_abreast)) return true;
    const SteadyRounds& steady = program.steady();
    if (steady.rounds == 0) return false;
    if (steady.listed() < steady.rounds) return true;
    constexpr std::size_t played_rounds = 8;  // least number simulated before others are skipped
    const std::size_t in_rounds = steady.marks.back() - steady.marks.front();
    const std::size_t played = program.steps().size() - in_rounds + played_rounds * in_rounds / steady.rounds;
    return program.steps().size() > saved_abreast * played;
}

/// The first `abreast` durations; if there are fewer, the last one is repeated.
AbreastOperators::AllDurations as_many_as_fit(std::span<const Durations* const> durations) {
    AbreastOperators::AllDurations all;
    for (std::size_t which = 0; which < abreast; ++which)
        all[which] = durations[std::min(which, durations.size() - 1)];
    return all;
}

void charge_barrier(const graph::Graph& graph, std::uint32_t busiest, double start, double end,
                    PathLedger& ledger) {
    ledger.charge(graph.works[graph.barrier.index()], {busiest, busiest}, start, end);
}

/// The time at which the last stream of all stages is free, plus the barrier.
template <class LastStream>
Result time_of(std::uint32_t stages, double barrier, LastStream last_stream) {
    Result result;
    double last = last_stream(0);
    for (std::uint32_t i = 1; i < stages; ++i) {
        const double stage_last = last_stream(i);
        if (stage_last > last) {
            last = stage_last;
            result.last_stage = i;
        }
    }
    result.iteration_time = last + barrier;
    return result;
}

}  // namespace

Result FoldedEngine::play(const graph::Graph& graph, const Durations& durations, Asked asked) {
    const bool asks_path = asked.what == Asked::For::path || asked.what == Asked::For::parts;
    if (asks_path) works_.read(graph);
    const bool wants_path = asks_path && works_.nodes() <= most_listed_nodes;
    TaskLog* const log = wants_path && PathWalk::can_follow(graph, durations) ? &log_ : nullptr;
    const Leaves leaves = asked.what == Asked::For::time ? Leaves::times : Leaves::messages;
    Result result = fold(graph, durations, leaves, log);
    if (wants_path) add_path(graph, durations, log, asked.parts_from, result);
    if (asked.what == Asked::For::stages || asked.what == Asked::For::parts)
        add_stages(graph, durations, result);
    return result;
}

Result FoldedEngine::play(const graph::Graph& graph, const Durations& durations,
                          const std::vector<std::uint32_t>& stages, std::vector<Timeline>& timelines) {
    Result result = fold(graph, durations, Leaves::messages, nullptr);
    timelines.clear();
    for (const std::uint32_t stage : stages) list_play(graph, durations, stage, timelines.emplace_back());
    return result;
}

void FoldedEngine::list_play(const graph::Graph& graph, const Durations& durations, std::uint32_t stage,
                             Timeline& timeline) {
    timeline.stage = stage;
    timeline.spans.clear();
    timeline.streams = graph.streams;
    for (std::uint32_t lane = 0; lane < graph::lanes_of(graph.schedule); ++lane) {
        const std::string number = lane == 0 ? "" : fmt::format(" {}", lane);
        timeline.streams.insert(timeline.streams.end(), {"send" + number, "receive" + number});
    }
    account(graph, durations, stage, &timeline, nullptr);
    timeline.end = account_.last_stream();
}

MemoryPeak FoldedEngine::peak_memory(const graph::Graph& graph) {
    table_.reset(graph);
    memory_.reset(graph, table_);
    return memory_.peak();
}

Parts FoldedEngine::account(const graph::Graph& graph, const Durations& durations, std::uint32_t stage,
                            Timeline* timeline, Waits* waits) {
    return account_.play(graph, durations, stage, table_, MessageView{player_, jump_}, timeline, waits);
}

/// What each stage's compute stream did, of which each folds as well.
void FoldedEngine::add_stages(const graph::Graph& graph, const Durations& durations, Result& result) {
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        account(graph, durations, stage, nullptr, nullptr);
        Parts& parts = result.stages.emplace_back(account_.parts());
        parts.charge(Cause::bubble(), result.iteration_time - durations.barrier - account_.last_stream());
        parts.charge(Cause::of(graph.works[graph.barrier.index()]), durations.barrier);
        result.node_visits += account_.node_visits();
    }
}

/// \param log  of the play; nullptr: the path cannot be followed with it
void FoldedEngine::add_path(const graph::Graph& graph, const Durations& durations, const TaskLog* log,
                            double from, Result& result) {
    const double end = result.iteration_time - durations.barrier;
    const std::uint32_t busiest = works_.busiest_stage(durations);
    std::optional<PlayedAlone> record;
    if (log != nullptr) {
        paths_.reset(graph, durations, OperatorView{regions_});
        record.emplace(MessageView{player_, jump_}, *log);
        if (follow_record({graph, durations, paths_, *record}, busiest, from, result)) return;
    }
    Waits waits;
    if (graph.schedule.stages > 1) {
        account(graph, durations, busiest, nullptr, &waits);
        Waits::Backwards{&waits}.add(account_.last_stream(), end);
        result.node_visits += account_.node_visits();
    }
    PathLedger ledger{busiest, waits, from};
    charge_barrier(graph, busiest, end, result.iteration_time, ledger);
    const bool is_followed =
        record && walk_.run({graph, durations, paths_, *record}, result.last_stage, end, ledger);
    if (!is_followed) follow_listed(graph, durations, result, end, ledger);
    result.parts = ledger.parts();
}

/// \return whether the path and the waits of the busiest stage could be found so
bool FoldedEngine::follow_record(const LoggedPlay& play, std::uint32_t busiest, double from, Result& result) {
    if (!StageWaits::can_find(play, busiest)) return false;
    const double end = result.iteration_time - play.durations().barrier;
    waits_.start(play, table_, busiest, end);
    PathLedger ledger{busiest, waits_, from};
    charge_barrier(play.graph(), busiest, end, result.iteration_time, ledger);
    if (!walk_.run(play, result.last_stage, end, ledger)) return false;
    result.parts = ledger.parts();
    result.node_visits += waits_.node_visits();
    return true;
}

/// Every node of every stage is played for that.
void FoldedEngine::follow_listed(const graph::Graph& graph, const Durations& durations, Result& result,
                                 double end, PathLedger& ledger) {
    if (timelines_.size() < graph.schedule.stages) timelines_.resize(graph.schedule.stages);
    const std::span<Timeline> timelines{timelines_.data(), graph.schedule.stages};
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        list_play(graph, durations, stage, timelines[stage]);
        result.node_visits += account_.node_visits();
    }
    DSE_ENSURE(timelines[result.last_stage].end == end);
    dependencies_.read(graph, durations, timelines, Dependencies::Occupants::left_out);
    for_each_step_back(dependencies_, result.last_stage, end, [&](const PathStep& step) {
        const Span& span = dependencies_.at(step.who);
        ledger.charge(graph.works[span.work.index()], place_of(span, step.who.timeline, graph), step.start,
                      step.end);
    });
    std::size_t spans = 0;
    for (const Timeline& timeline : timelines_) spans += timeline.spans.capacity();
    if (spans <= most_kept_spans) return;
    timelines_.clear();
    dependencies_ = {};
}

/// Operators of the same graph on another machine are kept where no time differs.
void FoldedEngine::read_times(const graph::Graph& graph, const Durations& durations) {
    constexpr std::size_t most_numbers = 1U << 20U;
    const bool is_same = regions_of_.is(graph) && regions_.pool().size() <= most_numbers;
    if (is_same) return regions_.change({&durations});
    regions_.reset(graph, {&durations}, table_);
    regions_of_ = GraphNumbers::of(graph);
}

Result FoldedEngine::fold(const graph::Graph& graph, const Durations& durations, Leaves leaves,
                          TaskLog* log) {
    refuse_what_is_not_folded(graph, durations);
    table_.reset(graph);
    read_times(graph, durations);
    const std::uint64_t visits_before = regions_.node_visits();
    player_.reset(graph, durations, programs_.of(graph.schedule, durations, sending_of(graph)), regions_,
                  table_, log);
    const std::size_t before_last = player_.program().before_last_passes();
    if (leaves == Leaves::messages && beginning_leaves_ == Leaves::times) beginning_.forget();
    if (!beginning_.restore(player_, programs_.latest_number())) {
        const bool skips_runs = leaves == Leaves::times && RunJump::pays(player_.program(), 1);
        if (skips_runs) {
            run_jump_.run(player_, before_last);
        } else {
            jump_.run(player_, before_last);
        }
        beginning_.keep(player_);
        beginning_leaves_ = skips_runs ? Leaves::times : Leaves::messages;
    }
    player_.play(before_last, player_.program().steps().size());
    player_.finish();

    Result result = time_of(graph.schedule.stages, durations.barrier,
                            [&](std::uint32_t stage) { return player_.last_stream(stage); });
    if (result.iteration_time > longest_time) {
        throw ModelError(fmt::format("an iteration of {} s is longer than what is simulated ({} s)",
                                     result.iteration_time, longest_time));
    }
    result.node_visits = regions_.node_visits() - visits_before;
    result.task_visits = player_.task_visits();
    return result;
}

std::vector<std::optional<Result>> FoldedEngine::play_abreast(const graph::Graph& graph,
                                                              std::span<const Durations* const> durations,
                                                              Asked asked) {
    std::vector<std::optional<Result>> results(durations.size());
    if (durations.size() < 2 || graph.schedule.identity == 0) return results;
    if (asked.what != Asked::For::time && asked.what != Asked::For::path) return results;
    const auto all = [&](auto holds) { return std::all_of(durations.begin(), durations.end(), holds); };
    if (!all([&](const Durations* each) { return is_folded(graph, *each); })) return results;
    const Sending sending = sending_of(graph);
    const ScheduleProgram& program = programs_.of(graph.schedule, *durations.front(), sending);
    const bool is_one =
        all([&](const Durations* each) { return programs_.is_latest_of(graph.schedule, *each, sending); });
    if (!is_one || is_long(program)) return results;
    if (asked.what == Asked::For::path) {
        works_.read(graph);
        // All hold the same streams.
        if (works_.nodes() > most_listed_nodes || !PathWalk::can_follow(graph, *durations.front()))
            return results;
    }
    if (steps_abreast_of_ != programs_.latest_number()) steps_abreast_.read(program, graph.schedule);
    steps_abreast_of_ = programs_.latest_number();
    table_.reset(graph);
    abreast_regions_.reset(graph, as_many_as_fit(durations), table_);
    for (std::size_t begin = 0; begin < durations.size(); begin += abreast) {
        const std::size_t count = std::min(abreast, durations.size() - begin);
        play_some_abreast(graph, program, durations.subspan(begin, count), asked,
                          std::span{results}.subspan(begin, count));
    }
    return results;
}

void FoldedEngine::play_some_abreast(const graph::Graph& graph, const ScheduleProgram& program,
                                     std::span<const Durations* const> durations, Asked asked,
                                     std::span<std::optional<Result>> results) {
    const bool asks_path = asked.what == Asked::For::path;
    const AbreastOperators::AllDurations all = as_many_as_fit(durations);
    abreast_regions_.change(all);
    abreast_.reset(graph, program, programs_.latest_number(), steps_abreast_, table_);
    abreast_.set(all, abreast_regions_);
    abreast_.play(asks_path ? &abreast_log_ : nullptr);
    for (std::size_t which = 0; which < results.size(); ++which) {
        const Durations& each = *durations[which];
        Result result = time_of(graph.schedule.stages, each.barrier,
                                [&](std::uint32_t stage) { return abreast_.last_stream(stage, which); });
        if (result.iteration_time > longest_time) continue;
        if (asks_path) {
            abreast_paths_.reset(graph, each, {abreast_regions_, which});
            const PlayedAbreast record{abreast_, abreast_log_, which};
            const LoggedPlay play{graph, each, abreast_paths_, record};
            if (!follow_record(play, works_.busiest_stage(each), asked.parts_from, result)) continue;
        }
        results[which] = result;
    }
}

}  // namespace dse::sim::fold
