#include "app/synth/graph_line.hpp"

#include <string>
#include <utility>
#include <vector>

namespace dse::app::synth {
namespace {

using dse::synth::SmallGraph;

/// Operators that are numbers are written as numbers, as in the lists from which they come.
Json operator_of(const dse::synth::Label& label) {
    const std::string name = name_in_lists(label);
    const bool is_number = name.size() < 9 && name.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? Json(std::stoi(name)) : Json(name);
}

}  // namespace

Json graph_line(const SmallGraph& graph, const dse::synth::Vocabulary& labels) {
    Json nodes = Json::array();
    Json edges = Json::array();
    Json volumes = Json::array();
    Json repeats = Json::array();
    const std::vector<std::uint32_t> layer = graph.layer_of();
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        nodes.push_back(operator_of(labels[graph.nodes[n].label]));
        for (const std::uint32_t parent : graph.nodes[n].parents) edges.push_back({parent, n});
        volumes.push_back(graph.nodes[n].volumes);
        repeats.push_back(graph.repeats[layer[n]]);
    }
    return {{"nodes", std::move(nodes)},
            {"edges", std::move(edges)},
            {"volumes", std::move(volumes)},
            {"repeats", std::move(repeats)},
            {"devices", graph.conditions.devices}};
}

}  // namespace dse::app::synth
