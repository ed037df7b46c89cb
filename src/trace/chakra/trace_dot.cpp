#include "dse/trace/chakra/trace_dot.hpp"

#include <algorithm>
#include <ostream>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_reader.hpp"

namespace dse::trace::chakra {
namespace {

using Ids = std::unordered_set<std::uint64_t>;
using Links = std::unordered_map<std::uint64_t, std::vector<std::uint64_t>>;

/// A text in quotes, whose escapes DOT shares with JSON.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump();
}

/// Light colours that can be told apart by the colour-blind.
const char* color_of(NodeType type) {
    switch (type) {
        case NodeType::comp:
            return "#cfe3f5";
        case NodeType::mem_load:
        case NodeType::mem_store:
            return "#cdebdf";
        case NodeType::comm_coll:
            return "#fadcc3";
        case NodeType::comm_send:
        case NodeType::comm_recv:
            return "#fbf3b9";
        case NodeType::invalid:
        case NodeType::metadata:
            break;
    }
    return "#eeeeee";
}

std::string kind_of(const TraceNode& node) {
    const auto kind = node.number("comm_type");
    if (node.type == NodeType::comm_coll && kind && *kind >= 0 &&
        *kind < static_cast<std::int64_t>(comm_type_count))
        return std::string{name(static_cast<CommType>(*kind))};
    return std::string{name(node.type)};
}

/// "17: mlp.up", what it is, and how long it takes or how much it moves.
std::string label_of(const TraceNode& node) {
    std::string label = fmt::format("{}: ", node.id);
    for (const char c : node.name)
        label += c == '/' ? std::string{"/\n"} : std::string{c};  // levels of a name
    label += "\n" + kind_of(node);
    if (const auto group = node.text("pg_name"); !group.empty()) label += fmt::format(" in {}", group);
    if (const auto bytes = node.number("comm_size")) label += fmt::format(", {} B", *bytes);
    if (const auto operations = node.number("num_ops"))
        label += fmt::format(", {:.4g} ops", static_cast<double>(*operations));
    if (node.duration_micros > 0) label += fmt::format(", {} us", node.duration_micros);
    return label;
}

template <class Use>
void each_dependency(const TraceNode& node, const Use& use) {
    for (const std::uint64_t id : node.data_dependencies) use(id, "");
    for (const std::uint64_t id : node.control_dependencies) use(id, " [style=dashed]");
}

/// The ids that are at most `steps` links away from `start`, which is one of them.
void add_reachable(const Links& links, std::uint64_t start, std::uint64_t steps, Ids& ids) {
    Ids seen{start};
    std::vector<std::uint64_t> front{start};
    for (std::uint64_t step = 0; step < steps && !front.empty(); ++step) {
        std::vector<std::uint64_t> next;
        for (const std::uint64_t id : front) {
            const auto found = links.find(id);
            if (found == links.end()) continue;
            std::ranges::copy_if(found->second, std::back_inserter(next),
                                 [&](std::uint64_t other) { return seen.insert(other).second; });
        }
        front = std::move(next);
    }
    ids.merge(seen);
}

/// The node, what it waits for and what waits for it, directly or through other nodes.
Ids neighbours(const std::string& path, std::uint64_t around, std::uint64_t steps) {
    Links waits_for;
    Links awaited_by;
    Ids all;
    TraceReader reader{path};
    for (TraceNode node; reader.next(node);) {
        all.insert(node.id);
        each_dependency(node, [&](std::uint64_t id, const char*) {
            waits_for[node.id].push_back(id);
            awaited_by[id].push_back(node.id);
        });
    }
    if (!all.contains(around)) throw InputError(fmt::format("'{}' has no node with the id {}", path, around));
    Ids ids;
    add_reachable(waits_for, around, steps, ids);
    add_reachable(awaited_by, around, steps, ids);
    std::erase_if(ids,
                  [&](std::uint64_t id) { return !all.contains(id); });  // missing nodes that others wait for
    return ids;
}

Ids ids_of(const std::string& path, const DrawnNodes& drawn) {
    Ids ids;
    if (drawn.around) {
        ids = neighbours(path, *drawn.around, drawn.steps);
    } else {
        TraceReader reader{path};
        // One more than allowed is enough to refuse it, however long the trace is.
        for (TraceNode node; ids.size() <= drawn.most && reader.next(node);) ids.insert(node.id);
    }
    if (ids.size() > drawn.most)
        throw InputError(fmt::format("'{}': more than {} nodes to draw ({})", path, drawn.most,
                                     drawn.around ? "--steps chooses fewer, --most allows more"
                                                  : "--around ID chooses a node and its neighbours, --most "
                                                    "allows more"));
    return ids;
}

}  // namespace

void write_dot(const std::string& path, const DrawnNodes& drawn, std::ostream& stream) {
    const Ids ids = ids_of(path, drawn);
    stream << "digraph trace {\n"
              "  node [shape=box, style=filled, fontname=\"Helvetica\", fontsize=10];\n";
    TraceReader reader{path};
    std::vector<std::pair<std::uint64_t, std::string>> nodes;
    Ids with_others;  // and some that are not drawn
    std::string edges;
    for (TraceNode node; reader.next(node);) {
        const bool is_drawn = ids.contains(node.id);
        each_dependency(node, [&](std::uint64_t id, const char* style) {
            if (is_drawn && ids.contains(id))
                edges += fmt::format("  {} -> {}{};\n", id, node.id, style);
            else
                with_others.insert(is_drawn ? node.id : id);
        });
        if (is_drawn)
            nodes.emplace_back(node.id, fmt::format("label={}, fillcolor=\"{}\"", quoted(label_of(node)),
                                                    color_of(node.type)));
    }
    for (const auto& [id, attributes] : nodes)
        stream << fmt::format("  {} [{}{}];\n", id, attributes,
                              with_others.contains(id) ? ", style=\"filled,dashed\"" : "");
    stream << edges << "}\n";
}

}  // namespace dse::trace::chakra
