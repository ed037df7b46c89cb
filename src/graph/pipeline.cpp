#include "dse/graph/pipeline.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "two_way_schedules.hpp"

namespace dse::graph {

namespace {

/// The n-th task of one pass as a stage issues them: groups of `stages` microbatches go through all chunks
/// before the next group starts. With one chunk this is microbatch after microbatch.
struct IssueOrder {
    std::uint32_t stages;
    std::uint32_t chunks;

    [[nodiscard]] Task forward(std::uint32_t n) const { return {Pass::forward, chunk(n), microbatch(n)}; }
    [[nodiscard]] Task backward(std::uint32_t n) const {
        return {Pass::backward, static_cast<std::uint16_t>(chunks - 1 - chunk(n)), microbatch(n)};
    }

  private:
    [[nodiscard]] std::uint16_t chunk(std::uint32_t n) const {
        return static_cast<std::uint16_t>(n % (stages * chunks) / stages);
    }
    [[nodiscard]] std::uint32_t microbatch(std::uint32_t n) const {
        return n / (stages * chunks) * stages + n % stages;
    }
};

/// Appends `count` tasks, each like the one `period` before it, of a later microbatch. Long schedules are
/// listed this way, because it takes a third of the time of working out each task.
void repeat(std::size_t period, std::uint32_t microbatches, std::size_t count, std::vector<Task>& tasks) {
    const std::size_t begin = tasks.size();
    tasks.resize(begin + count);
    for (Task* task = tasks.data() + begin; task != tasks.data() + tasks.size(); ++task) {
        *task = *(task - period);
        task->microbatch += microbatches;
    }
}

/// `warm_up` forwards, then pairs of one forward and one backward, then the remaining backwards.
void fill_one_f_one_b(IssueOrder order, std::uint32_t total, std::uint32_t warm_up,
                      std::vector<Task>& tasks) {
    const std::uint32_t turn = order.stages * order.chunks;
    for (std::uint32_t n = 0; n < std::min(turn, warm_up); ++n) tasks.push_back(order.forward(n));
    if (warm_up > turn) repeat(turn, order.stages, warm_up - turn, tasks);
    const std::uint32_t pairs = total - warm_up;
    for (std::uint32_t n = 0; n < std::min(turn, pairs); ++n) {
        tasks.push_back(order.forward(warm_up + n));
        tasks.push_back(order.backward(n));
    }
    if (pairs > turn) repeat(std::size_t{2} * turn, order.stages, std::size_t{2} * (pairs - turn), tasks);
    for (std::uint32_t n = 0; n < std::min(turn, warm_up); ++n) tasks.push_back(order.backward(pairs + n));
    if (warm_up > turn) repeat(turn, order.stages, warm_up - turn, tasks);
}

/// ZB-H1: 1F1B whose weight passes fill bubbles. Stage i defers i of them, so that the stages stay in step;
/// no stage has more microbatches in flight than the first one of 1F1B.
void fill_zero_bubble(std::uint32_t stage, std::uint32_t total, std::uint32_t warm_up,
                      std::vector<Task>& tasks) {
    const std::uint32_t put_off = std::min(stage, total);
    for (std::uint32_t m = 0; m < warm_up; ++m) tasks.push_back({Pass::forward, 0, m});
    for (std::uint32_t m = 0; m < total; ++m) {
        if (warm_up + m < total) tasks.push_back({Pass::forward, 0, warm_up + m});
        tasks.push_back({Pass::backward, 0, m});
        if (m >= put_off) tasks.push_back({Pass::weight, 0, m - put_off});
    }
    for (std::uint32_t m = total - put_off; m < total; ++m) tasks.push_back({Pass::weight, 0, m});
}

std::uint32_t warm_up_of(std::uint32_t stage, const PipelineSchedule& schedule) {
    const std::uint32_t total = schedule.microbatches * schedule.chunks;
    const std::uint32_t behind = schedule.stages - 1 - stage;
    const std::uint32_t wanted =
        schedule.chunks == 1 ? behind : 2 * behind + (schedule.chunks - 1) * schedule.stages;
    return std::min(wanted, total);
}

std::uint32_t minus(std::uint32_t a, std::uint32_t b) {
    return a > b ? a - b : 0;
}

/// A round is one turn through all chunks. With several chunks, stage i starts its rounds i pairs later,
/// because stage 0's next chunk needs what the last stage has just computed.
void find_steady_phase(PipelineSchedule& schedule) {
    const std::uint32_t turn = schedule.chunks == 1 ? 1 : schedule.stages * schedule.chunks;
    const std::uint32_t total = schedule.microbatches * schedule.chunks;
    // Excluded are the first pair, which may contain the first microbatch's forward, and the last turn of
    // backwards, which contains the last microbatch's.
    const std::uint32_t pairs = std::min(minus(total, 1 + warm_up_of(0, schedule)), minus(total, turn + 1));
    SteadyPhase& steady = schedule.steady;
    steady.tasks_per_round = 2 * turn;
    steady.microbatches_per_round = turn / schedule.chunks;
    steady.rounds = pairs / turn;
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        const std::uint32_t skew = schedule.chunks == 1 ? 0 : stage;
        steady.begin.push_back(warm_up_of(stage, schedule) + 2 * (1 + skew));
    }
}

/// A round is a forward, a backward and a weight pass; all stages have reached it after `stages` pairs.
void find_zero_bubble_phase(PipelineSchedule& schedule) {
    const std::uint32_t first = schedule.stages;
    const std::uint32_t pairs =
        std::min(minus(schedule.microbatches, warm_up_of(0, schedule)), schedule.microbatches - 1);
    SteadyPhase& steady = schedule.steady;
    steady.tasks_per_round = 3;
    steady.microbatches_per_round = 1;
    steady.rounds = minus(pairs, first);
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage)
        steady.begin.push_back(warm_up_of(stage, schedule) + 2 * first + (first - stage));
}

