#include "dse/space/tiling.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace dse::space {
namespace {

struct Cut {
    std::size_t axis;
    std::uint64_t at;  ///< indices below it are on one side
};

using Parts = std::span<const Box*>;

/// One past the last index of a run.
std::uint64_t end_of(const Run& run) {
    return run.first + run.count;
}

/// Finds the most balanced cut along one axis: with the parts sorted by start, all parts before the cut must
/// end before the next one starts.
std::optional<std::uint64_t> cut_along(Parts parts, std::size_t axis) {
    std::sort(parts.begin(), parts.end(),
              [&](const Box* a, const Box* b) { return a->axes[axis].first < b->axes[axis].first; });
    std::uint64_t reached = end_of(parts.front()->axes[axis]);
    std::optional<std::uint64_t> best;
    std::size_t best_balance = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::size_t balance = std::min(i, parts.size() - i);
        if (parts[i]->axes[axis].first >= reached && balance > best_balance) {
            best = parts[i]->axes[axis].first;
            best_balance = balance;
        }
        reached = std::max(reached, end_of(parts[i]->axes[axis]));
    }
    return best;
}

std::optional<Cut> cut_of(Parts parts, std::size_t axes) {
    for (std::size_t axis = 0; axis < axes; ++axis)
        if (const auto at = cut_along(parts, axis)) return Cut{axis, *at};
    return std::nullopt;
}

/// Whether the parts fill the region exactly.
/// \param region  modified temporarily, restored on return
bool fills(Box& region, Parts parts) {
    if (parts.empty()) return false;
    if (parts.size() == 1) return *parts.front() == region;
    const std::optional<Cut> cut = cut_of(parts, region.axes.size());
    if (!cut) return false;
    const Run run = region.axes[cut->axis];
    if (cut->at <= run.first || cut->at >= end_of(run)) return false;
    const auto middle = std::partition(
        parts.begin(), parts.end(), [&](const Box* part) { return part->axes[cut->axis].first < cut->at; });
    const auto below = static_cast<std::size_t>(middle - parts.begin());
    region.axes[cut->axis] = {run.first, cut->at - run.first};
    bool filled = fills(region, parts.first(below));
    region.axes[cut->axis] = {cut->at, end_of(run) - cut->at};
    filled = filled && fills(region, parts.subspan(below));
    region.axes[cut->axis] = run;
    return filled;
}

}  // namespace

std::string tiling_fault(const Box& whole, std::span<const Box> boxes) {
    std::vector<const Box*> parts;
    std::uint64_t points = 0;
    for (const Box& box : boxes) {
        if (box.axes.size() != whole.axes.size() || box.count() == 0)
            return "a box has no points of this grid";
        parts.push_back(&box);
        points += box.count();
    }
    if (points != whole.count())
        return fmt::format("the boxes have {} points, the grid {}", points, whole.count());
    Box region = whole;
    return fills(region, parts) ? "" : "the boxes overlap, or leave a gap";
}

}  // namespace dse::space
