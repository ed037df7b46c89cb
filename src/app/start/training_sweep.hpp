#pragma once

#include <string>

#include "app/start/first_sweep.hpp"
#include "app/start/model_facts.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app {

/// A sweep over the layouts in which a model can be trained.
std::string training_sweep(const FirstSweep& sweep, const ModelFacts& model,
                           const hardware::ClusterSpec& cluster);

}  // namespace dse::app
