#pragma once

#include <cstdint>
#include <memory>

#include "dse/frontend/frontend.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// Job → graph.
class Build {
  public:
    explicit Build(std::unique_ptr<frontend::Frontend> frontend);

    /// \returns the graph, valid until the next is built
    /// \throws ModelError as frontend::Frontend::build
    const graph::Graph& operator()(const Job& job);

    /// The same where the loop of a server runs so often.
    const graph::Graph& operator()(const Job& job, std::uint32_t steps);

    void forget();

  private:
    std::unique_ptr<frontend::Frontend> frontend_;
};

}  // namespace dse::eval
