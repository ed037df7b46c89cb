#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>

#include "dse/ir/program/program.hpp"
#include "frontend/lowering/kernel.hpp"

namespace dse::frontend {

/// Finds the branch of a conditional with the most work.
class HeaviestBranch {
  public:
    /// \param program, kernels  must outlive this object
    HeaviestBranch(const ir::Program& program, KernelCosts& kernels) : program_{program}, kernels_{kernels} {}

    /// Index of the branch; the first one if there are ties. \pre there is a branch
    std::size_t of(std::span<const ir::ComputationId> branches);

  private:
    double seconds(ir::ComputationId id);
    double seconds_once(const ir::Operation& operation);

    const ir::Program& program_;
    KernelCosts& kernels_;
    std::unordered_map<std::size_t, double> seconds_;  ///< by computation
};

}  // namespace dse::frontend
