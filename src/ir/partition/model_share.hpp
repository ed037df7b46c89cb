#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/factor_rule.hpp"
#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// The share of all devices' computation of an operation that the whole program requires
/// (Operation::model_share). Parts that do not divide evenly are padded, and devices along axes that divide
/// no factor repeat the same computation. This does not hold for manual axes: inside a manual computation an
/// operation is written for one device along these, and all of them are required. GSPMD's borders do not
/// state which axes are manual, so that inside of them no device counts as repeating another.
class ModelShares {
  public:
    /// \param program  must outlive this object; calls of functions must be inlined
    /// \param devices  of the mesh
    ModelShares(const Program& program, std::int64_t devices);

    /// \param axes  by factor of the rule. Both are empty for an operation that every device computes
    ///              completely
    /// \return in (0, 1]
    [[nodiscard]] double of(ComputationId computation, const Operation& operation,
                            const FactorRule& rule = {}, const std::vector<Axes>& axes = {}) const;

  private:
    void walk(ComputationId computation, double by_hand);
    [[nodiscard]] bool is_behind_border(const Operation& operation) const;

    const Program& program_;
    double devices_;
    std::vector<double> by_hand_;      ///< by computation: number of devices along manual axes; 0: not
                                       ///< visited
    std::vector<bool> behind_border_;  ///< by value: part of one device, according to GSPMD's borders
};

}  // namespace dse::ir::partition
