#include "outline.hpp"

#include <algorithm>
#include <bit>

#include <nlohmann/json.hpp>

namespace dse::synth {
namespace {

constexpr std::size_t sixteenths = 16;

std::int64_t half_octave(std::size_t number) {
    const auto width = static_cast<unsigned>(std::bit_width(number));
    const bool upper = width > 1 && ((number >> (width - 2U)) & 1U) != 0;
    return 2 * static_cast<std::int64_t>(width) + (upper ? 1 : 0);
}

}  // namespace

std::int64_t shape_of(const Outline& outline) {
    constexpr std::size_t most_density = 31;
    const std::size_t density = std::min(3 * outline.nodes / outline.layers, most_density);
    const auto octave = static_cast<std::int64_t>(std::bit_width(outline.layers));
    return static_cast<std::int64_t>(density) + 32 * octave;
}

void OutlineTables::learn(const SmallGraph& graph) {
    layers_.add(context({}), static_cast<std::int32_t>(graph.layers()));
    nodes_.add(
        context({half_octave(graph.layers())}),
        static_cast<std::int32_t>((graph.nodes.size() * sixteenths + graph.layers() / 2) / graph.layers()));
}

Outline OutlineTables::draw(Random& random) const {
    const auto layers = static_cast<std::size_t>(layers_.draw(random, {context({})}, 1));
    const auto density = static_cast<std::size_t>(
        nodes_.draw(random, {context({half_octave(layers)})}, static_cast<std::int32_t>(sixteenths)));
    return {layers, std::max((density * layers + sixteenths / 2) / sixteenths, layers)};
}

nlohmann::json OutlineTables::to_json() const {
    return {{"layers", layers_.to_json()}, {"nodes", nodes_.to_json()}};
}

OutlineTables OutlineTables::from_json(const nlohmann::json& json) {
    OutlineTables tables;
    tables.layers_ = Table::from_json(json.at("layers"), 1, most_nodes);
    tables.nodes_ = Table::from_json(json.at("nodes"), 1, most_nodes * sixteenths);
    return tables;
}

}  // namespace dse::synth
