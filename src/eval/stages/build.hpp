#pragma once

#include <cstdint>
#include <memory>

#include "dse/frontend/frontend.hpp"
#include "eval/stages/graph_budget.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// Job → graph.
class Build {
  public:
    explicit Build(std::unique_ptr<frontend::Frontend> frontend);

    /// The previous graph if nothing but the network differs.
    /// \returns the graph, valid until the next one is built
    /// \throws ModelError like frontend::Frontend::build
    const graph::Graph& operator()(const Job& job);

    /// The same with a given number of steps of a server's loop.
    const graph::Graph& operator()(const Job& job, std::uint32_t steps);

    /// Whether the graphs built take as much memory as they may, so that all stages should forget them.
    [[nodiscard]] bool is_full() const { return budget_.is_spent(); }
    void forget();

  private:
    std::unique_ptr<frontend::Frontend> frontend_;
    const graph::Graph* latest_{nullptr};  // nullptr: of another workload, or not known to be the same
    std::uint64_t latest_of_{0};           // Job::beside_network
    graph::Queues queues_{};               // of its layout, which follow from the network
    GraphBudget budget_;
};

}  // namespace dse::eval
