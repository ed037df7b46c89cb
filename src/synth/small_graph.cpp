#include "dse/synth/small_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::synth {

std::string_view name(Kind kind) {
    constexpr std::array<std::string_view, 6> names{"compute", "collective", "send",
                                                    "receive", "load",       "store"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view name(Role role) {
    constexpr std::array<std::string_view, 5> names{"", "near", "far", "ring", "all"};
    return names[static_cast<std::size_t>(role)];
}

std::string to_string(const Label& label) {
    std::string text{name(label.kind)};
    if (!label.operation.empty()) text += fmt::format(" {}", label.operation);
    if (label.role != Role::none) text += fmt::format(" {}", name(label.role));
    return text;
}

std::string name_in_lists(const Label& label) {
    const bool is_number =
        !label.operation.empty() && label.operation.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? label.operation : to_string(label);
}

std::uint16_t Vocabulary::add(const Label& label) {
    constexpr std::size_t most_labels = 4096;
    if (labels_.size() >= most_labels && !numbers_.contains(label))
        throw InputError(fmt::format(
            "more than {} different operators: names of single nodes have become operator classes",
            most_labels));
    const auto [place, added] = numbers_.emplace(label, static_cast<std::uint16_t>(labels_.size()));
    if (added) labels_.push_back(label);
    return place->second;
}

std::size_t SmallGraph::edges() const {
    return std::accumulate(nodes.begin(), nodes.end(), std::size_t{0},
                           [](std::size_t sum, const Node& node) { return sum + node.parents.size(); });
}

std::vector<std::uint32_t> SmallGraph::layer_of() const {
    std::vector<std::uint32_t> result(nodes.size());
    for (std::size_t layer = 0; layer < layers(); ++layer) {
        for (std::uint32_t n = layer_begin[layer]; n < layer_begin[layer + 1]; ++n)
            result[n] = static_cast<std::uint32_t>(layer);
    }
    return result;
}

namespace {

/// Assigns layers to nodes in topological order; at a change of repeats, missing parents are added.
std::vector<std::uint32_t> find_layers(std::vector<Node>& nodes, const std::vector<std::int64_t>& repeats) {
    std::vector<std::uint32_t> layer(nodes.size());
    std::uint32_t base = 0;  // first layer of nodes with the current count
    std::uint32_t deepest = 0;
    std::size_t last = 0;    // a node of the deepest layer
    std::size_t before = 0;  // the node that those with a new count wait for
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (n > 0 && repeats[n] != repeats[n - 1]) {
            base = deepest + 1;
            before = last;
        }
        layer[n] = base;
        for (const std::uint32_t parent : nodes[n].parents) layer[n] = std::max(layer[n], layer[parent] + 1);
        const auto& parents = nodes[n].parents;
        const bool follows = std::any_of(parents.begin(), parents.end(),
                                         [&](std::uint32_t p) { return layer[p] + 1 == layer[n]; });
        if (layer[n] > 0 && !follows) nodes[n].parents.push_back(static_cast<std::uint32_t>(before));
        if (n == 0 || layer[n] >= deepest) last = n;
        deepest = std::max(deepest, layer[n]);
    }
    return layer;
}

}  // namespace

SmallGraph layered(const Conditions& conditions, std::vector<Node> nodes,
                   const std::vector<std::int64_t>& repeats) {
    const std::vector<std::uint32_t> layer = find_layers(nodes, repeats);
    std::vector<std::uint32_t> order(nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return layer[a] < layer[b]; });
    std::vector<std::uint32_t> place(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::uint32_t>(i);
    SmallGraph graph;
    graph.conditions = conditions;
    for (std::size_t i = 0; i < order.size(); ++i) {
        Node node = std::move(nodes[order[i]]);
        for (std::uint32_t& parent : node.parents) parent = place[parent];
        std::sort(node.parents.begin(), node.parents.end());
        node.parents.erase(std::unique(node.parents.begin(), node.parents.end()), node.parents.end());
        if (layer[order[i]] == graph.repeats.size()) {
            graph.layer_begin.push_back(static_cast<std::uint32_t>(i));
            graph.repeats.push_back(repeats[order[i]]);
        }
        graph.nodes.push_back(std::move(node));
    }
    graph.layer_begin.push_back(static_cast<std::uint32_t>(graph.nodes.size()));
    return graph;
}

bool is_valid(const SmallGraph& graph) {
    if (graph.layer_begin.size() != graph.layers() + 1 || graph.layer_begin.back() != graph.nodes.size())
        return false;
    const std::vector<std::uint32_t> layer = graph.layer_of();
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        std::uint32_t longest = 0;
        for (const std::uint32_t parent : graph.nodes[n].parents) {
            if (parent >= n) return false;
            longest = std::max(longest, layer[parent] + 1);
        }
        if (longest != layer[n]) return false;
    }
    return std::all_of(graph.repeats.begin(), graph.repeats.end(), [](std::int64_t r) { return r >= 1; });
}

namespace {

/// 2^(i/4).
constexpr std::array<double, bins_per_octave + 1> quarters{1.0, 1.189207115002721, 1.4142135623730951,
                                                           1.681792830507429, 2.0};

}  // namespace

int bin_of(double volume) {
    if (!(volume >= 1.0)) return 0;
    int exponent = 0;
    const double mantissa = 2.0 * std::frexp(volume, &exponent);  // in [1, 2)
    int quarter = 0;
    while (quarter + 1 < bins_per_octave && mantissa >= quarters[static_cast<std::size_t>(quarter) + 1])
        ++quarter;
    return 1 + bins_per_octave * (exponent - 1) + quarter;
}

double volume_in(int bin, int sixteenth) {
    if (bin <= 0) return 0.0;
    const auto quarter = static_cast<std::size_t>((bin - 1) % bins_per_octave);
    const double step = (quarters[quarter + 1] - quarters[quarter]) * (sixteenth / 16.0);
    const double volume = std::ceil(std::ldexp(quarters[quarter] + step, (bin - 1) / bins_per_octave));
    // Large sizes are rounded to even numbers, as most byte counts are.
    constexpr double large = 1024.0;
    return volume > large ? 2.0 * std::ceil(volume / 2.0) : volume;
}

int sixteenth_of(double volume) {
    const int bin = bin_of(volume);
    if (bin == 0) return 0;
    const auto quarter = static_cast<std::size_t>((bin - 1) % bins_per_octave);
    const double mantissa = std::ldexp(volume, -((bin - 1) / bins_per_octave));
    const double share = (mantissa - quarters[quarter]) / (quarters[quarter + 1] - quarters[quarter]);
    return std::clamp(static_cast<int>(share * 16.0), 0, 15);
}

}  // namespace dse::synth
