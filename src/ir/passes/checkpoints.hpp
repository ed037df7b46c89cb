#pragma once

#include <vector>

#include "saved_values.hpp"

namespace dse::ir {

/// Which values of the forward pass are kept so that all others can be made again, a stretch at a time.
/// Source: Chen et al. 2016 (arXiv 1604.06174), algorithm 3
class Checkpoints {
  public:
    Checkpoints(const Program& program, const SavedValues& saved);

    [[nodiscard]] bool keeps(ValueId value) const { return kept_[value.index()] != 0; }

  private:
    struct Choice {
        std::vector<std::size_t> places;
        double bytes{0};  ///< kept at the places, and dropped of the largest stretch
    };
    void find_carried();
    void find_dropped();
    [[nodiscard]] Choice choice(double budget) const;
    void keep(const Choice& choice);

    const Program& program_;
    const SavedValues& saved_;
    std::vector<char> constant_;   ///< by value: follows from no argument, so that it is never carried
    std::vector<double> carried_;  ///< by position: bytes that later operations of the forward pass read
    std::vector<double> dropped_;  ///< by position: bytes of what is made there and would be dropped
    std::vector<char> kept_;       ///< by value
};

}  // namespace dse::ir
