#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/frontend/lowering/lower.hpp"

namespace dse::frontend {

/// Workloads from compilers' programs (WorkloadSpec::ir). A file is read once, partitioned if it is sharded,
/// and lowered once per choice of passes; points that differ only in the machine share the graph.
class IrFrontend final : public Frontend {
  public:
    /// \param beside  folder that is searched for files first (the sweep's); empty: none
    explicit IrFrontend(config::Library library, std::string beside = "");
    ~IrFrontend() override;

    /// \throws InputError if the file cannot be read; ModelError if it cannot be lowered or is a program for
    /// another number of devices
    const graph::Graph& build(const graph::WorkloadSpec& workload,
                              const graph::ResolvedLayout& layout) override;
    void forget() override;
    /// Number of elements of all floating-point arguments, over all devices.
    double parameter_count(const graph::WorkloadSpec& workload) override;
    double active_parameter_count(const graph::WorkloadSpec& workload) override;

    /// The path of a file that a workload names.
    /// \throws InputError if it does not exist
    /// \see program_file
    [[nodiscard]] std::string find(const std::string& file) const;

    /// Where a sweep names a file.
    struct Place {
        config::Location where;
        std::string path;  ///< "workload.ir", "axes.ir"
    };
    /// Properties of a program that a sweep needs.
    struct Checked {
        std::int64_t devices{1};                    ///< number of devices that it is for
        std::optional<graph::Precision> precision;  ///< precision of most of its matrix products, if any
    };
    /// Reads the program and lowers it with default passes; warns about assumptions. The costs of its foreign
    /// calls are evaluated for each table. A table that cannot be read is treated as empty.
    /// \param costs  tables of foreign costs that the sweep uses with the program
    /// (WorkloadSpec::foreign_costs)
    /// \return nothing if it cannot be lowered
    std::optional<Checked> check(const graph::WorkloadSpec& workload, const std::vector<std::string>& costs,
                                 const Place& place, config::Diagnostics& diagnostics);
    /// Reads a table of the costs of foreign calls (WorkloadSpec::foreign_costs).
    void check_costs(const std::string& file, const Place& place, config::Diagnostics& diagnostics);

  private:
    [[nodiscard]] ir::ForeignCosts readable_costs(const std::string& file) const;

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::frontend
