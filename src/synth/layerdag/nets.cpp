#include "nets.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"

namespace dse::synth {
namespace {

std::size_t setting(const nlohmann::json& json, const char* name, std::size_t most) {
    const auto value = json.at("settings").at(name).get<std::size_t>();
    if (value > most) throw InputError(fmt::format("a network's {} is {}, of at most {}", name, value, most));
    return value;
}

}  // namespace

Nets Nets::from_json(const nlohmann::json& json) {
    constexpr std::size_t most_width = 1024;
    constexpr std::size_t most_rounds = 16;
    Nets nets;
    nets.labels = setting(json, "labels", names_in(json).size());
    nets.most_size = std::max<std::size_t>(1, setting(json, "most_size", most_nodes));
    nets.most_extras = setting(json, "most_extras", most_nodes);
    const std::size_t w = nets.width = setting(json, "width", most_width);
    const nlohmann::json& parts = json.at("nets");
    nets.embedding = Linear::from_json(parts.at("embedding"), nets.labels + 1, w);
    const std::size_t rounds = setting(json, "rounds", most_rounds);
    for (std::size_t round = 0; round < rounds; ++round)
        nets.rise.push_back(Perceptron::from_json(parts.at(fmt::format("rise.{}", round)), 4 * w, w, w));
    const auto read = [&](const char* name, std::size_t inputs, std::size_t outputs) {
        return Perceptron::from_json(parts.at(name), inputs, w, outputs);
    };
    nets.step = read("step", 2 * w + step_features, w);
    nets.size = read("size", w, nets.most_size);
    nets.place = read("place", 3 * w + place_features, w);
    nets.pool = read("pool", 2 * w, w);
    nets.mix = read("mix", 2 * w, w);
    nets.parent = read("parent", w, 1);
    nets.label = read("label", w, nets.labels);
    nets.child = read("child", 4 * w + child_features, w);
    nets.count = read("count", w, nets.most_extras + 1);
    nets.wish = read("wish", 2 * w, w);
    nets.partner = read("partner", 2 * w + pair_features, 1);
    return nets;
}

std::vector<std::string> names_in(const nlohmann::json& json) {
    return json.at("labels").get<std::vector<std::string>>();
}

}  // namespace dse::synth
