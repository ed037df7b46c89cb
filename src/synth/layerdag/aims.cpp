#include "aims.hpp"

#include <algorithm>
#include <tuple>

#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"

namespace dse::synth {
namespace {

/// `number` scaled from `of` layers to `layers`, rounded.
std::size_t scaled(std::size_t number, std::size_t layers, std::size_t of) {
    return (number * layers + of / 2) / of;
}

}  // namespace

void Aims::learn(const SmallGraph& graph) {
    const std::size_t roots = graph.layer_size(0);
    const Aim aim{graph.layers(), graph.nodes.size(), graph.edges() + roots - graph.nodes.size()};
    const auto before = [](const Aim& a, const Aim& b) {
        return std::tie(a.layers, a.nodes, a.extras) < std::tie(b.layers, b.nodes, b.extras);
    };
    rows_.insert(std::upper_bound(rows_.begin(), rows_.end(), aim, before), aim);
}

Aim Aims::draw(Random& random) const {
    constexpr std::size_t neighbours = 4;  // on either side
    const std::size_t at = random.below(rows_.size());
    const std::size_t first = at - std::min(at, neighbours);
    const std::size_t last = std::min(at + neighbours, rows_.size() - 1);
    const Aim& other = rows_[first + random.below(last - first + 1)];
    const std::size_t layers = rows_[at].layers;
    return {layers, std::clamp(scaled(other.nodes, layers, other.layers), layers, most_nodes),
            scaled(other.extras, layers, other.layers)};
}

nlohmann::json Aims::to_json() const {
    nlohmann::json json = nlohmann::json::array();
    for (const Aim& aim : rows_) json.push_back({aim.layers, aim.nodes, aim.extras});
    return json;
}

Aims Aims::from_json(const nlohmann::json& json) {
    Aims aims;
    for (const nlohmann::json& row : json) {
        const Aim aim{row.at(0).get<std::size_t>(), row.at(1).get<std::size_t>(),
                      row.at(2).get<std::size_t>()};
        if (aim.layers < 1 || aim.nodes < aim.layers || aim.nodes > most_nodes ||
            aim.extras > most_nodes * most_nodes)
            throw InputError("it has graphs of sizes that there are not");
        aims.rows_.push_back(aim);
    }
    if (aims.rows_.empty()) throw InputError("it has no graphs");
    return aims;
}

}  // namespace dse::synth
