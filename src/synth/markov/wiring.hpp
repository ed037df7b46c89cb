#pragma once

#include <cstdint>
#include <vector>

#include "dse/synth/small_graph.hpp"
#include "synth/markov/outline.hpp"
#include "synth/table.hpp"

namespace dse::synth {

/// Operators of a family's graphs and who waits for whom, layer by layer. Every node hangs on one of the
/// layer before: how many do, which operators they are and how high they are follows from that one's operator
/// and height; further parents from pairs of operators and the distance in layers.
///
/// The tree that primary parents make is drawn from its root down. A node knows how many layers hang below
/// it, its height, so that an operator that ends a branch does not stand where the branch goes on. One of
/// those that hang on a node, the heir, is one lower than the node; how high the others are is drawn.
class Wiring {
  public:
    void learn(const SmallGraph& graph);
    /// A graph of such layers, without volumes.
    [[nodiscard]] SmallGraph draw(const Outline& outline, Random& random) const;

    [[nodiscard]] nlohmann::json to_json() const;
    /// \param labels  of the family \throws InputError where a label is none of them
    static Wiring from_json(const nlohmann::json& json, std::size_t labels);

  private:
    friend class Weaver;

    Table roots_;     ///< (shape), (): nodes of the first layer
    Table labels_;    ///< (shape and flags, parent, grandparent) and wider ones
    Table heights_;   ///< (shape and height of the parent, its label, grandparent) and wider: of no heirs
    Table children_;  ///< (shape and height, label, parent) and wider ones: nodes that hang on it
    Table extras_;    ///< (shape, label, parent), (label, parent), (label): parents beside that one
    Table partners_;  ///< likewise: such a parent, see Partner
    Table repeats_;   ///< (repeats, spine's label, eighth along), (repeats, spine's label), (repeats)
};

}  // namespace dse::synth
