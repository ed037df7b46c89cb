#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/model/network/communication.hpp"
#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// A network with its own simulation of collectives defined by trace files.
class SchedulePlayer {
  public:
    SchedulePlayer() = default;
    SchedulePlayer(const SchedulePlayer&) = delete;
    SchedulePlayer& operator=(const SchedulePlayer&) = delete;
    virtual ~SchedulePlayer() = default;

    /// \param scale  factor on the schedule's messages and computations
    /// \param group  one member per program of the schedule, in its order
    [[nodiscard]] virtual Seconds scheduled(const Schedule& schedule, double scale,
                                            graph::CollectiveKind kind,
                                            const model::RankList& group) const = 0;
};

}  // namespace dse::netsim
