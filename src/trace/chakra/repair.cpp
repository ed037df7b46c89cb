#include "dse/trace/chakra/repair.hpp"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
#include "dse/trace/chakra/read_trace.hpp"
#include "dse/trace/chakra/trace_file.hpp"
#include "trace/chakra/lane_order.hpp"
#include "trace/chakra/rewrite_trace.hpp"

namespace dse::trace::chakra {
namespace {

using Before = std::map<std::size_t, NodeIndex>;  ///< by node: its predecessor on the lane, which it has to
                                                  ///< wait for

Before missing_order(const Trace& trace, Repair& repair) {
    const auto order = dependency_order(trace, repair.waits);
    std::vector<std::size_t> position(trace.size());
    for (std::size_t p = 0; p < order->size(); ++p) position[(*order)[p].index()] = p;
    Before before;
    for (const UnorderedPair& pair :
         unordered_neighbours(trace, *order, nodes_by_lane(trace), repair.waits)) {
        // Dependencies that follow one order of all nodes cannot form a cycle.
        if (position[pair.first.index()] < position[pair.second.index()]) {
            before.emplace(pair.second.index(), pair.first);
            ++repair.ordered;
        } else {
            ++repair.contradicted;
        }
    }
    return before;
}

void set_dependencies(const Trace& trace, NodeIndex node, const Before& before, Waits waits,
                      wire::Node& record) {
    record.clear_control_dependencies();
    record.clear_data_dependencies();
    for (const NodeIndex other : trace.data(node)) record.add_data_dependencies(trace.step(other).id);
    if (waits == Waits::for_all) {
        for (const NodeIndex other : trace.control(node))
            record.add_control_dependencies(trace.step(other).id);
    }
    if (const auto found = before.find(node.index()); found != before.end())
        record.add_control_dependencies(trace.step(found->second).id);
}

}  // namespace

Repair repair_trace(const std::string& from, const std::string& to, Existing existing) {
    TraceFaults faults;
    const RankTrace read = read_trace(from, faults);
    const Trace& trace = *read.trace;
    Repair repair;
    if (!find_cycle(trace).empty()) repair.waits = Waits::for_data;
    if (const auto cycle = find_cycle(trace, repair.waits); !cycle.empty())
        throw InputError(
            fmt::format("'{}': {} waits for itself, through {} nodes: which dependency is wrong cannot "
                        "be told",
                        from, read.place(cycle.front()), cycle.size()));
    const Before before = missing_order(trace, repair);
    const auto mend = [&](wire::Node& node, std::size_t n) {
        const auto had = node.control_dependencies_size() + node.data_dependencies_size();
        repair.left_out += static_cast<std::uint64_t>(had) - trace.dependencies(NodeIndex{n}).size();
        set_dependencies(trace, NodeIndex{n}, before, repair.waits, node);
    };
    rewrite_trace(from, to, existing, {{}, mend});
    return repair;
}

}  // namespace dse::trace::chakra
