#pragma once

#include <memory>

#include "dse/explore/campaign.hpp"
#include "dse/sim/engine.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// How the points of a sweep are answered: by dse's simulation or by the sweep's program, with what it
/// derives from their answers. Stops when a signal asks for it.
explore::Evaluate point_answers(const std::shared_ptr<const study::Sweep>& sweep, sim::Asked::For asked);

}  // namespace dse::app
