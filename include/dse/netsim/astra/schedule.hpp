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

/// The order in which ASTRA-sim starts steps of a program that are ready at the same time, which is the
/// iteration order of the hash sets in its dependency resolver (GNU standard library). It determines which of
/// several equal messages a step receives, and which message is first on a shared link.
struct AstraScheduleOrder {
    explicit AstraScheduleOrder(const ScheduleProgram& program);

    std::unordered_set<std::uint64_t> roots;           ///< ids of steps without dependencies
    std::vector<std::vector<std::uint32_t>> children;  ///< by step, in the order in which they become ready
    std::vector<std::uint32_t> waits;                  ///< by step: number of dependencies
    std::map<std::uint64_t, std::uint32_t> step_of;    ///< by id
};

/// A schedule with ASTRA-sim's order of steps.
struct AstraSchedule {
    explicit AstraSchedule(Schedule read);

    Schedule schedule;
    std::vector<AstraScheduleOrder> orders;  ///< by member
};

/// The collectives defined by trace files ("…-implementation-custom", "per-node-custom-implementation").
struct AstraSchedules {
    using One = std::shared_ptr<const AstraSchedule>;

    std::array<One, 4> of_kind;           ///< by graph::CollectiveKind
    std::map<std::int64_t, One> of_node;  ///< by the node's id in the workload's traces; goes before its kind

    [[nodiscard]] bool empty() const;
    /// \returns nullptr where ASTRA-sim has its own algorithm
    [[nodiscard]] const AstraSchedule* find(graph::CollectiveKind kind, std::uint64_t node) const;
};

}  // namespace dse::netsim
