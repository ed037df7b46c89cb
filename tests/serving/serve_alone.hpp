#pragma once

#include <functional>
#include <utility>

#include "serving/rank_group.hpp"

namespace dse::serving {

/// Answers all requests of a replica that shares its devices with no other.
inline void serve_alone(Replica& replica, const graph::ServingEngine& engine, StepTime& step_time,
                        std::function<void()> checkpoint = {}) {
    RankGroup group{1, engine, step_time};
    group.add(replica);
    group.set_checkpoint(std::move(checkpoint));
    replica.open();
    group.advance(never);
    replica.close();
}

}  // namespace dse::serving
