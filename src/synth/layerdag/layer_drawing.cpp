#include "layer_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace dse::synth {
namespace {

// Features are square roots of numbers, divided by these scales. The same scales are in steps.py of
// analysis/layerdag.
constexpr double layers_scale = 4.0;
constexpr double nodes_scale = 8.0;
constexpr double extras_scale = 3.0;
constexpr double size_scale = 2.0;

double root(double number, double scale) {
    return std::sqrt(std::max(0.0, number)) / scale;
}

double root(std::size_t number, double scale) {
    return root(static_cast<double>(number), scale);
}

/// The remainder of a number; 0 if it is exceeded.
std::size_t left_of(std::size_t wanted, std::size_t there) {
    return wanted - std::min(wanted, there);
}

void add_to(Vector& sum, std::span<const double> values) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
}

void append(Vector& input, std::span<const double> values) {
    input.insert(input.end(), values.begin(), values.end());
}

Vector over(Vector sum, std::size_t number) {
    if (number > 1)
        for (double& value : sum) value /= static_cast<double>(number);
    return sum;
}

}  // namespace

LayerDrawing::LayerDrawing(const Nets& nets, const Aim& aim, Random& random)
    : nets_{nets}, aim_{aim}, random_{random} {
    nodes_.emplace_back();
    nodes_.front().label = nets.labels;
    rise(0);
    sum_ = height(0);
}

const Vector& LayerDrawing::ask(const Perceptron& net) {
    net.apply(input_, hidden_, output_);
    return output_;
}

std::span<const double> LayerDrawing::word(std::size_t label) const {
    return nets_.embedding.row(label);
}

Vector LayerDrawing::mean_of(const std::vector<std::size_t>& nodes, std::size_t round) const {
    Vector sum(nets_.width, 0.0);
    for (const std::size_t node : nodes) add_to(sum, nodes_[node].heights[round]);
    return over(std::move(sum), nodes.size());
}

/// State that a layer is drawn from: the means of the last layer and of all layers, and what is still to
/// come.
Vector LayerDrawing::state() {
    Vector last(nets_.width, 0.0);
    for (std::size_t node = above_; node < begin_; ++node) add_to(last, height(node));
    input_ = over(std::move(last), begin_ - above_);
    append(input_, over(sum_, begin_));
    const std::size_t placed = begin_ - 1;
    const std::size_t layers_left = aim_.layers - layer_;
    const std::size_t nodes_left = left_of(aim_.nodes, placed);
    append(
        input_,
        std::array{root(aim_.layers, layers_scale), root(aim_.nodes, nodes_scale),
                   root(aim_.extras, extras_scale), root(layers_left, layers_scale),
                   root(nodes_left, nodes_scale), root(left_of(aim_.extras, extras_), extras_scale),
                   root(static_cast<double>(nodes_left) / static_cast<double>(layers_left), size_scale),
                   root(begin_ - above_, size_scale), layers_left == 1 ? 1.0 : 0.0, layer_ == 0 ? 1.0 : 0.0});
    return ask(nets_.step);
}

/// Draws the size of a layer such that every later layer can still have a node.
std::size_t LayerDrawing::draw_size() {
    input_ = state_;
    const Vector& scores = ask(nets_.size);
    const std::size_t most = most_nodes - (begin_ - 1) - (aim_.layers - layer_ - 1);
    return 1 + draw_softmax(std::span{scores}.first(std::min(scores.size(), most)), random_);
}

/// Sets the embedding of each node above as a parent of the next node.
void LayerDrawing::places(std::size_t known, std::size_t size) {
    const std::size_t count = begin_ - above_;
    place_.resize(count);
    Vector mean(nets_.width, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        const Drawn& node = nodes_[above_ + i];
        input_ = height(above_ + i);
        append(input_, over(kids_[i], node.kids));
        append(input_, state_);
        append(input_,
               std::array{root(node.kids, 1.0), root(known, size_scale), root(size - known, size_scale)});
        place_[i] = ask(nets_.place);
        add_to(mean, place_[i]);
    }
    input_ = over(std::move(mean), count);
    append(input_, state_);
    const Vector pool = ask(nets_.pool);
    for (Vector& place : place_) {
        input_ = place;
        append(input_, pool);
        add_to(place, ask(nets_.mix));
    }
}

/// Unmasks the nodes one by one: first the parent, then the operator.
void LayerDrawing::draw_nodes(std::size_t size) {
    kids_.assign(begin_ - above_, Vector(nets_.width, 0.0));
    Vector scores(begin_ - above_);
    for (std::size_t known = 0; known < size; ++known) {
        places(known, size);
        for (std::size_t i = 0; i < scores.size(); ++i) {
            input_ = place_[i];
            scores[i] = ask(nets_.parent).front();
        }
        const std::size_t parent = draw_softmax(scores, random_);
        input_ = place_[parent];
        const std::size_t label = draw_softmax(ask(nets_.label), random_);
        nodes_.push_back({label, layer_, above_ + parent, {}, 0, 0, {}});
        ++nodes_[above_ + parent].kids;
        add_to(kids_[parent], word(label));
    }
}

