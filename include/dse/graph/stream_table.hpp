#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::graph {

/// Which stream of a device issues what. Streams come up as they are asked for, so that a graph has those
/// that it uses and no others.
class StreamTable {
  public:
    explicit StreamTable(Queues queues = Queues::communicator);

    /// Of kernels being launched, and of what the host computes itself.
    StreamId host();

    /// Of collectives over these axes, whatever they carry: a communicator does one thing after the other.
    StreamId of(AxisSet group);

    /// Of copies: an engine for each direction.
    StreamId of(CopyDirection direction);

    /// Gives a graph the streams that have been asked for, and its messages theirs.
    void assign_to(Graph& graph) const;

  private:
    StreamId find_or_add(const std::string& name);

    std::vector<std::string> names_;
    std::vector<std::pair<AxisSet, StreamId>> groups_;
    std::optional<StreamId> only_;  ///< the one queue of all communication, where there is but one
};

}  // namespace dse::graph
