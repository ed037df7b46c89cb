#pragma once

#include "dse/sim/replay/astra_replay.hpp"

namespace dse::sim::replay {

/// Checks that the collectives of a job that trace files specify can be simulated: groups have the size of
/// their schedules (netsim::check_schedule) and list their ranks in order, since ASTRA-sim indexes programs
/// by sorted and peers by listed position; and all collectives of a kind in a group have the same schedule,
/// since ASTRA-sim keeps that of the first one for all that follow.
/// \throws InputError
void check_schedules(const AstraJob& job);

}  // namespace dse::sim::replay
