#include "app/proof_effort.hpp"

#include <cmath>

#include <fmt/format.h>

#include "app/human.hpp"
#include "dse/eval/bounder.hpp"

namespace dse::app {
namespace {

/// More of them take hours, and their boxes gigabytes: some 300 bytes each.
constexpr double many_layouts = 3e6;

}  // namespace

double layouts_to_bound(const study::Sweep& sweep, const space::SpaceCount& count) {
    if (sweep.space->search().method != "proven" || !sweep.space->is_discrete()) return 0.0;
    const eval::MachineBounder bounder{sweep};
    double machines = 1.0;
    const auto& axes = sweep.space->axes();
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        if (!bounder.is_enumerated(axis)) machines *= static_cast<double>(axes[axis].values.count());
    return std::ceil(count.remaining.approximate / machines);
}

std::string advice_for_proof(double layouts) {
    if (layouts < many_layouts) return {};
    return fmt::format(
        "a proof bounds each of the {} layouts on its own; a tolerance does not reduce that. [nsga2, refine] "
        "finds most of the front after some thousand points, and fewer values of an axis, or 'require', "
        "leave "
        "fewer layouts to prove (docs/search.md)",
        human_count(layouts));
}

}  // namespace dse::app