std::string_view name_of(ScheduleKind kind) {
    return choice_names(kind)[static_cast<std::size_t>(kind)];
}

void check_interleaved(std::uint32_t stages, std::uint32_t microbatches) {
    if (stages == 1) throw ModelError("the interleaved schedule needs more than one pipeline stage");
    if (microbatches % stages != 0) {
        throw ModelError(
            fmt::format("the interleaved schedule needs microbatches divisible by stages, not {} by {}",
                        microbatches, stages));
    }
}

void check_dual_pipe(std::uint32_t stages, std::uint32_t microbatches) {
    if (stages % 2 != 0) {
        throw ModelError(fmt::format(
            "schedule dualpipe needs an even number of pipeline stages, not {}: each holds two", stages));
    }
    if (microbatches % 2 != 0 || microbatches < 2 * stages) {
        throw ModelError(
            fmt::format("schedule dualpipe needs an even number of microbatches, at least two per stage, not "
                        "{} for {} stages",
                        microbatches, stages));
    }
}

void check(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches, std::uint32_t chunks) {
    DSE_REQUIRE(stages >= 1 && microbatches >= 1 && chunks >= 1);
    if (kind == ScheduleKind::interleaved) return check_interleaved(stages, microbatches);
    if (kind == ScheduleKind::dualpipe) check_dual_pipe(stages, microbatches);
    const bool two_ways = placement_of(kind) != Placement::cyclic;
    if (two_ways) DSE_REQUIRE(chunks == 2);
    if (two_ways || chunks == 1) return;
    throw ModelError(
        fmt::format("schedule {} has one chunk per stage, not {} (only interleaved has virtual stages)",
                    name_of(kind), chunks));
}

/// Lists the tasks of all stages of a model that traverses them in one direction.
void list_one_way(ScheduleKind kind, PipelineSchedule& schedule) {
    const IssueOrder order{schedule.chunks == 1 ? 1 : schedule.stages, schedule.chunks};
    const std::uint32_t total = schedule.microbatches * schedule.chunks;
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        const std::uint32_t warm_up = kind == ScheduleKind::gpipe ? total : warm_up_of(stage, schedule);
        if (kind == ScheduleKind::zb_h1) {
            fill_zero_bubble(stage, total, warm_up, schedule.tasks[stage]);
        } else {
            fill_one_f_one_b(order, total, warm_up, schedule.tasks[stage]);
        }
        checkpoint(schedule.tasks[stage].size());
    }
    if (kind == ScheduleKind::zb_h1) {
        find_zero_bubble_phase(schedule);
    } else if (kind != ScheduleKind::gpipe) {
        find_steady_phase(schedule);
    }
}

