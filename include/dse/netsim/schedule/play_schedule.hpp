#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/model/network/network_play.hpp"
#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// How long a schedule takes that some groups play at once: each step begins once those that it waits for
/// have ended. A send ends when its message is there, a receive when it is there and awaited, computation
/// after its recorded time.
/// \param schedule  that ends (check_schedule) \param scale  of its messages and its computation, > 0
/// \param groups    ranks of the members, in the schedule's order
/// \param network   with nothing under way
/// \returns until the last step of the last member has ended
Seconds play_schedule(const Schedule& schedule, double scale,
                      std::span<const std::vector<std::int64_t>> groups, model::NetworkPlay& network);

}  // namespace dse::netsim
