#include "dse/explore/static_search.hpp"

#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/space/registry.hpp"
#include "dse/space/space_count.hpp"

namespace dse::explore {
namespace {

constexpr std::size_t most_at_once = 1000;

/// A month of points on a thousand cores.
constexpr double most_points = 1e14;

}  // namespace

StaticSearch::StaticSearch(std::unique_ptr<const space::Sampler> sampler)
    : sampler_{std::move(sampler)}, points_{sampler_->points(0, sampler_->size())} {}

std::vector<Trial> StaticSearch::ask() {
    std::vector<Trial> trials;
    for (Trial trial; trials.size() < most_at_once && points_->next(trial.point);) trials.push_back(trial);
    asked_ += trials.size();
    return trials;
}

void StaticSearch::tell(std::span<const space::Record> records) {
    told_ += records.size();
}

std::string StaticSearch::state() const {
    return fmt::format("{} points asked, {} told", asked_, told_);
}

std::unique_ptr<Search> static_search(const std::shared_ptr<const space::Space>& space, std::string_view name,
                                      const std::optional<std::uint64_t>& limit) {
    auto search = std::make_unique<StaticSearch>(space::make_sampler(space));
    const bool endless = space::walks_grid(space->search().method) &&
                         space->grid_size().approximate > most_points && !limit &&
                         space::count(*space).remaining.approximate > most_points;
    if (!endless) return search;
    throw InputError(
        fmt::format("{}: the sweep has {:.3g} points, which no run could finish; draw some of them (search: "
                    "{{method: sobol, budget: 100000}}), or take the first ones (--limit 100000)",
                    name, space::count(*space).remaining.approximate));
}

}  // namespace dse::explore
