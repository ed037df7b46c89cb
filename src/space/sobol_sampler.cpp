#include "space/sobol_sampler.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "space/draw.hpp"

namespace dse::space {

namespace {

std::size_t checked_dimension(const Space& space) {
    constexpr std::size_t most = boost::random::default_sobol_table::max_dimension;
    if (space.axes().size() > most) {
        throw InputError(fmt::format("sobol takes at most {} axes, there are {}", most, space.axes().size()));
    }
    return space.axes().size();
}

}  // namespace

/// Advances the engine from point to point, which is cheaper than seeking to each.
class SobolStream final : public PointStream {
  public:
    SobolStream(const SobolSampler& sampler, std::uint64_t first, std::uint64_t last)
        : sampler_{sampler}, engine_{sampler.start_}, id_{first}, last_{last} {
        engine_.seed(first);
    }

    bool next(Point& point) override {
        while (id_ < last_) {
            if (sampler_.draw(engine_, id_++, point)) return true;
        }
        return false;
    }

  private:
    const SobolSampler& sampler_;
    boost::random::sobol engine_;
    std::uint64_t id_;
    std::uint64_t last_;
};

SobolSampler::SobolSampler(std::shared_ptr<const Space> space)
    : space_{std::move(space)},
      size_{static_cast<std::uint64_t>(space_->search().budget)},
      start_(checked_dimension(*space_)) {
    for (std::size_t axis = 0; axis < space_->axes().size(); ++axis) {
        shifts_.push_back(seed_of(static_cast<std::uint64_t>(space_->search().seed), axis));
    }
}

bool SobolSampler::point(std::uint64_t id, Point& point) const {
    Engine engine = start_;
    engine.seed(id);
    return draw(engine, id, point);
}

std::unique_ptr<PointStream> SobolSampler::points(std::uint64_t first, std::uint64_t last) const {
    return std::make_unique<SobolStream>(*this, first, last);
}

bool SobolSampler::draw(Engine& engine, std::uint64_t id, Point& point) const {
    const std::vector<Axis>& axes = space_->axes();
    point.id = id;
    point.values.resize(space_->width());
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        point.values[axis] = value_at(axes[axis], unit_of(engine() ^ shifts_[axis]));
    }
    return space_->complete(point.values);
}

}  // namespace dse::space
