#pragma once

#include <vector>

#include "saved_values.hpp"

namespace dse::ir {

/// Chooses the values of the forward pass to keep, such that all others can be recomputed segment by segment.
/// Source: Chen et al. 2016 (arXiv 1604.06174), algorithm 3
class Checkpoints {
  public:
    Checkpoints(const Program& program, const SavedValues& saved);

    [[nodiscard]] bool keeps(ValueId value) const { return kept_[value.index()] != 0; }

  private:
    struct Choice {
        std::vector<std::size_t> places;
        double bytes{0};  ///< kept at the positions, plus those dropped in the largest segment
    };
    void find_carried();
    void find_dropped();
    [[nodiscard]] Choice choice(double budget) const;
    void keep(const Choice& choice);

    const Program& program_;
    const SavedValues& saved_;
    std::vector<char> constant_;   ///< by value: depends on no argument, so that it is never carried
    std::vector<double> carried_;  ///< by position: bytes that later operations of the forward pass read
    std::vector<double> dropped_;  ///< by position: bytes that are computed there and would be dropped
    std::vector<char> kept_;       ///< by value
};

}  // namespace dse::ir
