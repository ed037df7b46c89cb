#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "dse/sim/engine.hpp"
#include "eval/stages/job.hpp"

namespace dse::eval {

/// Graph + durations → times in seconds, with parts if the job asks for them.
class Play {
  public:
    /// \param checkpoint  called regularly by engines; see sim::Engine::set_checkpoint
    explicit Play(std::function<void()> checkpoint);

    /// \param parts_from  time in s before which nothing is counted in sim::Result::parts
    /// \throws ModelError like sim::Engine::play
    sim::Result operator()(const Job& job, const graph::Graph& graph, const sim::Durations& durations,
                           double parts_from = 0.0);

    /// The engine that the job's fidelity names.
    sim::Engine& engine(const Job& job);

    void forget() { engines_.clear(); }

  private:
    std::function<void()> checkpoint_;
    std::map<std::string, std::unique_ptr<sim::Engine>, std::less<>> engines_;
};

}  // namespace dse::eval
