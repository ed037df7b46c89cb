#include "layerdag_model.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::synth {
namespace {

/// Reads a file of networks. \throws InputError naming it
nlohmann::json read_nets(const std::string& file) {
    if (file.empty())
        throw InputError("'layerdag' needs --nets, what analysis/layerdag learned of the same graphs");
    try {
        return nlohmann::json::parse(std::ifstream{file});
    } catch (const nlohmann::json::exception& error) {
        throw InputError(fmt::format("'{}': no networks of layerdag: {}", file, error.what()));
    }
}

/// The family's label of each name of the networks. \throws InputError if the two sets of labels differ
std::vector<std::uint16_t> match(const std::vector<std::string>& names, const Vocabulary& labels) {
    std::vector<std::uint16_t> found(names.size());
    std::size_t matched = 0;
    for (std::size_t label = 0; label < labels.size(); ++label) {
        const auto at = std::ranges::find(names, name_in_lists(labels[label]));
        if (at == names.end())
            throw InputError(
                fmt::format("the networks do not know the operator '{}' (train them on these graphs)",
                            name_in_lists(labels[label])));
        found[static_cast<std::size_t>(at - names.begin())] = static_cast<std::uint16_t>(label);
        ++matched;
    }
    if (matched != names.size())
        throw InputError(
            fmt::format("the networks know {} operators and the graphs have {} (train them on these "
                        "graphs)",
                        names.size(), matched));
    return found;
}

std::array<Context, 3> repeat_contexts(const SmallGraph& graph, std::size_t layer) {
    constexpr std::size_t eighths = 8;
    const std::int64_t before = layer == 0 ? 0 : graph.repeats[layer - 1];
    const std::int64_t label = graph.nodes[graph.layer_begin[layer]].label;
    const auto along = static_cast<std::int64_t>(layer * eighths / (graph.layer_begin.size() - 1));
    return {context({before, label, along}), context({before, label}), context({before})};
}

}  // namespace

std::unique_ptr<Model> LayerdagModel::fit(const Corpus& corpus, const std::string& file) {
    auto model = std::make_unique<LayerdagModel>();
    model->file_ = read_nets(file);
    try {
        model->nets_ = Nets::from_json(model->file_);
        model->label_ = match(names_in(model->file_), corpus.labels);
    } catch (const nlohmann::json::exception& error) {
        throw InputError(fmt::format("'{}': no networks of layerdag: {}", file, error.what()));
    } catch (const InputError& error) {
        throw InputError(fmt::format("'{}': {}", file, error.what()));
    }
    for (const SmallGraph& graph : corpus.graphs) {
        model->groups_.learn(graph.conditions);
        model->aims_.learn(graph);
        model->learn_repeats(graph);
    }
    model->volumes_ = VolumeTables::fit(corpus);
    return model;
}

std::unique_ptr<Model> LayerdagModel::read(const nlohmann::json& json, std::size_t labels) {
    auto model = std::make_unique<LayerdagModel>();
    model->file_ = json.at("nets");
    model->nets_ = Nets::from_json(model->file_);
    json.at("label").get_to(model->label_);
    if (model->label_.size() != model->nets_.labels ||
        std::ranges::any_of(model->label_, [&](std::uint16_t label) { return label >= labels; }))
        throw InputError("its networks have operators that it has not");
    model->groups_ = GroupSizes::from_json(json.at("groups"));
    model->aims_ = Aims::from_json(json.at("aims"));
    model->repeats_ = Table::from_json(json.at("repeats"), 1);
    model->volumes_ = VolumeTables::from_json(json.at("volumes"), labels);
    return model;
}

void LayerdagModel::learn_repeats(const SmallGraph& graph) {
    for (std::size_t layer = 0; layer < graph.layers(); ++layer) {
        for (const Context at : repeat_contexts(graph, layer))
            repeats_.add(at, static_cast<std::int32_t>(graph.repeats[layer]));
    }
}

void LayerdagModel::draw_repeats(SmallGraph& graph, Random& random) const {
    for (std::size_t layer = 0; layer < graph.layers(); ++layer) {
        const std::int64_t before = layer == 0 ? 1 : graph.repeats[layer - 1];
        graph.repeats[layer] =
            repeats_.draw(random, repeat_contexts(graph, layer), static_cast<std::int32_t>(before));
    }
}

SmallGraph LayerdagModel::sample(const Wish& wish, std::uint64_t seed) const {
    Random random{seed};
    const Conditions conditions = groups_.draw(wish, random);
    SmallGraph graph = LayerDrawing{nets_, aims_.draw(random), random}.run();
    for (Node& node : graph.nodes) node.label = label_[node.label];
    graph.conditions = conditions;
    draw_repeats(graph, random);
    volumes_.draw(graph, random);
    return graph;
}

nlohmann::json LayerdagModel::to_json() const {
    return {{"nets", file_},
            {"label", label_},
            {"groups", groups_.to_json()},
            {"aims", aims_.to_json()},
            {"repeats", repeats_.to_json()},
            {"volumes", volumes_.to_json()}};
}

}  // namespace dse::synth
