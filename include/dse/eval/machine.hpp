#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dse/model/compute/compute_model.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The cost models of one system at one fidelity.
struct Machine {
    std::uint64_t serial{0};  ///< of this machine alone: an address may come back, a serial does not
    std::unique_ptr<model::ComputeModel> compute;
    /// Of SystemSpec::device_classes.
    std::vector<std::unique_ptr<model::ComputeModel>> class_compute;
    std::unique_ptr<model::NetworkModel> network;
    hardware::SystemSpec system;
    std::string engine;  ///< that plays on it
};

/// The layout of a workload on so many devices of a machine, whose network may have but one queue.
/// \throws ModelError as graph::resolve() does
graph::ResolvedLayout resolve(const graph::WorkloadSpec& workload, std::int64_t devices,
                              const Machine& machine);

/// Machines by the values that decide them, so that neighbouring points share them. Bounded.
class MachineCache {
  public:
    /// Axes over the system usually have a handful of values; a sampled continuum has as many as points.
    static constexpr std::size_t most_machines = 256;

    /// The machine of a scenario, valid until the next call. \param key  equal keys, equal system and
    /// fidelity \throws ModelError when the system's values make no machine
    const Machine& find(std::span<const double> key, const study::Scenario& scenario);

    /// nullptr where it is not kept any more.
    [[nodiscard]] const Machine* find(std::uint64_t serial) const;

  private:
    struct Entry {
        std::vector<double> key;
        Machine machine;
    };
    std::vector<std::unique_ptr<Entry>> entries_;
    std::uint64_t serial_{0};  ///< last one given
    std::size_t latest_{0};
};

}  // namespace dse::eval
