#pragma once

#include <span>
#include <vector>

#include "dse/synth/small_graph.hpp"
#include "synth/layerdag/nets.hpp"
#include "synth/random.hpp"

namespace dse::synth {

/// Target sizes of a graph.
struct Aim {
    std::size_t layers{1};
    std::size_t nodes{1};   ///< approximately
    std::size_t extras{0};  ///< number of parents beyond the first of each node, approximately
};

/// Draws graphs without volumes, layer by layer, each given the earlier ones.
class LayerDrawing {
  public:
    LayerDrawing(const Nets& nets, const Aim& aim, Random& random);
    /// Layers are executed once; labels are the numbers used by the networks.
    /// \pre 1 <= aim.layers <= most_nodes
    SmallGraph run();

  private:
    /// Node 0 is the parent of the roots; the index of any other node is one above its index in the graph.
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
    std::size_t layer_{0};       ///< current layer
    std::size_t above_{0};       ///< first node of the previous layer
    std::size_t begin_{1};       ///< first node of the current layer
    std::size_t extras_{0};      ///< additional parents in all layers so far
    Vector sum_;                 ///< of the embeddings of all earlier layers
    Vector state_;               ///< of the current layer
    std::vector<Vector> kids_;   ///< by node above: sum of its children's label embeddings
    std::vector<Vector> place_;  ///< by node above: its embedding as a parent
    Vector input_, hidden_, output_;
};

}  // namespace dse::synth
