#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "dse/synth/small_graph.hpp"
#include "synth/layerdag/perceptron.hpp"

namespace dse::synth {

/// The networks trained by analysis/layerdag, each consisting of two maps. Their inputs are documented in
/// net.py there.
struct Nets {
    static constexpr std::size_t step_features = 10;
    static constexpr std::size_t place_features = 3;
    static constexpr std::size_t child_features = 3;
    static constexpr std::size_t pair_features = 6;

    std::size_t labels{0};       ///< the embedding has one more row, for the parent of the roots
    std::size_t most_size{1};    ///< of a layer
    std::size_t most_extras{0};  ///< additional parents of a node
    std::size_t width{1};
    Linear embedding;
    std::vector<Perceptron> rise;
    Perceptron step, size, place, pool, mix, parent, label, child, count, wish, partner;

    /// \throws InputError or an exception of the JSON library if `json` does not contain networks
    static Nets from_json(const nlohmann::json& json);
};

/// Names of the operators in a file of networks, indexed by their numbers there.
std::vector<std::string> names_in(const nlohmann::json& json);

}  // namespace dse::synth
