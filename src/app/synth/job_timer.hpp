#pragma once

#include <memory>
#include <string>

#include "dse/base/units.hpp"
#include "dse/graph/graph.hpp"

namespace dse::app::synth {

/// Simulates jobs on a cluster, folded, by roofline: labels of graphs.
class JobTimer {
  public:
    /// \param cluster  a file of hardware/clusters \throws InputError where there is none
    explicit JobTimer(const std::string& cluster);
    ~JobTimer();

    /// Of an iteration. \throws ModelError where the cluster has no such groups
    Seconds operator()(graph::Graph job);

  private:
    class GivenGraph;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::app::synth
