#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "synth/layerdag/nets.hpp"
#include "synth/random.hpp"

namespace dse::synth::test {

/// An affine map of whole numbers from -9 to 9, each worth a tenth.
inline nlohmann::json some_linear(std::size_t rows, std::size_t columns, Random& random) {
    std::vector<int> weights(rows * columns);
    for (int& weight : weights) weight = static_cast<int>(random.below(19)) - 9;
    return {{"worth", std::vector<double>(rows, 0.1)},
            {"weights", weights},
            {"bias", std::vector<double>(rows, 0.01)}};
}

/// A file of networks that were never trained, of operators "0", "1", ….
inline nlohmann::json some_nets(std::size_t labels, std::size_t most_size = 3, std::size_t most_extras = 2) {
    constexpr std::size_t width = 5;
    Random random{7};
    nlohmann::json parts;
    const auto add = [&](const std::string& name, std::size_t inputs, std::size_t outputs) {
        parts[name] = {some_linear(width, inputs, random), some_linear(outputs, width, random)};
    };
    parts["embedding"] = some_linear(labels + 1, width, random);
    add("rise.0", 4 * width, width);
    add("rise.1", 4 * width, width);
    add("step", 2 * width + Nets::step_features, width);
    add("size", width, most_size);
    add("place", 3 * width + Nets::place_features, width);
    add("pool", 2 * width, width);
    add("mix", 2 * width, width);
    add("parent", width, 1);
    add("label", width, labels);
    add("child", 4 * width + Nets::child_features, width);
    add("count", width, most_extras + 1);
    add("wish", 2 * width, width);
    add("partner", 2 * width + Nets::pair_features, 1);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < labels; ++i) names.push_back(std::to_string(i));
    return {{"settings",
             {{"labels", labels},
              {"most_size", most_size},
              {"most_extras", most_extras},
              {"width", width},
              {"rounds", 2}}},
            {"labels", names},
            {"nets", parts}};
}

}  // namespace dse::synth::test
