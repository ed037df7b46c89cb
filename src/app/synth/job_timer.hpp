#pragma once

#include <memory>
#include <string>

#include "dse/base/units.hpp"
#include "dse/graph/graph.hpp"

namespace dse::app::synth {

/// Simulates jobs on a cluster with engine `folded` and compute model `roofline`, to label graphs with times.
class JobTimer {
  public:
    /// \param cluster  name of a file in hardware/clusters
    /// \throws InputError if there is none
    explicit JobTimer(const std::string& cluster);
    ~JobTimer();

    /// Time of one iteration. \throws ModelError if the network of the cluster does not support the groups
    Seconds operator()(graph::Graph job);

  private:
    class GivenGraph;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::app::synth
