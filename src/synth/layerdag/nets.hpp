#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "dse/synth/small_graph.hpp"
#include "synth/layerdag/perceptron.hpp"

namespace dse::synth {

/// The networks that analysis/layerdag trains, each of two maps: who asks them what, net.py there says.
struct Nets {
    static constexpr std::size_t step_features = 10;
    static constexpr std::size_t place_features = 3;
    static constexpr std::size_t child_features = 3;
    static constexpr std::size_t pair_features = 6;

    std::size_t labels{0};       ///< the embedding has one row more, of what roots hang on
    std::size_t most_size{1};    ///< nodes of a layer
    std::size_t most_extras{0};  ///< of a node
    std::size_t width{1};
    Linear embedding;
    std::vector<Perceptron> rise;
    Perceptron step, size, place, pool, mix, parent, label, child, count, wish, partner;

    /// \throws InputError, or the JSON library's exceptions, where they are none
    static Nets from_json(const nlohmann::json& json);
};

/// The operators' names of the file of a net, by their numbers in it.
std::vector<std::string> names_in(const nlohmann::json& json);

}  // namespace dse::synth
