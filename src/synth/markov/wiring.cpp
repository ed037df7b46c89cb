#include "wiring.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <nlohmann/json.hpp>

namespace dse::synth {
namespace {

constexpr std::int64_t nobody = 0xffff;  ///< in place of a missing parent's label
constexpr std::int64_t eighths_along = 8;
constexpr std::uint32_t deep = 3;  ///< larger heights share a context

/// An additional parent: its label, and its distance in layers.
struct Partner {
    static constexpr std::int32_t farthest = 63;
    std::int32_t label{0};
    std::int32_t distance{1};  ///< at most `farthest`, which also stands for larger distances

    [[nodiscard]] std::int32_t packed() const { return label * (farthest + 1) + distance; }
    static Partner unpacked(std::int32_t number) {
        return {number / (farthest + 1), number % (farthest + 1)};
    }
};

/// The primary parent of a node: its first parent in the previous layer. \pre not a node of the first layer
std::uint32_t primary_parent(const SmallGraph& graph, std::uint32_t node, std::uint32_t layer) {
    const auto& parents = graph.nodes[node].parents;
    return *std::lower_bound(parents.begin(), parents.end(), graph.layer_begin[layer - 1]);
}

/// Class of a height in contexts.
std::uint32_t class_of(std::uint32_t height) {
    return std::min(height, deep);
}

/// Position in the tree: labels of parent and grandparent, and the parent's height.
struct Above {
    std::int64_t label{nobody};
    std::int64_t two{nobody};
    std::uint32_t height{deep};
};

/// Contexts from the narrowest to the widest.
/// \param shape  of the graph, >= 1
/// \param small  < 8
struct Contexts {
    std::array<Context, 5> all;
    Contexts(std::int64_t shape, std::int64_t small, std::int64_t label, std::int64_t next)
        : all{context({8 * shape + small, label, next}), context({8 * shape + small, label}),
              context({small, label, next}), context({small, label}), context({small})} {}
};

std::int64_t flags_of(std::uint32_t height, bool new_count) {
    return class_of(height) + (new_count ? deep + 1 : 0);
}

template <class List>
void learn_all(Table& table, const List& contexts, std::int64_t value) {
    for (const Context at : contexts) table.add(at, static_cast<std::int32_t>(value));
}

/// Contexts of the tables of extras and partners.
std::array<Context, 3> pair_contexts(std::int64_t shape, std::int64_t label, std::int64_t above) {
    return {context({shape, label, above}), context({label, above}), context({label})};
}

std::array<Context, 3> repeat_contexts(std::int64_t before, std::int64_t spine, std::size_t layer,
                                       std::size_t layers) {
    const std::int64_t eighth =
        static_cast<std::int64_t>(layer) * eighths_along / static_cast<std::int64_t>(layers);
    return {context({before, spine, eighth}), context({before, spine}), context({before})};
}

/// A graph to learn from, with derived quantities.
struct Lesson {
    explicit Lesson(const SmallGraph& of)
        : graph{of},
          layer{of.layer_of()},
          primary(of.nodes.size()),
          children(of.nodes.size(), 0),
          height(of.nodes.size(), 0),
          heir(of.nodes.size(), none) {
        for (auto n = static_cast<std::uint32_t>(of.nodes.size()); n-- > 0;) {
            if (layer[n] == 0) continue;
            primary[n] = primary_parent(of, n, layer[n]);
            ++children[primary[n]];
            if (height[n] + 1 <= height[primary[n]]) continue;
            height[primary[n]] = height[n] + 1;
            heir[primary[n]] = n;
        }
        for (std::uint32_t n = 0; n < of.layer_begin[1]; ++n)
            if (height[n] > height[first_heir]) first_heir = n;
    }
    [[nodiscard]] bool is_heir(std::uint32_t node) const {
        return node == (layer[node] == 0 ? first_heir : heir[primary[node]]);
    }
    [[nodiscard]] Above above(std::uint32_t node) const {
        if (layer[node] == 0) return {};
        const std::uint32_t parent = primary[node];
        const std::int64_t two = layer[parent] == 0 ? nobody : graph.nodes[primary[parent]].label;
        return {graph.nodes[parent].label, two, height[parent]};
    }
    /// Label of the node in a layer with the deepest subtree.
    [[nodiscard]] std::int64_t spine(std::size_t in) const {
        std::uint32_t found = graph.layer_begin[in];
        for (std::uint32_t n = found; n < graph.layer_begin[in + 1]; ++n)
            if (height[n] > height[found]) found = n;
        return graph.nodes[found].label;
    }

