#pragma once

#include <cstdint>

#include "dse/synth/small_graph.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// Target size of a graph.
struct Outline {
    std::size_t layers{1};
    std::size_t nodes{1};  ///< approximately
};

/// The octave of the number of layers and the nodes per layer in thirds, in one number. It is a context for
/// other draws: graphs of one family differ in shape, and their contents with it.
std::int64_t shape_of(const Outline& outline);

/// Numbers of layers of a family's graphs, and numbers of nodes given those.
class OutlineTables {
  public:
    void learn(const SmallGraph& graph);
    [[nodiscard]] Outline draw(Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    static OutlineTables from_json(const nlohmann::json& json);

  private:
    Table layers_;  ///< ()
    Table nodes_;   ///< (half octave of the layers): nodes per layer, in sixteenths
};

}  // namespace dse::synth
