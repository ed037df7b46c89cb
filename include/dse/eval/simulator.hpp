#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "dse/eval/deadline.hpp"
#include "dse/eval/evaluation.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Scenario → graph → memory → durations → time → metrics. Use one object per thread. It caches what
/// neighbouring scenarios share (structure, costs, cost models); results do not depend on earlier scenarios.
class Simulator {
  public:
    /// \param folder  base of relative paths of request traces
    explicit Simulator(std::unique_ptr<frontend::Frontend> frontend, const std::string& folder = {});
    ~Simulator();

    /// \param system_key      equal keys imply equal system and fidelity
    /// \param beside_network  equal numbers imply that nothing but the network differs (study::Binder); 0:
    ///                        not known
    /// \throws ModelError if the layout is not possible or a model is outside its validity; OutOfTime if it
    /// takes longer than the scenario's fidelity.time_limit; Stopped, see stop_when()
    const Evaluation& run(const study::Scenario& scenario, std::span<const double> system_key,
                          WhenFull when_full, sim::Asked::For asked = sim::Asked::For::parts,
                          std::uint64_t beside_network = 0);

    /// Drops everything cached from earlier scenarios; files that the frontend has read stay parsed.
    void forget();

    /// \param stopped  called regularly while a long scenario is simulated; if it returns true, run() throws
    /// Stopped
    void stop_when(bool (*stopped)());

    /// The evaluation of the last run; incomplete if it threw.
    [[nodiscard]] const Evaluation& last() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::eval