/// Initializes an existing schedule as empty.
/// \param passes  largest number of passes of a microbatch through a chunk
void start(std::uint32_t stages, std::uint32_t microbatches, std::uint32_t chunks, Placement placement,
           std::size_t passes, PipelineSchedule& schedule) {
    schedule.stages = stages;
    schedule.chunks = chunks;
    schedule.placement = placement;
    schedule.microbatches = microbatches;
    schedule.identity = 0;
    schedule.steady.rounds = 0;
    schedule.steady.begin.clear();
    if (schedule.tasks.size() < stages) schedule.tasks.resize(stages);
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
        schedule.tasks[stage].clear();
        schedule.tasks[stage].reserve(passes * chunks * microbatches);
    }
}

}  // namespace

std::span<const std::string_view> choice_names(ScheduleKind) {
    static constexpr std::array<std::string_view, 6> names{"gpipe", "1f1b", "interleaved",
                                                           "zb_h1", "zb_v", "dualpipe"};
    return names;
}

/// Chunk 0 goes up the stages towards the loss; chunk 1 comes down.
Peer neighbour_of_two_ways(const Task& task, std::uint32_t stage, const PipelineSchedule& schedule,
                           Towards end) {
    const bool goes_up = (task.chunk == 0) == (end == Towards::loss);
    Peer peer{Peer::Kind::stage, stage, task};
    peer.task.form = Form::plain;
    if (goes_up && stage + 1 == schedule.stages) {
        if (schedule.placement == Placement::mirrored) return {};
        peer.kind = Peer::Kind::local;
        peer.task.chunk = static_cast<std::uint16_t>(1 - task.chunk);
        return peer;
    }
    if (!goes_up && stage == 0) return {};
    peer.stage = goes_up ? stage + 1 : stage - 1;
    return peer;
}

std::uint32_t chunks_of(ScheduleKind kind, std::int64_t virtual_stages) {
    if (placement_of(kind) == Placement::cyclic) return static_cast<std::uint32_t>(virtual_stages);
    if (virtual_stages == 1) return 2;
    throw ModelError(
        fmt::format("schedule {} always has two chunks per stage: virtual_stages must be 1, not {}",
                    name_of(kind), virtual_stages));
}

std::uint32_t piece_of(Placement placement, std::uint32_t stage, std::uint32_t chunk, std::uint32_t stages) {
    if (placement == Placement::cyclic || chunk == 0) return chunk * stages + stage;
    return (placement == Placement::v_shaped ? 2 * stages : stages) - 1 - stage;
}

void make_schedule(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches, std::uint32_t chunks,
                   PipelineSchedule& schedule) {
    check(kind, stages, microbatches, chunks);
    const Placement placement = placement_of(kind);
    start(stages, placement == Placement::mirrored ? microbatches / 2 : microbatches, chunks, placement, 3,
          schedule);
    schedule.splits_backward = splits_backward(kind);
    schedule.forward_only = false;
    switch (kind) {
        case ScheduleKind::zb_v:
            return list_zero_bubble_v(schedule);
        case ScheduleKind::dualpipe:
            return list_dual_pipe(schedule);
        default:
            return list_one_way(kind, schedule);
    }
}

void make_forward_schedule(std::uint32_t stages, std::uint32_t microbatches, std::uint32_t steps,
                           PipelineSchedule& schedule) {
    DSE_REQUIRE(stages >= 1 && microbatches >= 1 && steps >= 1);
    start(stages, microbatches, steps, Placement::cyclic, 1, schedule);
    schedule.splits_backward = false;
    schedule.forward_only = true;
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
        std::vector<Task>& tasks = schedule.tasks[stage];
        for (std::uint32_t step = 0; step < steps; ++step) {
            for (std::uint32_t m = 0; m < microbatches; ++m)
                tasks.push_back({Pass::forward, static_cast<std::uint16_t>(step), m});
        }
    }
    schedule.identity = identity_of(ScheduleKind::one_f_one_b, schedule);
}

std::uint64_t identity_of(ScheduleKind kind, const PipelineSchedule& schedule) {
    if (schedule.stages >= 1U << 16U || schedule.chunks >= 1U << 12U) return 0;
    constexpr std::uint64_t forward_only = 15;  // differs from every kind
    const std::uint64_t order = schedule.forward_only ? forward_only : static_cast<std::uint64_t>(kind) + 1;
    return order << 60U | std::uint64_t{schedule.stages} << 44U | std::uint64_t{schedule.chunks} << 32U |
           schedule.microbatches;
}

PipelineSchedule make_schedule(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches,
                               std::uint32_t chunks) {
    PipelineSchedule schedule;
    make_schedule(kind, stages, microbatches, chunks, schedule);
    return schedule;
}

}  // namespace dse::graph
