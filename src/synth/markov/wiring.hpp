#pragma once

#include <cstdint>
#include <vector>

#include "dse/synth/small_graph.hpp"
#include "synth/markov/outline.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// Operators and dependencies of a family's graphs, layer by layer. Every node has a primary parent in the
/// previous layer, whose operator and height determine how many children it has, which operators they are and
/// how high they are. Additional parents follow from pairs of operators and the distance in layers.
///
/// The tree of primary parents is drawn from the root down. The height of a node is the number of layers
/// below it in the tree; it is drawn in advance, so that an operator that ends branches is not placed where a
/// branch continues. One child of a node, the heir, is one lower than the node; the heights of the others are
/// drawn.
class Wiring {
  public:
    void learn(const SmallGraph& graph);
    /// Draws a graph with this outline, without volumes.
    [[nodiscard]] SmallGraph draw(const Outline& outline, Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    /// \param labels  number of labels of the family \throws InputError if a label is out of range
    static Wiring from_json(const nlohmann::json& json, std::size_t labels);

  private:
    friend class Weaver;

    Table roots_;     ///< (shape), (): number of nodes in the first layer
    Table labels_;    ///< (shape and flags, parent, grandparent) and wider contexts
    Table heights_;   ///< (shape and height of the parent, its label, grandparent) and wider contexts;
                      ///< excludes heirs
    Table children_;  ///< (shape and height, label, parent) and wider contexts: number of children
    Table extras_;    ///< (shape, label, parent), (label, parent), (label): number of additional parents
    Table partners_;  ///< same contexts: an additional parent, see Partner
    Table repeats_;   ///< (previous repeats, spine's label, position in eighths), (previous repeats, spine's
                      ///< label), (previous repeats)
};

}  // namespace dse::synth
