#pragma once

#include "dse/space/sampler.hpp"

namespace dse::space {

/// Every point of the grid; an id is the mixed-radix index in the declared order of the axes.
class GridSampler final : public Sampler {
  public:
    /// \throws InputError if an axis is continuous or the grid has more than 2^63 points
    explicit GridSampler(std::shared_ptr<const Space> space);

    [[nodiscard]] std::uint64_t size() const override { return *space_->grid_size().exact; }
    bool point(std::uint64_t id, Point& point) const override { return space_->point(id, point); }
    [[nodiscard]] std::unique_ptr<PointStream> points(std::uint64_t first, std::uint64_t last) const override;

  private:
    std::shared_ptr<const Space> space_;
};

}  // namespace dse::space
