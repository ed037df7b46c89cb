#include "dse/sim/fold/memory_summary.hpp"

#include <algorithm>

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
        std::size_t same = length;
        while (same < tasks_.size() && are_alike(same, same - length)) ++same;
        return same / length;
    }

  private:
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

void MemorySummary::then(const MemorySummary& next) {
    if (net_total + next.peak > peak) {
        peak = net_total + next.peak;
        at_peak = net;
        add(at_peak, next.at_peak);
    }
    add(net, next.net);
    net_total += next.net_total;
    host_peak = std::max(host_peak, host_net + next.host_peak);
    host_net += next.host_net;
}

MemorySummary MemorySummary::repeated(std::int64_t count) const {
    if (count == 0) return {};
    MemorySummary result = *this;
    const auto before_last = static_cast<double>(count - 1);
    add(result.net, net, before_last);
    result.net_total += before_last * net_total;
    if (net_total > 0) {
        result.peak += before_last * net_total;
        add(result.at_peak, net, before_last);
    }
    result.host_net += before_last * host_net;
    result.host_peak += before_last * std::max(0.0, host_net);
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
            sum.then(of(item.body, program).repeated(graph_->programs[program].counts[item.count.index()]));
            continue;
        }
        ++node_visits_;
        if (!item.allocates.empty() || !item.frees.empty()) sum.then(node(item));
    }
    return sum;
}

MemorySummary MemoryFold::node(const Item& item) const {
    MemorySummary summary;
    for (const graph::BufferId id : item.allocates) allocate(graph_->buffers[id.index()], 1, summary);
    if (summary.net_total > 0) {
        summary.peak = summary.net_total;
        summary.at_peak = summary.net;
    }
    summary.host_peak = summary.host_net;
    for (const graph::BufferId id : item.frees) allocate(graph_->buffers[id.index()], -1, summary);
    return summary;
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

/// Neighbours in a sweep often have the same schedule.
void MemoryFold::find_runs() {
    const graph::PipelineSchedule& schedule = graph_->schedule;
    if (schedule.identity != 0 && schedule.identity == runs_identity_) return;
    const graph::SteadyPhase& steady = schedule.steady;
    runs_.clear();
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        const std::size_t tasks = schedule.tasks[stage].size();
        const std::size_t begin = steady.rounds == 0 ? tasks : steady.begin[stage];
        const std::size_t a_round = steady.rounds == 0 ? 0 : steady.tasks_per_round;
        const std::size_t end = begin + std::size_t{steady.rounds} * a_round;
        runs_.push_back({find_runs(schedule, stage, 0, begin),
                         find_runs(schedule, stage, begin, begin + a_round),
                         find_runs(schedule, stage, end, tasks)});
    }
    runs_identity_ = schedule.identity;
}

void MemoryFold::add_runs(std::uint32_t stage, std::span<const Run> runs, MemorySummary& sum) {
    const std::span<const graph::Task> tasks{graph_->schedule.tasks[stage]};
    for (const Run& run : runs) {
        if (run.count == 1) {
            add_each(stage, tasks.subspan(run.first, run.length), sum);
        } else if (run.length == 1) {
            sum.then(of_task(stage, tasks[run.first]).repeated(run.count));
        } else {
            MemorySummary once;
            add_each(stage, tasks.subspan(run.first, run.length), once);
            sum.then(once.repeated(run.count));
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
    sum.peak = sum.net_total;
    sum.at_peak = sum.net;
    sum.host_peak = sum.host_net;
    sum.then(of(graph_->programs[program].update, program));
    const StageRuns& runs = runs_[stage];
    add_runs(stage, runs.before, sum);
    if (schedule.steady.rounds > 0) {
        MemorySummary round;
        add_runs(stage, runs.round, round);
        sum.then(round.repeated(schedule.steady.rounds));
    }
    add_runs(stage, runs.after, sum);
    sum.then(of(graph_->programs[program].finish, program));
    return sum;
}

MemoryPeak MemoryFold::peak() {
    MemoryPeak fullest;
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        const MemorySummary summary = stage(i);
        const double host = std::max(fullest.host, summary.host_peak);
        if (i == 0 || summary.peak > fullest.total) fullest = {i, summary.peak, summary.at_peak, host};
        fullest.host = host;
    }
    return fullest;
}

}  // namespace dse::sim::fold
