#pragma once

#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// Whether a group of so many members can play a schedule to its end: there is a program for each, which
/// speaks of no other members; every message that is sent is received; and nobody waits for ever. Messages
/// are sent whether or not they are awaited.
/// \throws InputError saying what is wrong; of a standstill, who waits for whom
void check_schedule(const Schedule& schedule, std::size_t members);

}  // namespace dse::netsim
