#pragma once

#include <memory>
#include <span>
#include <string>

#include "dse/eval/deadline.hpp"
#include "dse/eval/evaluation.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Scenario → graph → memory → durations → time → metrics. One object serves one thread; what neighbouring
/// scenarios share (structure, costs, cost models) it keeps. The same scenario gives the same answer,
/// whatever came before.
class Simulator {
  public:
    /// \param folder  where traces of requests are looked up that are no absolute paths
    explicit Simulator(std::unique_ptr<frontend::Frontend> frontend, const std::string& folder = {});
    ~Simulator();

    /// \param system_key  equal keys, equal system and fidelity
    /// \throws ModelError where the layout is none, or a model is outside its validity; OutOfTime where it
    /// takes longer than the scenario's fidelity.time_limit; Stopped, see stop_when()
    const Evaluation& run(const study::Scenario& scenario, std::span<const double> system_key,
                          WhenFull when_full);

    /// Forgets everything that was kept from earlier scenarios; what the frontend has read stays.
    void forget();

    /// \param stopped  asked now and then while a long scenario is played; where it says so, run() throws
    /// Stopped
    void stop_when(bool (*stopped)());

    /// As far as the last run came, where it threw.
    [[nodiscard]] const Evaluation& last() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::eval
