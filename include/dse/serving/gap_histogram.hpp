#pragma once

#include <cstdint>
#include <vector>

#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// Histogram of the gaps between tokens, of which a run has millions. Bins are 1/256 of an octave wide, so
/// that percentiles are accurate to 0.2 %; count and mean are exact.
class GapHistogram {
  public:
    /// \param tokens_a_step  >= 1. If a step generates several tokens, a gap is passed in as a token's mean
    ///                       share of the step; the histogram counts the first token of a step with a gap of
    ///                       the whole step and the others with a gap of zero.
    explicit GapHistogram(double tokens_a_step = 1.0);

    void add(Ticks gap, std::int64_t times);

    /// Adds consecutive steps: the first adds `first` once per sequence, each following step one `growth`
    /// more.
    void add_steps(Ticks first, Ticks growth, std::int64_t sequences, std::int64_t steps);

    [[nodiscard]] std::int64_t count() const { return count_; }
    /// In s; NaN if nothing was counted.
    [[nodiscard]] double mean() const;
    /// In s; NaN if nothing was counted. \param share  in [0, 1]
    [[nodiscard]] double percentile(double share) const;

  private:
    void place(Ticks gap, std::int64_t times);

    double tokens_a_step_;
    double begun_{0};  ///< fraction of a step that was added but is not yet in a bin
    std::vector<std::int64_t> bins_;
    std::int64_t count_{0};
    double sum_{0};  ///< s
};

}  // namespace dse::serving
