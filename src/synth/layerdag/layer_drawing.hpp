#pragma once

#include <span>
#include <vector>

#include "dse/synth/random.hpp"
#include "dse/synth/small_graph.hpp"
#include "synth/layerdag/nets.hpp"

namespace dse::synth {

/// What a graph is to be in the end.
struct Aim {
    std::size_t layers{1};
    std::size_t nodes{1};   ///< about so many
    std::size_t extras{0};  ///< about so many parents beside the first of each node
};

/// Draws graphs, without volumes, each layer given those before it.
class LayerDrawing {
  public:
    LayerDrawing(const Nets& nets, const Aim& aim, Random& random);
    /// Layers are executed once; labels are the nets' numbers. \pre 1 <= aim.layers <= most_nodes
    SmallGraph run();

  private:
    /// Node 0 is what roots hang on; others are one behind their numbers in the graph.
    struct Drawn {
        std::size_t label{0};
        std::size_t layer{0};
        std::size_t parent{0};
        std::vector<std::size_t> others;
        std::size_t kids{0};
        std::size_t extra_kids{0};
        std::vector<Vector> heights;  ///< by round
    };
    void draw_layer();
    [[nodiscard]] Vector state();
    [[nodiscard]] std::size_t draw_size();
    void draw_nodes(std::size_t size);
    void places(std::size_t known, std::size_t size);
    void draw_others(std::size_t node, std::size_t in_layer);
    [[nodiscard]] std::size_t draw_other(const Drawn& node, const Vector& young);
    void finish_layer();
    void rise(std::size_t begin);
    [[nodiscard]] Vector mean_of(const std::vector<std::size_t>& nodes, std::size_t round) const;
    [[nodiscard]] std::span<const double> word(std::size_t label) const;
    [[nodiscard]] const Vector& height(std::size_t node) const { return nodes_[node].heights.back(); }
    const Vector& ask(const Perceptron& net);

    const Nets& nets_;
    const Aim& aim_;
    Random& random_;
    std::vector<Drawn> nodes_;
    std::size_t layer_{0};       ///< that is drawn
    std::size_t above_{0};       ///< first node of the one before
    std::size_t begin_{1};       ///< first node of the one that is drawn
    std::size_t extras_{0};      ///< of all layers so far
    Vector sum_;                 ///< of the heights of all layers before
    Vector state_;               ///< of the layer that is drawn
    std::vector<Vector> kids_;   ///< by node above: sums of its children's words
    std::vector<Vector> place_;  ///< likewise: what it is for those that may hang on it
    Vector input_, hidden_, output_;
};

}  // namespace dse::synth
