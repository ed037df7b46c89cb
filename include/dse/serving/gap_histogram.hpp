#pragma once

#include <cstdint>
#include <vector>

#include "dse/serving/step_time.hpp"

namespace dse::serving {

/// Gaps between tokens, of which a run has millions: counted in bins 1/256 of an octave wide, so that
/// percentiles are right to 0.2 %; count and mean are exact.
class GapHistogram {
  public:
    /// \param tokens_a_step  >= 1: where steps generate several at once, gaps are told to it as a token's
    /// mean share of a step; the first of them stands a whole step after the one before, the others at no
    /// distance
    explicit GapHistogram(double tokens_a_step = 1.0);

    void add(Ticks gap, std::int64_t times);

    /// The steps of a decode line, one after another: each adds its own time for each of the sequences, which
    /// attend to a token more after each. \param first  of the first step
    void add_steps(const DecodeLine& line, const Decodes& first, std::int64_t steps);

    [[nodiscard]] std::int64_t count() const { return count_; }
    /// s; NaN where nothing was counted.
    [[nodiscard]] double mean() const;
    /// s; NaN where nothing was counted. \param share  in [0, 1]
    [[nodiscard]] double percentile(double share) const;

  private:
    void place(Ticks gap, std::int64_t times);

    double tokens_a_step_;
    double begun_{0};  ///< share of a step that was told, but not yet placed
    std::vector<std::int64_t> bins_;
    std::int64_t count_{0};
    double sum_{0};  ///< s
};

}  // namespace dse::serving
