#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/model/network/communication.hpp"
#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// A network with a way of its own to play collectives that trace files spell out.
class SchedulePlayer {
  public:
    SchedulePlayer() = default;
    SchedulePlayer(const SchedulePlayer&) = delete;
    SchedulePlayer& operator=(const SchedulePlayer&) = delete;
    virtual ~SchedulePlayer() = default;

    /// \param scale  of the schedule's messages and computation
    /// \param group  as many members as the schedule has, in its order
    [[nodiscard]] virtual Seconds scheduled(const Schedule& schedule, double scale,
                                            graph::CollectiveKind kind,
                                            const model::RankList& group) const = 0;
};

}  // namespace dse::netsim
