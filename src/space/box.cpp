#include "dse/space/box.hpp"

#include <algorithm>

namespace dse::space {

std::uint64_t Box::count() const {
    std::uint64_t count = 1;
    for (const Run& run : axes) count *= run.count;
    return count;
}

bool Box::is_point() const {
    return std::all_of(axes.begin(), axes.end(), [](const Run& run) { return run.count == 1; });
}

Box whole(const Space& space) {
    Box box;
    for (const Axis& axis : space.axes()) box.axes.push_back({0, axis.values.count()});
    return box;
}

std::vector<Box> halves(const Box& box, std::size_t axis) {
    std::vector<Box> parts{box, box};
    const Run run = box.axes[axis];
    parts[0].axes[axis] = {run.first, run.count / 2};
    parts[1].axes[axis] = {run.first + run.count / 2, run.count - run.count / 2};
    return parts;
}

std::vector<Box> slices(const Box& box, std::size_t axis) {
    const Run run = box.axes[axis];
    std::vector<Box> parts(run.count, box);
    for (std::uint64_t i = 0; i < run.count; ++i) parts[i].axes[axis] = {run.first + i, 1};
    return parts;
}

bool BoxFilter::drops(const Box& box) {
    return dropping_step(box).has_value();
}

std::optional<std::size_t> BoxFilter::dropping_step(const Box& box) {
    for (std::size_t i = 0; i < space_.axes().size(); ++i)
        values_[i] = space_.axes()[i].values[box.axes[i].first];
    const std::vector<Step>& steps = space_.steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto is_settled = [&](std::size_t axis) { return box.axes[axis].count == 1; };
        const std::vector<std::size_t>& needed = steps[i].axes;
        if (!std::all_of(needed.begin(), needed.end(), is_settled)) continue;
        if (!space_.perform(steps[i], values_)) return i;
    }
    return std::nullopt;
}

}  // namespace dse::space