std::size_t LayerDrawing::draw_other(const Drawn& node, const Vector& young) {
    input_ = young;
    append(input_, mean_of(node.others, nets_.rise.size()));
    const Vector wish = ask(nets_.wish);
    std::vector<std::size_t> candidates;
    Vector scores;
    const std::size_t grandparent = nodes_[node.parent].parent;
    for (std::size_t other = 1; other < begin_; ++other) {
        if (other == node.parent || std::ranges::find(node.others, other) != node.others.end()) continue;
        const Drawn& of = nodes_[other];
        input_ = wish;
        append(input_, height(other));
        append(input_, std::array{root(layer_ - of.layer, size_scale), layer_ - of.layer == 1 ? 1.0 : 0.0,
                                  root(of.kids, size_scale), root(of.extra_kids, 1.0),
                                  other == grandparent ? 1.0 : 0.0, of.parent == grandparent ? 1.0 : 0.0});
        scores.push_back(ask(nets_.partner).front());
        candidates.push_back(other);
    }
    return candidates[draw_softmax(scores, random_)];
}

/// \param in_layer  number of additional parents of the earlier nodes in the layer
void LayerDrawing::draw_others(std::size_t node, std::size_t in_layer) {
    const std::size_t parent = nodes_[node].parent;
    const auto own = word(nodes_[node].label);
    input_.assign(own.begin(), own.end());
    append(input_, height(parent));
    append(input_, over(kids_[parent - above_], nodes_[parent].kids));
    append(input_, state_);
    append(input_, std::array{root(in_layer, 1.0), root(left_of(aim_.extras, extras_), extras_scale),
                              root(nodes_.size() - node, size_scale)});
    const Vector young = ask(nets_.child);
    input_ = young;
    // All nodes except the root node and the parent are candidates.
    const Vector& scores = ask(nets_.count);
    const std::size_t count =
        draw_softmax(std::span{scores}.first(std::min(scores.size(), begin_ - 1)), random_);
    for (std::size_t i = 0; i < count; ++i) nodes_[node].others.push_back(draw_other(nodes_[node], young));
    for (const std::size_t other : nodes_[node].others) ++nodes_[other].extra_kids;
    extras_ += count;
}

/// Computes the embeddings of the nodes from `begin` on, from their operators, their parents and their
/// siblings.
void LayerDrawing::rise(std::size_t begin) {
    for (std::size_t node = begin; node < nodes_.size(); ++node) {
        const auto own = word(nodes_[node].label);
        nodes_[node].heights.assign(1, Vector(own.begin(), own.end()));
    }
    const Vector nothing(nets_.width, 0.0);
    for (std::size_t round = 0; round < nets_.rise.size(); ++round) {
        std::vector<Vector> beside(begin - above_, nothing);
        for (std::size_t node = begin; node < nodes_.size() && node > 0; ++node)
            add_to(beside[nodes_[node].parent - above_], nodes_[node].heights[round]);
        for (std::size_t node = begin; node < nodes_.size(); ++node) {
            const Drawn& of = nodes_[node];
            input_ = of.heights[round];
            append(input_, node == 0 ? nothing : nodes_[of.parent].heights[round]);
            append(input_, node == 0 ? nothing : over(beside[of.parent - above_], nodes_[of.parent].kids));
            append(input_, mean_of(of.others, round));
            Vector next = of.heights[round];
            add_to(next, ask(nets_.rise[round]));
            nodes_[node].heights.push_back(std::move(next));
        }
    }
}

void LayerDrawing::finish_layer() {
    rise(begin_);
    for (std::size_t node = begin_; node < nodes_.size(); ++node) add_to(sum_, height(node));
    above_ = begin_;
    begin_ = nodes_.size();
    ++layer_;
}

void LayerDrawing::draw_layer() {
    state_ = state();
    draw_nodes(draw_size());
    const std::size_t before = extras_;
    if (layer_ > 0)
        for (std::size_t node = begin_; node < nodes_.size(); ++node) draw_others(node, extras_ - before);
    finish_layer();
}

SmallGraph LayerDrawing::run() {
    SmallGraph graph;
    while (layer_ < aim_.layers) {
        graph.layer_begin.push_back(static_cast<std::uint32_t>(begin_ - 1));
        graph.repeats.push_back(1);
        draw_layer();
    }
    graph.layer_begin.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
    for (std::size_t n = 1; n < nodes_.size(); ++n) {
        Node node{static_cast<std::uint16_t>(nodes_[n].label), {}, {}};
        if (nodes_[n].parent > 0) node.parents.push_back(static_cast<std::uint32_t>(nodes_[n].parent - 1));
        for (const std::size_t other : nodes_[n].others)
            node.parents.push_back(static_cast<std::uint32_t>(other - 1));
        std::ranges::sort(node.parents);
        graph.nodes.push_back(std::move(node));
    }
    return graph;
}

}  // namespace dse::synth
