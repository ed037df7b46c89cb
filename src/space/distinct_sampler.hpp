#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "dse/space/sampler.hpp"

namespace dse::space {

/// The points of another sampler of a grid, each of them once: an id whose point is outside the space, or
/// that of an earlier id, gets a point of its own instead, drawn uniformly from the others. Only if the space
/// has no more points, or very few, do ids have none.
class DistinctSampler final : public Sampler {
  public:
    /// The number of ids up to which repetitions are looked for: more would take long to draw in advance, and
    /// are drawn from large spaces, where repetitions are rare.
    static constexpr std::uint64_t most_ids = std::uint64_t{1} << 18U;

    /// Draws all points of the other sampler once.
    /// \param drawn  has at most most_ids ids
    /// \pre the space is discrete, and its grid has an exact size
    DistinctSampler(std::shared_ptr<const Space> space, std::unique_ptr<const Sampler> drawn);

    [[nodiscard]] std::uint64_t size() const override { return drawn_->size(); }
    bool point(std::uint64_t id, Point& point) const override;

  private:
    std::shared_ptr<const Space> space_;
    std::unique_ptr<const Sampler> drawn_;
    /// Ids of which `drawn_` has no point, or one that an earlier id has, with their places in the grid;
    /// ascending.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> others_;
};

}  // namespace dse::space
