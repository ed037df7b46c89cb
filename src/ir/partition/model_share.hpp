#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/factor_rule.hpp"
#include "ir/partition/projection.hpp"

namespace dse::ir::partition {

/// Of what all devices together compute for an operation the share that the whole program asks for
/// (Operation::model_share). Parts that do not divide are padded, and devices along axes that cut no factor
/// compute the same again. Along axes by hand they do not: inside a manual computation an operation is
/// written for one device of these, and all of them are asked for. GSPMD's borders do not say which axes are
/// by hand, so that behind them no device counts as repeating another.
class ModelShares {
  public:
    /// \param program  must live as long as this; its functions' calls are inlined
    /// \param devices  of the mesh
    ModelShares(const Program& program, std::int64_t devices);

    /// \param axes  by factor of the rule; an operation that every device computes whole has none of either
    /// \return in (0, 1]
    [[nodiscard]] double of(ComputationId computation, const Operation& operation,
                            const FactorRule& rule = {}, const std::vector<Axes>& axes = {}) const;

  private:
    void walk(ComputationId computation, double by_hand);
    [[nodiscard]] bool is_behind_border(const Operation& operation) const;

    const Program& program_;
    double devices_;
    std::vector<double> by_hand_;      ///< by computation: devices along axes by hand; 0: not looked at
    std::vector<bool> behind_border_;  ///< by value: one device's part, by GSPMD's borders
};

}  // namespace dse::ir::partition
