#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "synth/layerdag/layer_drawing.hpp"

namespace dse::synth {

/// Sizes of a family's graphs.
class Aims {
  public:
    void learn(const SmallGraph& graph);
    /// Takes the layers of one graph, and the nodes and additional parents per layer of another one with a
    /// similar number of layers, so that the exact numbers of a graph are rarely reproduced.
    [[nodiscard]] Aim draw(Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    /// \throws InputError if a size is invalid
    static Aims from_json(const nlohmann::json& json);

  private:
    std::vector<Aim> rows_;  ///< sorted by layers
};

}  // namespace dse::synth
