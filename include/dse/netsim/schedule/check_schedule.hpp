#pragma once

#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// Checks that a group with this number of members can complete a schedule: there is a program for each
/// member, which refers to no others; every message sent is received; and there is no deadlock. Messages are
/// sent whether or not they are awaited.
/// \throws InputError naming the problem; for a deadlock, the members that wait for each other
void check_schedule(const Schedule& schedule, std::size_t members);

}  // namespace dse::netsim
