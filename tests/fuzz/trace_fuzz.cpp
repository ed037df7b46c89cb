// Any bytes as a trace: no crash, no hang, nothing thrown but what a user is told; what the fast reader makes
// of it is what protobuf's own parser makes of it; and whatever is read can be looked at and written as JSON.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_check.hpp"
#include "dse/trace/chakra/trace_difference.hpp"
#include "dse/trace/chakra/trace_json.hpp"
#include "dse/trace/chakra/trace_reader.hpp"
#include "dse/trace/chakra/trace_summary.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse;
using namespace dse::trace::chakra;

std::optional<std::vector<TraceNode>> by_protobuf(const std::string& path) {
    try {
        TraceReader reader{path};
        std::vector<TraceNode> nodes;
        TraceNode node;
        while (reader.next(node)) nodes.push_back(node);
        return nodes;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// What protobuf takes, the fast reader takes, and to the same nodes. It takes more: names that are no UTF-8.
void agree(const RankTrace& read, const std::vector<TraceNode>& nodes) {
    const Trace& trace = *read.trace;
    DSE_INVARIANT(trace.size() == nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const TraceStep& step = trace.step(NodeIndex{n});
        DSE_INVARIANT(step.id == nodes[n].id);
        DSE_INVARIANT(trace.name(NodeIndex{n}) == nodes[n].name);
        DSE_INVARIANT(step.duration_micros == nodes[n].duration_micros);
        DSE_INVARIANT(trace.control(NodeIndex{n}).size() <= nodes[n].control_dependencies.size());
        DSE_INVARIANT(trace.data(NodeIndex{n}).size() <= nodes[n].data_dependencies.size());
        for (const NodeIndex other : trace.dependencies(NodeIndex{n}))
            DSE_INVARIANT(other.index() < trace.size());
    }
}

void look_at(const TraceSet& set, const std::vector<RankFaults>& faults) {
    const Trace& trace = *set.ranks[0].trace;
    const TraceSummary summary = summarise(trace);
    DSE_INVARIANT(summary.nodes == trace.size());
    DSE_INVARIANT(dependency_order(trace).has_value() == find_cycle(trace).empty());
    check_traces(set, faults, Groups{1}, Coverage::all_ranks);
    const TraceDifference difference = compare(set.ranks[0], set.ranks[0], Durations::compared);
    DSE_INVARIANT(difference.none() && difference.equal == trace.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string& path = fuzz::input_file(data, size, ".0.et");
    const auto nodes = by_protobuf(path);
    try {
        std::vector<RankFaults> faults;
        const TraceSet set = read_traces({path}, faults);
        if (nodes) agree(set.ranks[0], *nodes);
        look_at(set, faults);
    } catch (const InputError&) {
        DSE_INVARIANT(!nodes);
    }
    try {
        std::ostringstream json;
        write_json(path, json);
        DSE_INVARIANT(nodes.has_value());
    } catch (const InputError&) {
        DSE_INVARIANT(!nodes);
    }
    return 0;
}
