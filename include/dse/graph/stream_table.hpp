#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::graph {

/// Assigns work to the streams of a device. Streams are created on first use, so that a graph has only those
/// that it needs.
class StreamTable {
  public:
    explicit StreamTable(Queues queues = Queues::communicator);

    /// The stream of kernel launches and of the host's own computations.
    StreamId host();

    /// The stream of collectives over these axes: a communicator runs one operation at a time.
    StreamId of(AxisSet group);

    /// The stream of copies: there is a copy engine for each direction.
    StreamId of(CopyDirection direction);

    /// Stores the streams created so far, and the stream of its messages, in a graph.
    void assign_to(Graph& graph) const;

  private:
    StreamId find_or_add(const std::string& name);

    std::vector<std::string> names_;
    std::vector<std::pair<AxisSet, StreamId>> groups_;
    std::optional<StreamId> only_;  ///< the single queue of all communication under Queues::one
};

}  // namespace dse::graph
