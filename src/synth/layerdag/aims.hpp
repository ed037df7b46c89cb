#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "synth/layerdag/layer_drawing.hpp"

namespace dse::synth {

/// How large a family's graphs are.
class Aims {
  public:
    void learn(const SmallGraph& graph);
    /// Layers of one graph; nodes and further parents of another that has about as many layers, for each of
    /// them, so that a graph's own numbers come up seldom.
    [[nodiscard]] Aim draw(Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    /// \throws InputError where one is none
    static Aims from_json(const nlohmann::json& json);

  private:
    std::vector<Aim> rows_;  ///< by layers
};

}  // namespace dse::synth
