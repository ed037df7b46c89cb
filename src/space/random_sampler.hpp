#pragma once

#include <optional>

#include "dse/space/sampler.hpp"
#include "space/permutation.hpp"

namespace dse::space {

/// Points drawn uniformly from the space, none twice.
///
/// A pseudo-random permutation puts the grid in an order; id i looks at places i, i + budget, i + 2·budget, …
/// of it until one is in the space, so that ids share no place and each is found by itself. An id has no
/// point when none of its first 4,096 places is in the space. With a continuous axis, or a grid that ids
/// cannot number, draws are independent instead.
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
