#pragma once

#include <memory>
#include <string>

#include "dse/config/library.hpp"
#include "dse/frontend/frontend.hpp"

namespace dse::frontend {

/// Workloads sampled from families (WorkloadSpec::synthetic): one job per seed, for the number of devices of
/// the system. A family is read once.
class SyntheticFrontend final : public Frontend {
  public:
    /// \param beside  folder that is searched for families first (the sweep's); empty: none
    explicit SyntheticFrontend(config::Library library, std::string beside = "");
    ~SyntheticFrontend() override;

    /// \throws InputError if the family cannot be read
    const graph::Graph& build(const graph::WorkloadSpec& workload,
                              const graph::ResolvedLayout& layout) override;
    void forget() override;
    /// Unknown for a sample: always 0.
    double parameter_count(const graph::WorkloadSpec& workload) override;
    double active_parameter_count(const graph::WorkloadSpec& workload) override;

    /// The path of a file that a workload names. \throws InputError if it does not exist
    [[nodiscard]] std::string find(const std::string& file) const;
    /// \throws InputError if the file does not contain a family
    void check(const std::string& file);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::frontend
