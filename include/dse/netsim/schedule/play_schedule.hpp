#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/model/network/network_play.hpp"
#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// Simulates a schedule that several groups run concurrently. Each step starts when those that it depends on
/// have ended. A send ends when its message has arrived, a receive when the message has arrived and is
/// awaited, a computation after its recorded time.
/// \param schedule  a valid schedule (check_schedule)
/// \param scale  factor on its messages and computations, > 0
/// \param groups  ranks of the members, in the order of the schedule
/// \param network  without any running communication
/// \returns the time at which the last step of the last member ends
Seconds play_schedule(const Schedule& schedule, double scale,
                      std::span<const std::vector<std::int64_t>> groups, model::NetworkPlay& network);

}  // namespace dse::netsim
