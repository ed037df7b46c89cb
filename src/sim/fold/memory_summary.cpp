#include "dse/sim/fold/memory_summary.hpp"

#include <algorithm>
#include <utility>

namespace dse::sim::fold {

using graph::Item;

namespace {

void add(BytesByKind& sum, const BytesByKind& more, double times = 1) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += times * more[k];
}

void allocate(const graph::Buffer& buffer, double sign, MemorySummary& summary) {
    if (buffer.kind == graph::host_memory) {
        summary.host_net += sign * buffer.size.value();
        return;
    }
    summary.net[static_cast<std::size_t>(buffer.kind)] += sign * buffer.size.value();
    summary.net_total += sign * buffer.size.value();
}

void note_peak(MemorySummary& summary) {
    if (summary.net_total > summary.peak) {
        summary.peak = summary.net_total;
        summary.at_peak = summary.net;
    }
    summary.host_peak = std::max(summary.host_peak, summary.host_net);
}

/// Finds what a stretch of a schedule's tasks begins with, over and over.
class Pattern {
  public:
    Pattern(const graph::PipelineSchedule& schedule, std::span<const graph::Task> tasks)
        : schedule_{schedule}, tasks_{tasks} {}

    /// One task, or two. Two that are played together stay so.
    [[nodiscard]] std::size_t length() const {
        const std::size_t first = std::min(graph::played_together(tasks_.front()), tasks_.size());
        if (first > 1 || tasks_.size() < 4 || are_alike(0, 1)) return first;
        return graph::played_together(tasks_[1]) == 1 && repetitions(2) > 1 ? 2 : 1;
    }

    /// How often the first `length` tasks come one after the other, >= 1.
    [[nodiscard]] std::size_t repetitions(std::size_t length) const {
        if (length == 1) return equal_tasks();
        std::size_t same = length;
        while (same < tasks_.size() && are_alike(same, same - length)) ++same;
        return same / length;
    }

  private:
    /// Number of tasks at the beginning that are like the first one. Schedules without rounds have long lists
    /// of them.
    [[nodiscard]] std::size_t equal_tasks() const {
        const graph::Task first = tasks_.front();
        const bool is_peeled = graph::is_peeled(first, schedule_);
        const std::uint32_t peeled = first.pass == graph::Pass::forward ? 0 : schedule_.microbatches - 1;
        const auto other = std::find_if(tasks_.begin() + 1, tasks_.end(), [=](const graph::Task& task) {
            return task.pass != first.pass || task.chunk != first.chunk || task.form != first.form ||
                   (task.microbatch == peeled) != is_peeled;
        });
        return static_cast<std::size_t>(other - tasks_.begin());
    }

    /// Whether two of the tasks are played on the same region.
    [[nodiscard]] bool are_alike(std::size_t i, std::size_t j) const {
        const graph::Task& a = tasks_[i];
        const graph::Task& b = tasks_[j];
        return a.pass == b.pass && a.chunk == b.chunk && a.form == b.form &&
               graph::is_peeled(a, schedule_) == graph::is_peeled(b, schedule_);
    }

    const graph::PipelineSchedule& schedule_;
    std::span<const graph::Task> tasks_;
};

}  // namespace

void MemorySummary::then(const MemorySummary& next, std::int64_t count) {
    if (count == 0) return;
    const auto before_last = static_cast<double>(count - 1);
    const bool grows = count > 1 && next.net_total > 0;
    const double highest = net_total + next.peak + (grows ? before_last * next.net_total : 0.0);
    if (highest > peak) {
        peak = highest;
        at_peak = net;
        add(at_peak, next.at_peak);
        if (grows) add(at_peak, next.net, before_last);
    }
    const auto times = static_cast<double>(count);
    add(net, next.net, times);
    net_total += times * next.net_total;
    host_peak = std::max(host_peak, host_net + next.host_peak + before_last * std::max(0.0, next.host_net));
    host_net += times * next.host_net;
}

MemorySummary MemorySummary::repeated(std::int64_t count) const {
    MemorySummary result;
    result.then(*this, count);
    return result;
}

void MemoryFold::reset(const graph::Graph& graph, const RegionTable& table) {
    graph_ = &graph;
    table_ = &table;
    node_visits_ = 0;
    if (entries_.size() < table.slots()) entries_.resize(table.slots());
    for (std::size_t slot = 0; slot < table.slots(); ++slot) entries_[slot].built = false;
    find_runs();
}

const MemorySummary& MemoryFold::of(graph::RegionId region, std::uint32_t program) {
    Entry& entry = entries_[table_->slot(region, program)];
    if (!entry.built) {
        entry.summary = build(graph_->regions[region.index()], program);
        entry.built = true;
    }
    return entry.summary;
}

MemorySummary MemoryFold::build(const graph::Region& region, std::uint32_t program) {
    MemorySummary sum;
    for (const Item& item : region.items) {
        if (item.kind == Item::Kind::repeat) {
            sum.then(of(item.body, program), graph_->programs[program].counts[item.count.index()]);
            continue;
        }
        ++node_visits_;
        add(item, sum);
    }
    return sum;
}

void MemoryFold::add(const Item& item, MemorySummary& sum) const {
    if (!item.allocates.empty()) {
        for (const graph::BufferId id : item.allocates) allocate(graph_->buffers[id.index()], 1, sum);
        note_peak(sum);
    }
    for (const graph::BufferId id : item.frees) allocate(graph_->buffers[id.index()], -1, sum);
}

