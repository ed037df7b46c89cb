#include "dse/sim/fold/region_listing.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/graph/referenced_value.hpp"

namespace dse::sim::fold {
namespace {

using graph::Item;
using graph::ValueRef;

Flow flow_of(ValueRef value, std::span<const Flow> ports, const std::vector<std::size_t>& first_of,
             const std::vector<Flow>& values) {
    return graph::referenced_value<Flow>(value, ports, first_of, values, {});
}

/// A region that begins with a kernel that waits for ports only is entered when the last of them is there.
/// \return which input that is: a port, or the compute stream
std::size_t first_awaited(const EntryUse& use, std::size_t streams, std::span<const double> inputs) {
    std::size_t last = graph::compute_stream.index();
    if (!use.begins_with_ports) return last;
    for (std::size_t i = 0; i < use.first_port_count; ++i) {
        const std::size_t port = streams + use.first_ports[i];
        if (inputs[port] > inputs[last]) last = port;
    }
    return last;
}

}  // namespace

void RegionListings::reset(const graph::Graph& graph, const Durations& durations, const RegionTable& table) {
    graph_ = &graph;
    durations_ = &durations;
    table_ = &table;
    uses_.reset(graph, durations, table);
    if (slots_.size() < table.slots()) slots_.resize(table.slots());
    if (frames_.size() < graph.regions.size() + 1) frames_.resize(graph.regions.size() + 1);
}

RegionListings::Entered RegionListings::enter(graph::RegionId region, std::uint32_t program,
                                              std::span<const double> inputs) {
    const EntryUse& use = uses_.of(region, program);
    const std::size_t compute = first_awaited(use, graph_->streams.size(), inputs);
    const double base = inputs[compute];
    make_key(use, base, inputs);
    Slot& slot = slots_[table_->slot(region, program)];
    if (slot.kept.empty()) slot.kept.resize(capacity);
    if (slot.since != use.since) slot.count = 0;
    slot.since = use.since;
    const std::size_t oldest = slot.count > capacity ? slot.count - capacity : 0;
    for (std::size_t number = slot.count; number-- > oldest;) {
        Kept& kept = slot.kept[number % capacity];
        if (kept.key == key_) return {&kept.listing, base, compute};
    }
    Kept& kept = slot.kept[slot.count++ % capacity];
    kept.key = key_;
    list(region, program, kept);
    return {&kept.listing, base, compute};
}

/// Without what cannot be the last arrival of any node.
void RegionListings::make_key(const EntryUse& use, double base, std::span<const double> inputs) {
    const std::size_t streams = graph_->streams.size();
    const auto add = [this, base](double time, bool is_used, bool may_start_early) {
        const bool matters = is_used && (may_start_early || time >= base);
        key_.push_back(matters ? time - base : absent);
    };
    key_.clear();
    key_.push_back(0.0);
    for (std::size_t s = 1; s < streams; ++s)
        add(inputs[s], (use.used_streams & bit(s)) != 0, (use.early_streams & bit(s)) != 0);
    for (std::size_t p = 0; p + streams < inputs.size(); ++p)
        add(inputs[streams + p], (use.used_ports & bit(p)) != 0, (use.early_ports & bit(p)) != 0);
}

void RegionListings::list(graph::RegionId region, std::uint32_t program, Kept& kept) {
    RegionListing& listing = kept.listing;
    const std::size_t streams = graph_->streams.size();
    listing.nodes.clear();
    listing.streams.clear();
    ports_.clear();
    for (std::size_t i = 0; i < kept.key.size(); ++i)
        (i < streams ? listing.streams : ports_).push_back({kept.key[i], Origin::input(i)});
    const graph::Region& listed = graph_->regions[region.index()];
    list_items(listed, program, 0, ports_, listing.outputs, listing);
    listing.chains.assign(streams + listing.outputs.size(), {});
}

void RegionListings::list_items(const graph::Region& region, std::uint32_t program, std::size_t depth,
                                std::span<const Flow> ports, std::vector<Flow>& outputs,
                                RegionListing& listing) {
    Frame& frame = frames_[depth];
    frame.first_value_of.clear();
    frame.values.clear();
    for (const Item& item : region.items) {
        frame.first_value_of.push_back(frame.values.size());
        if (item.kind == Item::Kind::node) {
            list_node(item, ports, frame, listing);
            continue;
        }
        frame.ports.clear();
        for (const ValueRef input : item.inputs)
            frame.ports.push_back(flow_of(input, ports, frame.first_value_of, frame.values));
        for (std::int64_t left = graph_->programs[program].counts[item.count.index()]; left > 0; --left) {
            const graph::Region& body = graph_->regions[item.body.index()];
            list_items(body, program, depth + 1, frame.ports, frame.outputs, listing);
            frame.ports.swap(frame.outputs);
        }
        frame.values.insert(frame.values.end(), frame.ports.begin(), frame.ports.end());
    }
    outputs.clear();
    for (const ValueRef output : region.outputs)
        outputs.push_back(flow_of(output, ports, frame.first_value_of, frame.values));
}

void RegionListings::list_node(const Item& item, std::span<const Flow> ports, Frame& frame,
                               RegionListing& listing) const {
    const NodeTime& time = durations_->of_work[item.work.index()];
    const double hold = hold_of(time, item.stream);
    Flow& stream = listing.streams[item.stream.index()];
    Flow& compute = listing.streams[graph::compute_stream.index()];
    Flow last = stream;
    for (const ValueRef input : item.inputs) {
        const Flow value = flow_of(input, ports, frame.first_value_of, frame.values);
        if (value.time > last.time) last = value;
    }
    if (hold > 0 && compute.time > last.time) last = compute;
    const Origin node = Origin::node(listing.nodes.size());
    listing.nodes.push_back({item.work, last.time, last.from});
    frame.values.push_back({last.time + time.visible, node});
    stream = {last.time + time.duration, node};
    if (hold > 0) compute = {last.time + hold, node};
}

const RegionListing::Chain& RegionListings::chain(RegionListing& listing, std::size_t exit) const {
    RegionListing::Chain& chain = listing.chains[exit];
    if (chain.built) return chain;
    const std::size_t streams = listing.streams.size();
    Origin who = (exit < streams ? listing.streams[exit] : listing.outputs[exit - streams]).from;
    DSE_EXPECT(who.is_node());
    chain = {};
    chain.built = true;
    const RegionListing::Node* node = &listing.nodes[who.number()];
    for (; node->last.is_node(); node = &listing.nodes[node->last.number()]) {
        const RegionListing::Node& before = listing.nodes[node->last.number()];
        chain.parts.charge_run(graph_->works[before.work.index()], node->start - before.start);
    }
    chain.start = node->start;
    chain.before = node->last;
    return chain;
}

}  // namespace dse::sim::fold
