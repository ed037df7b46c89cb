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
    std::uint64_t serial{0};  ///< unique to this machine; unlike addresses, serials are never reused
    std::unique_ptr<model::ComputeModel> compute;
    /// Compute models of SystemSpec::device_classes.
    std::vector<std::unique_ptr<model::ComputeModel>> class_compute;
    std::unique_ptr<model::NetworkModel> network;
    hardware::SystemSpec system;
    std::string engine;  ///< name of the engine that simulates it
    /// Of the scenario that it was made for, as in Simulator::run.
    std::uint64_t beside_network{0};
    std::int64_t in_step{1};  ///< devices_in_step()
};

/// Number of devices that wait for each other in every step: all of a training job, or those of one replica.
std::int64_t devices_in_step(const study::Scenario& scenario);

/// Whether kernels, copies and launches are known to take the same times on both.
bool have_same_kernels(const Machine& a, const Machine& b);

/// The layout of a workload on a number of devices of a machine. All communication uses one queue if the
/// machine's network has only one.
/// \throws ModelError like graph::resolve()
graph::ResolvedLayout resolve(const graph::WorkloadSpec& workload, std::int64_t devices,
                              const Machine& machine);

/// Caches machines by the values that determine them, so that neighbouring points share them. The number of
/// machines is bounded.
class MachineCache {
  public:
    /// System axes usually have only a few values, but a sampled continuous axis has one per point.
    static constexpr std::size_t most_machines = 256;

    MachineCache() = default;
    /// \param first_serial  serials start after this number, so that those of several caches can be kept
    /// distinct
    explicit MachineCache(std::uint64_t first_serial) : serial_{first_serial} {}

    /// The machine of a scenario, valid until the next call.
    /// \param key             equal keys imply equal system and fidelity; machines also differ by
    ///                        devices_in_step()
    /// \param beside_network  as in Simulator::run
    /// \throws ModelError if the system's values are not valid
    const Machine& find(std::span<const double> key, const study::Scenario& scenario,
                        std::uint64_t beside_network = 0);

    /// The machine with this serial; nullptr if it is no longer cached.
    [[nodiscard]] const Machine* find(std::uint64_t serial) const;

  private:
    struct Entry {
        std::vector<double> key;
        Machine machine;
    };
    std::vector<std::unique_ptr<Entry>> entries_;
    std::uint64_t serial_{0};  ///< last serial assigned
    std::size_t latest_{0};
};

}  // namespace dse::eval
