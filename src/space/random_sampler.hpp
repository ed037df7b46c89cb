#pragma once

#include <optional>

#include "dse/space/sampler.hpp"
#include "space/permutation.hpp"

namespace dse::space {

/// Points drawn uniformly from the space, without replacement.
///
/// The grid is ordered by a pseudo-random permutation; id i tries positions i, i + budget, i + 2·budget, …
/// until one is in the space, so that ids share no positions and can be computed independently. An id has no
/// point if none of its first 4,096 positions is in the space. With a continuous axis, or a grid too large
/// for ids, draws are independent instead.
class RandomSampler final : public Sampler {
  public:
    explicit RandomSampler(std::shared_ptr<const Space> space);

    [[nodiscard]] std::uint64_t size() const override { return size_; }
    bool point(std::uint64_t id, Point& point) const override;

  private:
    bool draw_place(std::uint64_t id, Point& point) const;
    bool draw_values(std::uint64_t id, Point& point) const;

    std::shared_ptr<const Space> space_;
    std::uint64_t seed_;
    std::uint64_t size_;
    std::optional<Permutation> order_;  ///< of the grid's points
};

}  // namespace dse::space