    static constexpr std::uint32_t none = ~std::uint32_t{0};
    const SmallGraph& graph;
    std::vector<std::uint32_t> layer;
    std::vector<std::uint32_t> primary;
    std::vector<std::uint32_t> children;  ///< by node: number of nodes whose primary parent it is
    std::vector<std::uint32_t> height;    ///< by node: number of layers below it in its subtree
    std::vector<std::uint32_t> heir;      ///< by node: its highest child
    std::uint32_t first_heir{0};          ///< highest node of the first layer
};

}  // namespace

void Wiring::learn(const SmallGraph& graph) {
    const Lesson lesson{graph};
    const std::int64_t shape = 1 + shape_of({graph.layers(), graph.nodes.size()});
    learn_all(roots_, std::array{context({shape}), context({})},
              static_cast<std::int64_t>(graph.layer_size(0)));
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        const std::uint32_t layer = lesson.layer[n];
        const std::int64_t label = graph.nodes[n].label;
        const Above above = lesson.above(n);
        const std::uint32_t height = lesson.height[n];
        const bool new_count = layer > 0 && graph.repeats[layer] != graph.repeats[layer - 1];
        learn_all(labels_, Contexts{shape, flags_of(height, new_count), above.label, above.two}.all, label);
        if (!lesson.is_heir(n))
            learn_all(heights_, Contexts{shape, class_of(above.height), above.label, above.two}.all, height);
        if (height > 0)
            learn_all(children_, Contexts{shape, class_of(height), label, above.label}.all,
                      lesson.children[n]);
        if (layer == 0) continue;
        const auto pairs = pair_contexts(shape, label, above.label);
        learn_all(extras_, pairs, static_cast<std::int64_t>(graph.nodes[n].parents.size()) - 1);
        for (const std::uint32_t parent : graph.nodes[n].parents) {
            if (parent == lesson.primary[n]) continue;
            const auto distance = static_cast<std::int32_t>(layer - lesson.layer[parent]);
            const Partner partner{graph.nodes[parent].label, std::min(distance, Partner::farthest)};
            learn_all(partners_, pairs, partner.packed());
        }
    }
    for (std::size_t layer = 0; layer < graph.layers(); ++layer) {
        const std::int64_t before = layer == 0 ? 0 : graph.repeats[layer - 1];
        const std::int64_t spine = layer == 0 ? nobody : lesson.spine(layer - 1);
        learn_all(repeats_, repeat_contexts(before, spine, layer, graph.layers()), graph.repeats[layer]);
    }
}

/// Draws one graph.
class Weaver {
  public:
    Weaver(const Wiring& tables, const Outline& outline, Random& random)
        : tables_{tables}, layers_{outline.layers}, random_{random}, shape_{1 + shape_of(outline)} {}

    SmallGraph run() {
        for (std::size_t layer = 0; layer < layers_; ++layer) {
            add_layer(layer, layer == 0 ? first_slots() : slots_below(layer - 1));
        }
        graph_.layer_begin.push_back(static_cast<std::uint32_t>(graph_.nodes.size()));
        return std::move(graph_);
    }

  private:
    /// A node to be drawn: its parent and its height.
    struct Slot {
        std::int64_t parent{-1};
        std::uint32_t height{0};
    };
    template <std::size_t n>
    [[nodiscard]] std::int32_t draw(const Table& table, const std::array<Context, n>& contexts,
                                    std::int32_t otherwise) const {
        return table.draw(random_, contexts, otherwise);
    }
    [[nodiscard]] Above above(std::int64_t parent) const;
    [[nodiscard]] std::vector<Slot> first_slots() const;
    [[nodiscard]] std::vector<Slot> slots_below(std::size_t layer) const;
    void add_slots(std::int64_t parent, std::size_t count, std::uint32_t highest,
                   std::vector<Slot>& slots) const;
    void add_layer(std::size_t layer, const std::vector<Slot>& slots);
    [[nodiscard]] std::int64_t draw_repeats(std::size_t layer) const;
    void add_extras(Node& node, std::size_t layer);
    [[nodiscard]] std::optional<std::uint32_t> find(const Node& node, Partner wanted,
                                                    std::size_t layer) const;
    [[nodiscard]] std::optional<std::uint32_t> one_of(const Node& node, std::int32_t label,
                                                      std::size_t layer) const;

