#pragma once

#include "dse/graph/graph.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::frontend {

/// Builds the distributed workload of a point. Use one object per thread. It keeps what it has built, so that
/// neighbouring points share structure: whoever builds many graphs forgets them in time.
class Frontend {
  public:
    virtual ~Frontend() = default;

    /// \returns the graph, valid until the next call
    /// \throws ModelError if the workload does not support this layout
    virtual const graph::Graph& build(const graph::WorkloadSpec& workload,
                                      const graph::ResolvedLayout& layout) = 0;

    /// Drops what it has built, but not the files that it has parsed.
    virtual void forget() = 0;

    /// Number of parameters of the workload's model in its mode (training, or inference), each counted once.
    virtual double parameter_count(const graph::WorkloadSpec& workload) = 0;

    /// Number of parameters that process one token: of the experts, only the share that the router chooses.
    virtual double active_parameter_count(const graph::WorkloadSpec& workload) = 0;
};

}  // namespace dse::frontend
