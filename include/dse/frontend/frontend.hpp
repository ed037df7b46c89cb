#pragma once

#include "dse/graph/graph.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::frontend {

/// Builds the distributed workload of a point. One object serves one thread; it keeps what it has built, so
/// that neighbouring points share structure.
class Frontend {
  public:
    virtual ~Frontend() = default;

    /// \returns the graph, valid until the next call
    /// \throws ModelError where the workload cannot be laid out so
    virtual const graph::Graph& build(const graph::WorkloadSpec& workload,
                                      const graph::ResolvedLayout& layout) = 0;

    /// Forgets what it has built, not what it has read: the next build starts from the parsed files.
    virtual void forget() = 0;

    /// The trainable parameters of the workload's model, every one counted once.
    virtual double parameter_count(const graph::WorkloadSpec& workload) = 0;

    /// Those of them that one token meets: of experts, the share that a router chooses.
    virtual double active_parameter_count(const graph::WorkloadSpec& workload) = 0;
};

}  // namespace dse::frontend