    const Wiring& tables_;
    std::size_t layers_;
    Random& random_;
    std::int64_t shape_;
    SmallGraph graph_;
    std::vector<Slot> placed_;  ///< by node
    std::size_t spine_{0};      ///< last node drawn whose subtree reaches down to the last layer
};

Above Weaver::above(std::int64_t parent) const {
    if (parent < 0) return {};
    const auto at = static_cast<std::size_t>(parent);
    const std::int64_t two = placed_[at].parent;
    return {graph_.nodes[at].label, two < 0 ? nobody : graph_.nodes[static_cast<std::size_t>(two)].label,
            placed_[at].height};
}

std::vector<Weaver::Slot> Weaver::first_slots() const {
    std::vector<Slot> slots;
    const std::int32_t count = draw(tables_.roots_, std::array{context({shape_}), context({})}, 1);
    add_slots(-1, static_cast<std::size_t>(count), static_cast<std::uint32_t>(layers_ - 1), slots);
    return slots;
}

std::vector<Weaver::Slot> Weaver::slots_below(std::size_t layer) const {
    std::vector<Slot> slots;
    for (std::size_t n = graph_.layer_begin[layer]; n < graph_.nodes.size(); ++n) {
        if (placed_[n].height == 0) continue;
        const Contexts at{shape_, class_of(placed_[n].height), graph_.nodes[n].label,
                          above(placed_[n].parent).label};
        const auto count = static_cast<std::size_t>(draw(tables_.children_, at.all, 1));
        add_slots(static_cast<std::int64_t>(n), count, placed_[n].height - 1, slots);
    }
    return slots;
}

/// Adds slots for the children of a node. A random one of them, the heir, gets the height `highest`.
void Weaver::add_slots(std::int64_t parent, std::size_t count, std::uint32_t highest,
                       std::vector<Slot>& slots) const {
    const Above over = above(parent);
    const Contexts at{shape_, class_of(over.height), over.label, over.two};
    const Histogram* heights = tables_.heights_.find(at.all);
    const auto fits = [&](std::int32_t height) { return height <= static_cast<std::int32_t>(highest); };
    const std::size_t heir = random_.below(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t drawn = heights == nullptr ? 0 : heights->draw_if(random_, fits, 0);
        slots.push_back({parent, i == heir ? highest : static_cast<std::uint32_t>(drawn)});
    }
}

std::int64_t Weaver::draw_repeats(std::size_t layer) const {
    const std::int64_t before = layer == 0 ? 0 : graph_.repeats.back();
    const std::int64_t spine = layer == 0 ? nobody : graph_.nodes[spine_].label;
    return draw(tables_.repeats_, repeat_contexts(before, spine, layer, layers_),
                static_cast<std::int32_t>(std::max<std::int64_t>(before, 1)));
}

void Weaver::add_layer(std::size_t layer, const std::vector<Slot>& slots) {
    const std::int64_t repeats = draw_repeats(layer);
    const bool new_count = layer > 0 && repeats != graph_.repeats.back();
    const auto begin = static_cast<std::uint32_t>(graph_.nodes.size());
    graph_.layer_begin.push_back(begin);
    graph_.repeats.push_back(repeats);
    for (const Slot& slot : slots) {
        const Above over = above(slot.parent);
        const Contexts same{shape_, flags_of(slot.height, false), over.label, over.two};
        const Contexts at{shape_, flags_of(slot.height, new_count), over.label, over.two};
        Node node;
        const Histogram* found = tables_.labels_.find(at.all);
        if (found == nullptr) found = tables_.labels_.find(same.all);
        if (found != nullptr) node.label = static_cast<std::uint16_t>(found->draw(random_));
        if (slot.parent >= 0) {
            node.parents = {static_cast<std::uint32_t>(slot.parent)};
            add_extras(node, layer);
        }
        if (slot.height + layer + 1 == layers_) spine_ = graph_.nodes.size();
        graph_.nodes.push_back(std::move(node));
        placed_.push_back(slot);
    }
}

