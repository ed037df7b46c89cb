#include "space/latin_hypercube_sampler.hpp"

#include "dse/base/seed.hpp"
#include "space/draw.hpp"

namespace dse::space {

LatinHypercubeSampler::LatinHypercubeSampler(std::shared_ptr<const Space> space)
    : space_{std::move(space)},
      seed_{static_cast<std::uint64_t>(space_->search().seed)},
      size_{static_cast<std::uint64_t>(space_->search().budget)} {
    for (std::size_t axis = 0; axis < space_->axes().size(); ++axis) {
        parts_.emplace_back(size_, seed_of(seed_, axis));
    }
}

bool LatinHypercubeSampler::point(std::uint64_t id, Point& point) const {
    const std::vector<Axis>& axes = space_->axes();
    point.id = id;
    point.values.resize(space_->width());
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const double within = unit_of(seed_of(seed_of(~seed_, axis), id));
        const double u = (static_cast<double>(parts_[axis](id)) + within) / static_cast<double>(size_);
        point.values[axis] = value_at(axes[axis], u);
    }
    return space_->complete(point.values);
}

}  // namespace dse::space
