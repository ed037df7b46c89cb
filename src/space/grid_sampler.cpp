#include "space/grid_sampler.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/space/grid_cursor.hpp"

namespace dse::space {

namespace {

class GridStream final : public PointStream {
  public:
    GridStream(const Space& space, std::uint64_t first, std::uint64_t last) : cursor_{space, first, last} {}
    bool next(Point& point) override { return cursor_.next(point); }

  private:
    GridCursor cursor_;
};

}  // namespace

GridSampler::GridSampler(std::shared_ptr<const Space> space) : space_{std::move(space)} {
    if (!space_->is_discrete()) {
        throw InputError(
            "a grid needs axes with steps (give 'step' or 'count', or search with random or sobol)");
    }
    if (!space_->grid_size().exact) {
        throw InputError(
            fmt::format("the grid has {:.3g} points, more than ids can number (2^63); search with "
                        "random or sobol and a budget",
                        space_->grid_size().approximate));
    }
}

std::unique_ptr<PointStream> GridSampler::points(std::uint64_t first, std::uint64_t last) const {
    return std::make_unique<GridStream>(*space_, first, last);
}

}  // namespace dse::space
