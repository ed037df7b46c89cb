#include "markov_model.hpp"

#include <nlohmann/json.hpp>

namespace dse::synth {

std::unique_ptr<Model> MarkovModel::fit(const Corpus& corpus) {
    auto model = std::make_unique<MarkovModel>();
    for (const SmallGraph& graph : corpus.graphs) {
        model->groups_.learn(graph.conditions);
        model->outlines_.learn(graph);
        model->wiring_.learn(graph);
    }
    model->volumes_ = VolumeTables::fit(corpus);
    return model;
}

std::unique_ptr<Model> MarkovModel::read(const nlohmann::json& json, std::size_t labels) {
    auto model = std::make_unique<MarkovModel>();
    model->groups_ = GroupSizes::from_json(json.at("groups"));
    model->outlines_ = OutlineTables::from_json(json.at("outlines"));
    model->wiring_ = Wiring::from_json(json.at("wiring"), labels);
    model->volumes_ = VolumeTables::from_json(json.at("volumes"), labels);
    return model;
}

SmallGraph MarkovModel::sample(const Wish& wish, std::uint64_t seed) const {
    Random random{seed};
    const Conditions conditions = groups_.draw(wish, random);
    SmallGraph graph = wiring_.draw(outlines_.draw(random), random);
    graph.conditions = conditions;
    volumes_.draw(graph, random);
    return graph;
}

nlohmann::json MarkovModel::to_json() const {
    return {{"groups", groups_.to_json()},
            {"outlines", outlines_.to_json()},
            {"wiring", wiring_.to_json()},
            {"volumes", volumes_.to_json()}};
}

}  // namespace dse::synth
