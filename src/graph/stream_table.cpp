#include "dse/graph/stream_table.hpp"

#include <algorithm>

namespace dse::graph {

StreamTable::StreamTable(Queues queues) : names_{"compute"} {
    if (queues == Queues::one) only_ = find_or_add("communication");
}

StreamId StreamTable::host() {
    return find_or_add("host");
}

StreamId StreamTable::of(AxisSet group) {
    if (only_) return *only_;
    const auto known = std::find_if(groups_.begin(), groups_.end(),
                                    [group](const auto& entry) { return entry.first == group; });
    if (known != groups_.end()) return known->second;
    return groups_.emplace_back(group, find_or_add(name(group))).second;
}

StreamId StreamTable::of(CopyDirection direction) {
    if (only_) return *only_;
    return find_or_add(direction == CopyDirection::to_host ? "from device" : "to device");
}

void StreamTable::assign_to(Graph& graph) const {
    graph.streams = names_;
    graph.message_stream = only_;
}

StreamId StreamTable::find_or_add(const std::string& name) {
    const auto known = std::find(names_.begin(), names_.end(), name);
    const StreamId number(static_cast<std::size_t>(known - names_.begin()));
    if (number.index() == names_.size()) names_.push_back(name);
    return number;
}

}  // namespace dse::graph
