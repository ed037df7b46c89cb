#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/sim/replay/dependency_table.hpp"
#include "dse/sim/replay/node_times.hpp"
#include "dse/trace/chakra/groups.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// What became of a rank.
struct MachineRank {
    Seconds finish;
    Seconds compute;  ///< while a kernel was at work
    /// While communication or a copy was at work, or waited for others, and no kernel was.
    Seconds exposed;
};

/// Plays the traces of all ranks on a machine. A node begins when what it depends on has ended and its lane
/// is free (see LaneTable). A collective begins when the last member of its group has come and ends for all
/// at once: the n-th that a rank begins in a group is the n-th of every other member. A message leaves when
/// it is sent, and holds up those behind it on its lane; it is received when it is there and wanted. Messages
/// and collectives do not slow each other down. \param groups  those of a file beside the traces, and those
/// that traces declare \throws InputError naming the node that lacks something, or that the models do not
/// know; who waits for what where not everything ends
std::vector<MachineRank> replay_on_machine(std::span<const trace::chakra::RankTrace> ranks,
                                           const trace::chakra::Groups& groups, NodeTimes& times,
                                           Dependencies dependencies = Dependencies::all);

}  // namespace dse::sim::replay
