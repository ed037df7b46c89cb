#include "dse/netsim/flow/fluid_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/time_quantum.hpp"

namespace dse::netsim::flow {
namespace {

/// Rounds to the nearest whole quantum. Above 2^12 s doubles are coarser than a quantum anyway.
double whole_quanta(double seconds) {
    return std::rint(seconds / time_quantum) * time_quantum;
}

}  // namespace

FluidNetwork::FluidNetwork(const LinkGraph& graph) : links_(graph.links().size()) {
    for (std::size_t i = 0; i < links_.size(); ++i) links_[i].capacity = graph.links()[i].capacity.value();
}

std::uint32_t FluidNetwork::take_crossings(std::size_t hops) {
    if (hops >= free_crossings_.size()) free_crossings_.resize(hops + 1);
    std::vector<std::uint32_t>& free = free_crossings_[hops];
    if (!free.empty()) {
        const std::uint32_t first = free.back();
        free.pop_back();
        return first;
    }
    const auto first = static_cast<std::uint32_t>(crossings_.size());
    crossings_.resize(crossings_.size() + hops);
    return first;
}

FlowId FluidNetwork::add(std::span<const LinkId> route, Bytes size, Seconds delay, double count) {
    DSE_EXPECT(!route.empty() && size > Bytes{} && delay >= Seconds{} && count > 0.0);
    if (free_flows_.empty()) {
        free_flows_.push_back(static_cast<std::uint32_t>(flows_.size()));
        flows_.emplace_back();
    }
    const std::uint32_t id = free_flows_.back();
    free_flows_.pop_back();
    Flow& flow = flows_[id];
    flow.remaining = size.value();
    flow.rate = 0.0;
    flow.count = count;
    flow.first = take_crossings(route.size());
    flow.hops = static_cast<std::uint32_t>(route.size());
    flow.entered = false;
    const std::span<Crossing> all = crossings(flow);
    for (std::size_t hop = 0; hop < route.size(); ++hop) {
        all[hop].link = static_cast<std::uint32_t>(route[hop].index());
        links_[all[hop].link].assigned += count;
    }
    if (delay == Seconds{}) {
        enter(id);
    } else {
        events_.set(id, whole_quanta(now_ + delay.value()));
    }
    return FlowId{id};
}

void FluidNetwork::enter(std::uint32_t id) {
    Flow& flow = flows_[id];
    flow.entered = true;
    flow.since = now_;
    const std::span<Crossing> all = crossings(flow);
    for (std::uint32_t hop = 0; hop < flow.hops; ++hop) {
        SharedLink& link = links_[all[hop].link];
        all[hop].place = static_cast<std::uint32_t>(link.users.size());
        link.users.push_back({id, hop});
        touch(all[hop].link);
    }
}

void FluidNetwork::leave(std::uint32_t id) {
    Flow& flow = flows_[id];
    for (const Crossing& crossing : crossings(flow)) {
        SharedLink& link = links_[crossing.link];
        link.assigned -= flow.count;
        if (!flow.entered) continue;
        const User moved = link.users.back();
        link.users[crossing.place] = moved;
        crossings_[flows_[moved.flow].first + moved.hop].place = crossing.place;
        link.users.pop_back();
        touch(crossing.link);
    }
    if (events_.contains(id)) events_.erase(id);
    free_crossings_[flow.hops].push_back(flow.first);
    flow.hops = 0;
    free_flows_.push_back(id);
}

void FluidNetwork::touch(std::uint32_t link) {
    if (links_[link].changed) return;
    links_[link].changed = true;
    changed_links_.push_back(link);
}

void FluidNetwork::remove(FlowId flow) {
    leave(static_cast<std::uint32_t>(flow.index()));
}

double FluidNetwork::next_time() {
    solve();
    return events_.empty() ? std::numeric_limits<double>::infinity() : events_.next_time();
}

BytesPerSecond FluidNetwork::rate(FlowId flow) {
    solve();
    return BytesPerSecond{flows_[flow.index()].rate};
}

std::span<const FlowId> FluidNetwork::advance(double time) {
    DSE_EXPECT(time >= now_);
    solve();
    DSE_EXPECT(events_.empty() || time <= events_.next_time());
    now_ = time;
    ended_.clear();
    while (!events_.empty() && events_.next_time() <= now_) {
        const auto id = static_cast<std::uint32_t>(events_.top().number);
        if (flows_[id].entered) {
            leave(id);
            ended_.push_back(FlowId{id});
        } else {
            events_.erase(id);
            enter(id);
        }
    }
    return ended_;
}

void FluidNetwork::restart() {
    DSE_REQUIRE(free_flows_.size() == flows_.size());
    now_ = 0.0;
}

void FluidNetwork::solve() {
    if (changed_links_.empty()) return;
    collect_component();
    fill_component();
    schedule();
    rates_solved_ += component_flows_.size();
}

void FluidNetwork::collect_component() {
    ++mark_;
    component_links_.clear();
    component_flows_.clear();
    const auto reach = [this](std::uint32_t index) {
        SharedLink& link = links_[index];
        if (link.seen == mark_) return;
        link.seen = mark_;
        link.left = link.capacity;
        link.waiting = 0.0;
        component_links_.push_back(index);
    };
    for (const std::uint32_t link : changed_links_) {
        links_[link].changed = false;
        reach(link);
    }
    changed_links_.clear();
    for (std::size_t next = 0; next < component_links_.size(); ++next) {
        const std::uint32_t index = component_links_[next];
        for (const User& user : links_[index].users) {
            Flow& flow = flows_[user.flow];
            links_[index].waiting += flow.count;
            if (flow.seen == mark_) continue;
            flow.seen = mark_;
            flow.frozen = false;
            component_flows_.push_back(user.flow);
            for (const Crossing& crossing : crossings(flow)) reach(crossing.link);
        }
    }
}

void FluidNetwork::fill_component() {
    const auto later = [](const Share& a, const Share& b) {
        return a.rate != b.rate ? a.rate > b.rate : a.link > b.link;
    };
    const auto share_of = [this](std::uint32_t link) { return links_[link].left / links_[link].waiting; };
    shares_.clear();
    for (const std::uint32_t link : component_links_) {
        if (links_[link].waiting > 0.0) shares_.push_back({share_of(link), link});
    }
    changed_flows_.clear();
    const auto unlike = [this](const Share& share) { return share.rate != shares_.front().rate; };
    if (std::ranges::none_of(shares_, unlike)) {
        // All links are saturated at once: a step of a ring, or all-to-all through a switch.
        for (const std::uint32_t flow : component_flows_) set_rate(flow, shares_.front().rate);
        return;
    }
    std::make_heap(shares_.begin(), shares_.end(), later);
    double level = 0.0;
    while (!shares_.empty()) {
        std::pop_heap(shares_.begin(), shares_.end(), later);
        Share& least = shares_.back();
        if (links_[least.link].waiting <= 0.0) {
            shares_.pop_back();
            continue;
        }
        // Flows frozen at lower rates since then leave at least as much bandwidth for the others, except for
        // rounding.
        const double share = std::max(level, share_of(least.link));
        if (share > least.rate) {
            least.rate = share;
            std::push_heap(shares_.begin(), shares_.end(), later);
            continue;
        }
        level = share;
        const std::uint32_t link = least.link;
        shares_.pop_back();
        freeze_users(link, level);
    }
}

void FluidNetwork::freeze_users(std::uint32_t link, double rate) {
    for (const User& user : links_[link].users) {
        Flow& flow = flows_[user.flow];
        if (flow.frozen) continue;
        flow.frozen = true;
        for (const Crossing& crossing : crossings(flow)) {
            SharedLink& crossed = links_[crossing.link];
            crossed.left -= rate * flow.count;
            crossed.waiting -= flow.count;
        }
        set_rate(user.flow, rate);
    }
}

void FluidNetwork::set_rate(std::uint32_t id, double rate) {
    Flow& flow = flows_[id];
    if (rate == flow.rate) return;
    flow.remaining = std::max(0.0, flow.remaining - flow.rate * (now_ - flow.since));
    flow.since = now_;
    flow.rate = rate;
    changed_flows_.push_back(id);
}

void FluidNetwork::schedule() {
    // Rebuilding the heap is linear, moving one event logarithmic.
    const bool most = changed_flows_.size() > events_.size() / 8;
    for (const std::uint32_t id : changed_flows_) {
        const Flow& flow = flows_[id];
        const double end = std::max(now_, whole_quanta(now_ + flow.remaining / flow.rate));
        if (!std::isfinite(end))
            throw ModelError(fmt::format("a transfer never ends: a link leaves it {:g} bytes/s", flow.rate));
        if (most) {
            events_.set_unordered(id, end);
        } else {
            events_.set(id, end);
        }
    }
    if (most) events_.restore();
}

}  // namespace dse::netsim::flow
