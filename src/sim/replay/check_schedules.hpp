#pragma once

#include "dse/sim/replay/astra_replay.hpp"

namespace dse::sim::replay {

/// Whether the collectives of a job that trace files spell out can be played: groups are as large as their
/// schedules (netsim::check_schedule) and list their ranks in order, since ASTRA-sim takes programs by sorted
/// and peers by listed places; and all collectives of a kind in a group have the same one, since
/// ASTRA-sim keeps the one of the first for all that follow.
/// \throws InputError
void check_schedules(const AstraJob& job);

}  // namespace dse::sim::replay
