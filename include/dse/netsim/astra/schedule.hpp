#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_set>
#include <vector>

#include "dse/graph/work.hpp"
#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// In which order ASTRA-sim begins the steps of a program that are ready together: as the hash sets of its
/// dependency resolver, built with GNU's library, hand them out. It decides which of equal messages a step
/// gets, and which goes first over a shared link.
struct AstraScheduleOrder {
    explicit AstraScheduleOrder(const ScheduleProgram& program);

    std::unordered_set<std::uint64_t> roots;           ///< ids of steps that wait for nothing
    std::vector<std::vector<std::uint32_t>> children;  ///< by step, in the order in which they become ready
    std::vector<std::uint32_t> waits;                  ///< by step: for so many others
    std::map<std::uint64_t, std::uint32_t> step_of;    ///< by id
};

/// A schedule as ASTRA-sim plays it.
struct AstraSchedule {
    explicit AstraSchedule(Schedule read);

    Schedule schedule;
    std::vector<AstraScheduleOrder> orders;  ///< by member
};

/// The collectives that trace files spell out ("…-implementation-custom", "per-node-custom-implementation").
struct AstraSchedules {
    using One = std::shared_ptr<const AstraSchedule>;

    std::array<One, 4> of_kind;           ///< by graph::CollectiveKind
    std::map<std::int64_t, One> of_node;  ///< by the node's id in the workload's traces; goes before its kind

    [[nodiscard]] bool empty() const;
    /// \returns nullptr where ASTRA-sim has its own algorithm
    [[nodiscard]] const AstraSchedule* find(graph::CollectiveKind kind, std::uint64_t node) const;
};

}  // namespace dse::netsim
