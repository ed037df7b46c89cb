#pragma once

#include <cstdint>

#include "dse/eval/machine.hpp"
#include "eval/serve/step_table.hpp"

namespace dse::eval {

/// Cached state of one kind of replica: its machine, with the collectives of its engine; the machine with
/// kernels launched by a replayed CUDA graph; and the times of its steps.
class ServerState {
  public:
    /// \param number  number of the kind, which keeps serials distinct in shared caches of costs
    explicit ServerState(std::uint64_t number)
        : first_{(2 * number + 1) << 32U}, machines_{first_}, replayed_{2 * first_} {}

    StepTable steps;

    /// \param key  equal keys imply equal systems and fidelity
    /// \returns the machine, valid until the next call
    const Machine& machine(std::span<const double> key, const study::Scenario& scenario);
    const Machine& replayed(std::span<const double> key, const study::Scenario& scenario);

    void forget() {
        steps.forget();
        machines_ = MachineCache{first_};
        replayed_ = MachineCache{2 * first_};
    }

  private:
    std::uint64_t first_;
    MachineCache machines_;
    MachineCache replayed_;
};

}  // namespace dse::eval
