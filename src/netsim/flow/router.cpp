#include "dse/netsim/flow/router.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"

namespace dse::netsim::flow {
namespace {

constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

/// Upper bound on cached costs, over all fields: 64 MiB.
constexpr std::size_t most_costs = std::size_t{1} << 24U;

[[noreturn]] void refuse(const LinkGraph& graph, NodeId from, NodeId to) {
    throw ModelError(fmt::format("there is no way from {} to {} (which links are missing, or down?)",
                                 graph.node(from).name, graph.node(to).name));
}

}  // namespace

Router::Router(const LinkGraph& graph, hardware::PathChoice choice, std::uint64_t seed)
    : graph_{&graph},
      choice_{choice},
      seed_{seed},
      place_(graph.nodes().size(), nowhere),
      onwards_(graph.nodes().size()),
      back_(graph.nodes().size()) {
    for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
        if (graph.nodes()[n].kind != Node::Kind::endpoint) place_[n] = passing_++;
    }
    for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
        for (const LinkId id : graph.nodes()[n].outgoing) {
            if (passes_on(graph.link(id).to)) onwards_[n].push_back(id);
        }
        for (const LinkId id : graph.nodes()[n].incoming) {
            if (passes_on(graph.link(id).from)) back_[n].push_back(id);
        }
        // The switch of a domain only reaches the domain's devices: no detour.
        const auto is_hub = [&](LinkId link) {
            return graph.node(graph.link(link).to).kind == Node::Kind::hub;
        };
        const Node& node = graph.nodes()[n];
        if (node.kind == Node::Kind::hub && std::ranges::any_of(node.outgoing, is_hub)) hubs_.emplace_back(n);
    }
}

Router::Field& Router::field_of(NodeId to) {
    const auto found = fields_.find(to);
    if (found != fields_.end()) return found->second;
    if ((fields_.size() + 1) * passing_ > most_costs) fields_.clear();
    Field& field = fields_[to];
    field.cost.assign(passing_, unreachable);
    if (passes_on(to)) field.cost[place_[to.index()]] = 0;
    reach(to, 0, field);
    return field;
}

void Router::reach(NodeId node, std::uint32_t cost, Field& field) const {
    for (const LinkId id : back_[node.index()]) {
        const Link& link = graph_->link(id);
        const std::uint32_t way = cost + link.cost;
        std::uint32_t& known = field.cost[place_[link.from.index()]];
        if (way >= known) continue;
        known = way;
        field.border.emplace_back(way, static_cast<std::uint32_t>(link.from.index()));
        std::push_heap(field.border.begin(), field.border.end(), std::greater<>{});
    }
}

std::uint32_t Router::search(NodeId node, Field& field) const {
    const std::uint32_t& wanted = field.cost[place_[node.index()]];
    while (wanted > field.settled && !field.border.empty()) {
        std::pop_heap(field.border.begin(), field.border.end(), std::greater<>{});
        const auto [cost, index] = field.border.back();
        field.border.pop_back();
        field.settled = cost;
        if (cost == field.cost[place_[index]]) reach(NodeId{index}, cost, field);
    }
    return wanted;
}

LinkId Router::pick(std::uint64_t hash, const FluidNetwork* load) const {
    if (candidates_.size() == 1 || choice_ == hardware::PathChoice::first) return candidates_.front();
    if (choice_ != hardware::PathChoice::adaptive) return candidates_[hash % candidates_.size()];
    DSE_EXPECT(load != nullptr);
    const auto busy = [&](LinkId link) {
        return (load->messages_on(link) + 1.0) / graph_->link(link).capacity.value();
    };
    return *std::ranges::min_element(candidates_, {}, busy);
}

std::uint32_t Router::cost_from(NodeId from, NodeId to, Field& field) const {
    if (passes_on(from)) return search(from, field);
    std::uint32_t least = unreachable;
    for (const LinkId id : onwards_[from.index()]) {
        const Link& link = graph_->link(id);
        const std::uint32_t rest = search(link.to, field);
        if (rest != unreachable) least = std::min(least, rest + link.cost);
    }
    if (passes_on(to)) return least;
    // Devices that are joined directly need none between them that passes messages on.
    for (const LinkId id : graph_->node(to).incoming) {
        const Link& link = graph_->link(id);
        if (link.from == from) least = std::min(least, link.cost);
    }
    return least;
}

void Router::find_candidates(NodeId at, NodeId to, std::uint32_t left, const Field& field) {
    candidates_.clear();
    for (const LinkId id : onwards_[at.index()]) {
        const Link& link = graph_->link(id);
        if (link.cost <= left && field.cost[place_[link.to.index()]] == left - link.cost)
            candidates_.push_back(id);
    }
    if (passes_on(to)) return;
    for (const LinkId id : graph_->node(to).incoming) {
        const Link& link = graph_->link(id);
        if (link.from == at && link.cost == left) candidates_.push_back(id);
    }
}

void Router::walk(NodeId from, NodeId to, const FluidNetwork* load, std::uint64_t hash,
                  std::vector<LinkId>& links) {
    Field& field = field_of(to);
    std::uint32_t left = cost_from(from, to, field);
    if (left == unreachable) refuse(*graph_, from, to);
    for (NodeId at = from; at != to; at = graph_->link(links.back()).to) {
        find_candidates(at, to, left, field);
        DSE_ASSERT(!candidates_.empty());
        links.push_back(pick(hash, load));
        left -= graph_->link(links.back()).cost;
        // Consecutive switches must not hash alike, or the later ones would use only a part of their links.
        hash = seed_of(hash, at.index());
    }
}

std::uint32_t Router::group_of(NodeId node) const {
    for (const LinkId link : graph_->node(node).outgoing) {
        const NodeId next = graph_->link(link).to;
        if (std::ranges::binary_search(hubs_, next)) return graph_->node(next).group;
    }
    return graph_->node(node).group;
}

NodeId Router::detour(NodeId from, NodeId to, std::uint64_t hash) {
    const std::uint32_t from_group = group_of(from);
    const std::uint32_t to_group = group_of(to);
    if (from_group == to_group) return to;
    candidates_.clear();
    for (std::size_t tries = 0; tries < 64; ++tries) {
        hash = seed_of(hash, tries);
        const NodeId hub = hubs_[hash % hubs_.size()];
        const std::uint32_t group = graph_->node(hub).group;
        if (group != from_group && group != to_group) return hub;
    }
    return to;
}

void Router::route(NodeId from, NodeId to, const FluidNetwork* load, std::vector<LinkId>& links) {
    if (from == to) return;
    const std::uint64_t hash = seed_of(seed_of(seed_, from.index()), to.index());
    if (choice_ == hardware::PathChoice::valiant && hubs_.size() > 1) {
        const NodeId over = detour(from, to, hash);
        if (over != to) {
            walk(from, over, load, hash, links);
            walk(over, to, load, hash, links);
            return;
        }
    }
    walk(from, to, load, hash, links);
}

}  // namespace dse::netsim::flow
