#include "space/random_sampler.hpp"

#include <algorithm>

#include "dse/base/seed.hpp"
#include "space/draw.hpp"

namespace dse::space {

namespace {

constexpr std::uint64_t most_tries = 4096;

}  // namespace

RandomSampler::RandomSampler(std::shared_ptr<const Space> space)
    : space_{std::move(space)},
      seed_{static_cast<std::uint64_t>(space_->search().seed)},
      size_{static_cast<std::uint64_t>(space_->search().budget)} {
    if (space_->is_discrete() && space_->grid_size().exact) {
        const std::uint64_t grid = *space_->grid_size().exact;
        size_ = std::min(size_, grid);
        order_.emplace(grid, seed_);
    }
}

bool RandomSampler::point(std::uint64_t id, Point& point) const {
    const bool found = order_ ? draw_place(id, point) : draw_values(id, point);
    point.id = id;
    return found;
}

bool RandomSampler::draw_place(std::uint64_t id, Point& point) const {
    const std::uint64_t grid = *space_->grid_size().exact;
    std::uint64_t place = id;
    for (std::uint64_t i = 0; i < most_tries; ++i) {
        if (space_->point((*order_)(place), point)) return true;
        if (size_ >= grid - place) return false;
        place += size_;
    }
    return false;
}

bool RandomSampler::draw_values(std::uint64_t id, Point& point) const {
    const std::vector<Axis>& axes = space_->axes();
    point.values.resize(space_->width());
    const std::uint64_t own = seed_of(seed_, id);
    for (std::uint64_t i = 0; i < most_tries; ++i) {
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            point.values[axis] = value_at(axes[axis], unit_of(seed_of(own, i * axes.size() + axis)));
        }
        if (space_->complete(point.values)) return true;
    }
    return false;
}

}  // namespace dse::space
