#include "dse/sim/fold/time_changes.hpp"

#include <algorithm>

namespace dse::sim::fold {

void TimeChanges::read(const graph::Graph& graph, const Durations& durations) {
    ++now_;
    if (!of_.is(graph)) {
        of_ = GraphNumbers::of(graph);
        first_ = now_;
        times_.assign(durations.of_work.begin(), durations.of_work.end());
        changed_at_.assign(times_.size(), now_);
        return;
    }
    for (std::size_t i = 0; i < times_.size(); ++i) {
        if (times_[i] == durations.of_work[i]) continue;
        times_[i] = durations.of_work[i];
        changed_at_[i] = now_;
    }
}

bool TimeChanges::have_changed(graph::RegionId region, std::uint32_t program, std::uint64_t since) const {
    if (since < first_) return true;
    const std::vector<graph::Item>& items = of_.graph->regions[region.index()].items;
    return std::any_of(items.begin(), items.end(), [&](const graph::Item& item) {
        if (item.kind == graph::Item::Kind::node) return changed_at_[item.work.index()] > since;
        return of_.graph->programs[program].counts[item.count.index()] > 0 &&
               have_changed(item.body, program, since);
    });
}

}  // namespace dse::sim::fold
