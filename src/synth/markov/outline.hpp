#pragma once

#include <cstdint>

#include "dse/synth/small_graph.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// How large a graph is to be.
struct Outline {
    std::size_t layers{1};
    std::size_t nodes{1};  ///< about so many
};

/// Octaves of layers and thirds of a node of nodes a layer, in one number: graphs of one family differ in
/// shape, and what stands in them differs with it.
std::int64_t shape_of(const Outline& outline);

/// Layers of a family's graphs, and their nodes given those.
class OutlineTables {
  public:
    void learn(const SmallGraph& graph);
    [[nodiscard]] Outline draw(Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    static OutlineTables from_json(const nlohmann::json& json);

  private:
    Table layers_;  ///< ()
    Table nodes_;   ///< (half octave of the layers): nodes in sixteenths of the layers
};

}  // namespace dse::synth