/// Long stretches of a schedule are one task, or one pair of tasks, over and over.
std::vector<MemoryFold::Run> MemoryFold::find_runs(const graph::PipelineSchedule& schedule,
                                                   std::uint32_t stage, std::size_t begin, std::size_t end) {
    const std::span<const graph::Task> tasks{schedule.tasks[stage]};
    std::vector<Run> runs;
    for (std::size_t t = begin; t < end;) {
        const Pattern pattern{schedule, tasks.subspan(t, end - t)};
        const std::size_t length = pattern.length();
        const std::size_t count = pattern.repetitions(length);
        runs.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(length),
                        static_cast<std::uint32_t>(count)});
        t += count * length;
    }
    return runs;
}

/// Whether runs are of the same tasks as those of the stage before.
bool MemoryFold::begin_alike(const graph::PipelineSchedule& schedule, std::uint32_t stage,
                             std::span<const Run> runs) {
    const std::vector<graph::Task>& now = schedule.tasks[stage];
    const std::vector<graph::Task>& before = schedule.tasks[stage - 1];
    return std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
        for (std::size_t t = run.first; t < run.first + run.length; ++t)
            if (now[t] != before[t] || now[t].form != before[t].form) return false;
        return true;
    });
}

std::vector<MemoryFold::StageRuns> MemoryFold::runs_of(const graph::PipelineSchedule& schedule) {
    const graph::SteadyPhase& steady = schedule.steady;
    std::vector<StageRuns> stages;
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        const std::size_t tasks = schedule.tasks[stage].size();
        const std::size_t begin = steady.rounds == 0 ? tasks : steady.begin[stage];
        const std::size_t a_round = steady.rounds == 0 ? 0 : steady.tasks_per_round;
        const std::size_t end = begin + std::size_t{steady.rounds} * a_round;
        StageRuns runs{find_runs(schedule, stage, 0, begin),
                       find_runs(schedule, stage, begin, begin + a_round),
                       find_runs(schedule, stage, end, tasks)};
        runs.like_stage_before = stage > 0 && steady.rounds == 0 && runs.before == stages.back().before &&
                                 begin_alike(schedule, stage, runs.before);
        stages.push_back(std::move(runs));
    }
    return stages;
}

/// A sweep returns to a schedule whenever another axis moves on.
void MemoryFold::find_runs() {
    constexpr std::size_t most_schedules = 256;
    const std::uint64_t identity = graph_->schedule.identity;
    const auto kept = std::find_if(
        schedules_.begin(), schedules_.end(),
        [identity](const ScheduleRuns& schedule) { return identity != 0 && schedule.identity == identity; });
    latest_ = static_cast<std::size_t>(kept - schedules_.begin());
    if (kept != schedules_.end()) return;
    if (schedules_.size() >= most_schedules) schedules_.clear();
    latest_ = schedules_.size();
    schedules_.push_back({identity, runs_of(graph_->schedule)});
}

void MemoryFold::add_runs(std::uint32_t stage, std::span<const Run> runs, MemorySummary& sum) {
    const std::span<const graph::Task> tasks{graph_->schedule.tasks[stage]};
    for (const Run& run : runs) {
        if (run.count == 1) {
            add_each(stage, tasks.subspan(run.first, run.length), sum);
        } else if (run.length == 1) {
            sum.then(of_task(stage, tasks[run.first]), run.count);
        } else {
            MemorySummary once;
            add_each(stage, tasks.subspan(run.first, run.length), once);
            sum.then(once, run.count);
        }
    }
}

const MemorySummary& MemoryFold::of_task(std::uint32_t stage, const graph::Task& task) {
    const std::uint32_t program = graph_->program_of[stage];
    return of(graph::region_of(graph_->programs[program], task, graph_->schedule), program);
}

void MemoryFold::add_each(std::uint32_t stage, std::span<const graph::Task> tasks, MemorySummary& sum) {
    for (std::size_t t = 0; t < tasks.size(); t += graph::played_together(tasks[t]))
        sum.then(of_task(stage, tasks[t]));
}

MemorySummary MemoryFold::stage(std::uint32_t stage) {
    const std::uint32_t program = graph_->program_of[stage];
    const graph::PipelineSchedule& schedule = graph_->schedule;
    MemorySummary sum;
    for (const graph::BufferId id : graph_->programs[program].resident) {
        allocate(graph_->buffers[id.index()], 1, sum);
    }
    note_peak(sum);
    sum.then(of(graph_->programs[program].update, program));
    const StageRuns& runs = runs_of_stage(stage);
    add_runs(stage, runs.before, sum);
    if (schedule.steady.rounds > 0) {
        MemorySummary round;
        add_runs(stage, runs.round, round);
        sum.then(round, schedule.steady.rounds);
    }
    add_runs(stage, runs.after, sum);
    sum.then(of(graph_->programs[program].finish, program));
    return sum;
}

MemoryPeak MemoryFold::peak() {
    MemoryPeak fullest;
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        const bool is_like_before =
            i > 0 && runs_of_stage(i).like_stage_before && graph_->program_of[i] == graph_->program_of[i - 1];
        if (is_like_before) continue;
        const MemorySummary summary = stage(i);
        const double host = std::max(fullest.host, summary.host_peak);
        if (i == 0 || summary.peak > fullest.total) fullest = {i, summary.peak, summary.at_peak, host};
        fullest.host = host;
    }
    return fullest;
}

}  // namespace dse::sim::fold
