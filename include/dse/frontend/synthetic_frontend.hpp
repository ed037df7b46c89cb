#pragma once

#include <memory>
#include <string>

#include "dse/config/library.hpp"
#include "dse/frontend/frontend.hpp"

namespace dse::frontend {

/// Workloads drawn from families (WorkloadSpec::synthetic): of each seed one job, on as many devices as the
/// system has. A family is read once.
class SyntheticFrontend final : public Frontend {
  public:
    /// \param beside  where families are looked for first: the folder of the sweep; empty for none
    explicit SyntheticFrontend(config::Library library, std::string beside = "");
    ~SyntheticFrontend() override;

    /// \throws InputError where the family cannot be read
    const graph::Graph& build(const graph::WorkloadSpec& workload,
                              const graph::ResolvedLayout& layout) override;
    void forget() override;
    /// Not known of a sample.
    double parameter_count(const graph::WorkloadSpec& workload) override;
    double active_parameter_count(const graph::WorkloadSpec& workload) override;

    /// The file that a workload names. \throws InputError where there is none
    [[nodiscard]] std::string find(const std::string& file) const;
    /// \throws InputError where the file is none of a family
    void check(const std::string& file);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::frontend