void Weaver::add_extras(Node& node, std::size_t layer) {
    constexpr int tries = 6;
    const std::int64_t above = graph_.nodes[node.parents.front()].label;
    const auto pairs = pair_contexts(shape_, node.label, above);
    const std::int32_t extras = draw(tables_.extras_, pairs, 0);
    for (std::int32_t e = 0; e < extras; ++e) {
        for (int i = 0; i < tries; ++i) {
            const std::int32_t drawn = draw(tables_.partners_, pairs, -1);
            if (drawn < 0) break;
            const auto found = find(node, Partner::unpacked(drawn), layer);
            if (!found) continue;
            node.parents.insert(std::lower_bound(node.parents.begin(), node.parents.end(), *found), *found);
            break;
        }
    }
}

/// Finds a node with the partner's label at its distance, or else at the nearest distance that has one.
std::optional<std::uint32_t> Weaver::find(const Node& node, Partner wanted, std::size_t layer) const {
    const auto distance = static_cast<std::size_t>(std::max(wanted.distance, 1));
    for (std::size_t off = 0; off < layer; ++off) {
        for (const std::size_t at : {distance + off, distance - std::min(off, distance - 1)}) {
            if (at > layer) continue;
            if (const auto found = one_of(node, wanted.label, layer - at)) return found;
        }
    }
    return std::nullopt;
}

std::optional<std::uint32_t> Weaver::one_of(const Node& node, std::int32_t label, std::size_t layer) const {
    std::vector<std::uint32_t> free;
    for (std::uint32_t n = graph_.layer_begin[layer]; n < graph_.layer_begin[layer + 1]; ++n) {
        if (graph_.nodes[n].label == label &&
            !std::binary_search(node.parents.begin(), node.parents.end(), n))
            free.push_back(n);
    }
    if (free.empty()) return std::nullopt;
    return free[random_.below(free.size())];
}

SmallGraph Wiring::draw(const Outline& outline, Random& random) const {
    // The tree does not control its total number of nodes: of several draws, the nearest is kept.
    constexpr int tries = 4;
    constexpr std::size_t near_enough = 16;  // tolerance: 1/16 of the nodes
    SmallGraph best;
    for (int i = 0; i < tries; ++i) {
        SmallGraph graph = Weaver{*this, outline, random}.run();
        const auto off = [&](const SmallGraph& of) {
            return std::max(of.nodes.size(), outline.nodes) - std::min(of.nodes.size(), outline.nodes);
        };
        if (i == 0 || off(graph) < off(best)) best = std::move(graph);
        if (off(best) * near_enough <= outline.nodes) break;
    }
    return best;
}

nlohmann::json Wiring::to_json() const {
    return {{"roots", roots_.to_json()},     {"labels", labels_.to_json()},
            {"heights", heights_.to_json()}, {"children", children_.to_json()},
            {"extras", extras_.to_json()},   {"partners", partners_.to_json()},
            {"repeats", repeats_.to_json()}};
}

Wiring Wiring::from_json(const nlohmann::json& json, std::size_t labels) {
    const auto last = static_cast<std::int64_t>(labels) - 1;
    Wiring wiring;
    wiring.roots_ = Table::from_json(json.at("roots"), 1, most_nodes);
    wiring.labels_ = Table::from_json(json.at("labels"), 0, last);
    wiring.heights_ = Table::from_json(json.at("heights"), 0, most_nodes);
    wiring.children_ = Table::from_json(json.at("children"), 1, most_nodes);
    wiring.extras_ = Table::from_json(json.at("extras"), 0, most_nodes);
    wiring.partners_ = Table::from_json(json.at("partners"), 0, (last + 1) * (Partner::farthest + 1) - 1);
    wiring.repeats_ = Table::from_json(json.at("repeats"), 1);
    return wiring;
}

}  // namespace dse::synth
