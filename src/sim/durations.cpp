#include "dse/sim/durations.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim {

namespace {

bool is_quantised(double seconds) {
    return seconds >= 0 && seconds <= longest_time &&
           std::nearbyint(seconds / time_quantum) * time_quantum == seconds;
}

void check(bool holds, const char* what, std::size_t index) {
    if (!holds) throw ContractViolation(fmt::format("durations: {} {}", what, index));
}

void check_transfers(const std::vector<TransferTime>& transfers, const graph::PipelineSchedule& schedule) {
    if (schedule.stages == 1) return;
    const std::size_t lane_ends = std::size_t{graph::lanes_of(schedule)} * schedule.stages;
    check(transfers.size() >= lane_ends, "transfers for fewer stages than", lane_ends);
    for (std::size_t i = 0; i < lane_ends; ++i) {
        const TransferTime& time = transfers[i];
        check(is_quantised(time.duration) && is_quantised(time.hold) && time.hold <= time.duration,
              "impossible transfer from stage", i);
    }
}

void check_kernel_tables(const Durations& durations, const graph::Graph& graph) {
    for (const std::vector<double>& table : durations.kernel_tables) {
        check(table.size() >= graph.works.size(), "fewer times of kernels than works:", table.size());
        for (std::size_t i = 0; i < graph.works.size(); ++i)
            check(is_quantised(table[i]), "impossible time of a kernel, work", i);
    }
    check(durations.kernel_tables.empty() == durations.kernel_table_of.empty() &&
              (durations.kernel_table_of.empty() ||
               std::ssize(durations.kernel_table_of) >= graph.mesh.ranks()),
          "tables of kernels for fewer ranks than there are:", durations.kernel_table_of.size());
    for (const std::uint16_t table : durations.kernel_table_of)
        check(table <= durations.kernel_tables.size(), "no such table of kernels:", table);
}

/// Collectives between two stages must leave the compute stream alone.
void check_meetings(const Durations& durations, const graph::Graph& graph) {
    if (graph::meeting_pairs(graph) == 0) return;
    const graph::Region& finish = graph.regions[graph.programs[graph.program_of[0]].finish.index()];
    const graph::Item& meeting = finish.items.front();
    const NodeTime& time = durations.of_work[meeting.work.index()];
    check(hold_of(time, meeting.stream) == 0 && lost_of(time, meeting.stream) == 0,
          "two stages that meet hold or slow down their compute streams, work", meeting.work.index());
}

}  // namespace

double quantise(double seconds) {
    if (!(seconds >= 0) || seconds > longest_time) {
        throw ModelError(fmt::format("a duration of {} s is outside of what is simulated (0 to {} s)",
                                     seconds, longest_time));
    }
    return std::nearbyint(seconds / time_quantum) * time_quantum;
}

void validate(const Durations& durations, const graph::Graph& graph) {
    check(durations.of_work.size() >= graph.works.size(),
          "fewer durations than works:", durations.of_work.size());
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        if (std::holds_alternative<graph::Transfer>(graph.works[i])) continue;
        const NodeTime& time = durations.of_work[i];
        check(is_quantised(time.duration) && is_quantised(time.visible) && is_quantised(time.hold) &&
                  is_quantised(time.lost) && time.visible <= time.duration && time.hold <= time.duration &&
                  time.lost <= time.duration && (time.hold == 0 || time.lost == 0),
              "impossible time of work", i);
    }
    check_kernel_tables(durations, graph);
    check_meetings(durations, graph);
    check_transfers(durations.forward, graph.schedule);
    check_transfers(durations.backward, graph.schedule);
    check(is_quantised(durations.barrier), "impossible barrier, work", graph.barrier.index());
}

}  // namespace dse::sim
