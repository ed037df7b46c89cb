#include "app/proof_effort.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <fmt/format.h>

#include "app/human.hpp"
#include "dse/eval/bounder.hpp"

namespace dse::app {
namespace {

/// More of them take hours, and their boxes gigabytes: some 300 bytes each.
constexpr double many_layouts = 3e6;

}  // namespace

ProofEffort proof_effort(const study::Sweep& sweep, const space::SpaceCount& count) {
    if (sweep.space->search().method != "proven" || !sweep.space->is_discrete()) return {};
    const eval::MachineBounder bounder{sweep};
    const auto& axes = sweep.space->axes();
    // What stands for one box: all values of the machine, and of the axes from `depth` on.
    const auto points_of_box = [&](std::size_t depth, std::span<const std::size_t> fixed) {
        double points = 1.0;
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const bool is_open = axis >= depth || !bounder.is_enumerated(axis);
            if (is_open && std::ranges::find(fixed, axis) == fixed.end())
                points *= static_cast<double>(axes[axis].values.count());
        }
        return points;
    };
    ProofEffort effort;
    effort.layouts = std::ceil(count.remaining.approximate / points_of_box(axes.size(), {}));
    for (std::size_t i = 0; i < count.steps.size(); ++i) {
        const space::Step& step = sweep.space->steps()[i];
        effort.dropped += count.steps[i].dropped.approximate / points_of_box(step.depth, step.axes);
    }
    return effort;
}

std::string advice_for_proof(const ProofEffort& effort) {
    if (effort.dropped >= many_layouts && effort.dropped > effort.layouts)
        return fmt::format(
            "a proof settles each of some {} combinations that are not in the space on its own: derive "
            "one axis from others instead of a 'require' that most of them do not meet",
            human_count(effort.dropped));
    if (effort.layouts < many_layouts) return {};
    return fmt::format(
        "a proof bounds each of the {} layouts on its own; a tolerance does not reduce that. [nsga2, refine] "
        "finds most of the front after some thousand points, and fewer values of an axis, or 'require', "
        "leave fewer layouts to prove (docs/search.md)",
        human_count(effort.layouts));
}

}  // namespace dse::app
