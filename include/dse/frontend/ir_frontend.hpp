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

/// Workloads from compilers' programs (WorkloadSpec::ir). A file is read once, partitioned where it is
/// sharded, and lowered once for each choice of passes; points that differ in the machine share the graph.
class IrFrontend final : public Frontend {
  public:
    /// \param beside  where files are looked for first: the folder of the sweep; empty for none
    explicit IrFrontend(config::Library library, std::string beside = "");
    ~IrFrontend() override;

    /// \throws InputError where the file cannot be read; ModelError where it cannot be lowered, or is a
    /// program for another number of devices
    const graph::Graph& build(const graph::WorkloadSpec& workload,
                              const graph::ResolvedLayout& layout) override;
    void forget() override;
    /// Elements of all floating-point arguments, on all devices together.
    double parameter_count(const graph::WorkloadSpec& workload) override;
    double active_parameter_count(const graph::WorkloadSpec& workload) override;

    /// The file that a workload names. \throws InputError where there is none
    /// \see program_file
    [[nodiscard]] std::string find(const std::string& file) const;

    /// Where a sweep names a file.
    struct Place {
        config::Location where;
        std::string path;  ///< "workload.ir", "axes.ir"
    };
    /// What a sweep must know of a program.
    struct Checked {
        std::int64_t devices{1};                    ///< that it is for
        std::optional<graph::Precision> precision;  ///< the format of most of its products, if it has some
    };
    /// Reads the program and lowers it with the passes as they are by default; warns of what is assumed. What
    /// its foreign calls take by each table is evaluated. A table that cannot be read is none.
    /// \param costs  tables of foreign costs with which the program is played (WorkloadSpec::foreign_costs)
    /// \return nothing where it cannot be lowered
    std::optional<Checked> check(const graph::WorkloadSpec& workload, const std::vector<std::string>& costs,
                                 const Place& place, config::Diagnostics& diagnostics);
    /// Reads a table of what foreign calls take (WorkloadSpec::foreign_costs).
    void check_costs(const std::string& file, const Place& place, config::Diagnostics& diagnostics);

  private:
    [[nodiscard]] ir::ForeignCosts readable_costs(const std::string& file) const;

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace dse::frontend
