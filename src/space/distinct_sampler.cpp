#include "space/distinct_sampler.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "dse/base/check.hpp"
#include "dse/space/grid_index.hpp"
#include "space/permutation.hpp"

namespace dse::space {
namespace {

constexpr std::uint64_t no_place = std::numeric_limits<std::uint64_t>::max();

/// Draws places of a grid, each at most once, until too many of them were not in the space. It goes on from
/// the last one, where `random` finds that of any id by itself.
class PlaceDraw {
  public:
    /// \param ids  number of points that are wanted at most
    PlaceDraw(const Space& space, std::uint64_t ids)
        : space_{space},
          order_{*space.grid_size().exact, static_cast<std::uint64_t>(space.search().seed)},
          tries_{std::min(*space.grid_size().exact, std::max(small_grid, tries_each * ids))} {}

    /// A place in the space that is not in `taken`, to which it is added; no_place if none is found.
    std::uint64_t next(std::unordered_set<std::uint64_t>& taken) {
        while (tried_ < tries_) {
            const std::uint64_t place = order_(tried_++);
            if (taken.count(place) == 0 && space_.point(place, point_)) {
                taken.insert(place);
                return place;
            }
        }
        return no_place;
    }

  private:
    static constexpr std::uint64_t small_grid = std::uint64_t{1} << 20U;  ///< is searched as a whole
    static constexpr std::uint64_t tries_each = 16;

    const Space& space_;
    Permutation order_;
    std::uint64_t tries_;
    std::uint64_t tried_{0};
    Point point_;
};

}  // namespace

DistinctSampler::DistinctSampler(std::shared_ptr<const Space> space, std::unique_ptr<const Sampler> drawn)
    : space_{std::move(space)}, drawn_{std::move(drawn)} {
    DSE_EXPECT(space_->is_discrete() && space_->grid_size().exact && drawn_->size() <= most_ids);
    std::unordered_set<std::uint64_t> taken;
    std::uint64_t expected = 0;
    const auto skip_to = [&](std::uint64_t id) {
        for (; expected < id; ++expected) others_.emplace_back(expected, no_place);
    };
    const auto stream = drawn_->points(0, drawn_->size());
    for (Point point; stream->next(point);) {
        skip_to(point.id);
        if (taken.insert(*grid_index(*space_, point.values)).second) ++expected;
    }
    skip_to(drawn_->size());
    if (others_.empty()) return;
    PlaceDraw draw{*space_, drawn_->size()};
    for (auto& [id, place] : others_) {
        place = draw.next(taken);
        if (place == no_place) return;
    }
}

bool DistinctSampler::point(std::uint64_t id, Point& point) const {
    const auto other = std::lower_bound(others_.begin(), others_.end(), std::pair{id, std::uint64_t{0}});
    if (other == others_.end() || other->first != id) return drawn_->point(id, point);
    const bool exists = other->second != no_place && space_->point(other->second, point);
    point.id = id;
    return exists;
}

}  // namespace dse::space
