#include "dse/synth/instantiate.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"

namespace dse::synth {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::Item;
using graph::MeshAxis;
using graph::OpClass;
using graph::StreamId;
using graph::ValueRef;

constexpr std::array<const char*, 6> stream_names{"compute", "near", "far", "ring", "copies", "host"};
constexpr std::size_t near_stream = 1;
constexpr std::size_t far_stream = 2;
constexpr std::size_t ring_stream = 3;
constexpr std::size_t copy_stream = 4;

/// Mesh with near as the innermost axis and ring as the outermost.
graph::Mesh mesh_of(const Conditions& conditions) {
    graph::Mesh mesh;
    mesh.order = {MeshAxis::tensor,  MeshAxis::expert_tensor, MeshAxis::expert,  MeshAxis::data,
                  MeshAxis::context, MeshAxis::expert_data,   MeshAxis::replica, MeshAxis::pipeline};
    DSE_EXPECT(conditions.devices % (conditions.near * conditions.ring) == 0);
    mesh.set_degree(MeshAxis::tensor, conditions.near);
    mesh.set_degree(MeshAxis::context, conditions.ring);
    mesh.set_degree(MeshAxis::data, conditions.devices / (conditions.near * conditions.ring));
    mesh.set_degree(MeshAxis::expert_data, conditions.devices);
    return mesh;
}

OpClass op_class_of(const std::string& operation) {
    for (std::size_t i = 0; i < graph::op_class_count; ++i) {
        if (name(static_cast<OpClass>(i)) == operation) return static_cast<OpClass>(i);
    }
    return OpClass::elementwise;
}

/// A kernel with FLOPs runs on the matrix units if its operator is a matrix operator or unknown.
OpClass op_class_of(const Label& label, const Volumes& volumes) {
    const OpClass known = op_class_of(label.operation);
    const bool named = name(known) == label.operation;
    const bool heavy = volumes[static_cast<std::size_t>(Quantity::flops)] >
                       16 * volumes[static_cast<std::size_t>(Quantity::bytes)];
    return !named && heavy ? OpClass::gemm : known;
}

CollectiveKind collective_kind_of(const std::string& operation) {
    if (operation.starts_with("all_gather")) return CollectiveKind::all_gather;
    if (operation.starts_with("reduce_scatter")) return CollectiveKind::reduce_scatter;
    if (operation == "all_to_all") return CollectiveKind::all_to_all;
    if (operation == "broadcast" || operation == "scatter" || operation == "gather")
        return CollectiveKind::broadcast;
    return CollectiveKind::all_reduce;
}

AxisSet axes_of(Role role) {
    switch (role) {
        case Role::near:
            return MeshAxis::tensor;
        case Role::ring:
            return MeshAxis::context;
        case Role::all:
            return AxisSet{MeshAxis::tensor} | MeshAxis::context | MeshAxis::data;
        default:
            return MeshAxis::data;
    }
}

class Instance {
  public:
    Instance(const SmallGraph& small, const Vocabulary& labels, graph::Queues queues)
        : small_{small},
          labels_{labels},
          queues_{queues},
          layer_{small.layer_of()},
          value_(small.nodes.size()) {}

    graph::Graph run();

  private:
    /// Consecutive layers with equal repeats.
    struct Stretch {
        std::uint32_t begin{0};  ///< first node
        std::uint32_t end{0};    ///< one past the last
        std::int64_t times{1};
    };
    [[nodiscard]] std::vector<Stretch> stretches() const;
    void play(const Stretch& stretch);
    graph::Region body_of(const Stretch& stretch, std::vector<ValueRef>& inputs);
    void add_node(std::uint32_t node, graph::Region& region, const std::vector<ValueRef>& inputs);
    void add_receive(std::uint32_t node, graph::Region& region, std::vector<ValueRef> inputs);
    void finish();
    graph::Work work_of(const Node& node) const;
    graph::WorkId add(const graph::Work& work);
    graph::NameId name_of(std::uint16_t label);
    [[nodiscard]] StreamId stream_of(const Label& label) const;

    const SmallGraph& small_;
    const Vocabulary& labels_;
    graph::Queues queues_;
    std::vector<std::uint32_t> layer_;
    std::vector<ValueRef> value_;  ///< by node, in the current region
    std::deque<ValueRef> sent_;    ///< messages of the current region that no receive has waited for
    std::map<std::uint16_t, graph::NameId> names_;
    graph::Graph graph_;
    graph::Region entry_{"job", 1, {}, {ValueRef::none()}};
    std::vector<std::int64_t> counts_;
};

StreamId Instance::stream_of(const Label& label) const {
    if (label.kind != Kind::compute && queues_ == graph::Queues::one) return StreamId{near_stream};
    switch (label.kind) {
        case Kind::collective:
            return StreamId{label.role == Role::near ? near_stream : far_stream};
        case Kind::send:
        case Kind::receive:
            return StreamId{ring_stream};
        case Kind::load:
        case Kind::store:
            return StreamId{copy_stream};
        default:
            return graph::compute_stream;
    }
}

graph::Work Instance::work_of(const Node& node) const {
    const Label& label = labels_[node.label];
    const auto volume = [&](Quantity quantity) { return node.volumes[static_cast<std::size_t>(quantity)]; };
    const Bytes message{std::max(1.0, volume(Quantity::message))};
    switch (label.kind) {
        case Kind::send:
        case Kind::receive:
            return graph::Collective{CollectiveKind::ring_shift, MeshAxis::context, message};
        case Kind::load:
            return graph::Copy{Bytes{volume(Quantity::bytes)}, graph::CopyDirection::to_device};
        case Kind::store:
            return graph::Copy{Bytes{volume(Quantity::bytes)}, graph::CopyDirection::to_host};
        case Kind::collective: {
            const CollectiveKind kind = collective_kind_of(label.operation);
            const AxisSet axes = axes_of(label.role);
            // Traces state an all-gather's shard per rank, works its total size.
            const double ranks = static_cast<double>(graph_.mesh.degree(axes));
            return graph::Collective{kind, axes,
                                     kind == CollectiveKind::all_gather ? message * ranks : message};
        }
        case Kind::compute:
            break;
    }
    graph::Compute compute;
    compute.op_class = op_class_of(label, node.volumes);
    compute.model_flop = compute.executed_flop = Flop{volume(Quantity::flops)};
    compute.read = Bytes{std::max(1.0, volume(Quantity::bytes))};
    return compute;
}

graph::WorkId Instance::add(const graph::Work& work) {
    graph_.works.push_back(work);
    return graph::WorkId{graph_.works.size() - 1};
}

graph::NameId Instance::name_of(std::uint16_t label) {
    const auto [place, added] = names_.emplace(label, graph::NameId{graph_.names.size()});
    if (added) graph_.names.push_back(to_string(labels_[label]));
    return place->second;
}

std::vector<Instance::Stretch> Instance::stretches() const {
    std::vector<Stretch> all;
    for (std::size_t layer = 0; layer < small_.layers(); ++layer) {
        if (all.empty() || all.back().times != small_.repeats[layer])
            all.push_back({small_.layer_begin[layer], 0, small_.repeats[layer]});
        all.back().end = small_.layer_begin[layer + 1];
    }
    return all;
}

void Instance::add_receive(std::uint32_t node, graph::Region& region, std::vector<ValueRef> inputs) {
    if (!sent_.empty()) {
        // The message has arrived when the sender's end is complete; nothing else happens here.
        inputs.push_back(sent_.front());
        sent_.pop_front();
        region.items.push_back({});
        region.items.back().work = add(graph::Launch{0.0});
        region.items.back().stream = StreamId{stream_names.size() - 1};
    } else {
        region.items.push_back({});
        region.items.back().work = add(work_of(small_.nodes[node]));
        region.items.back().stream = stream_of(labels_[small_.nodes[node].label]);
    }
    region.items.back().inputs = std::move(inputs);
}

void Instance::add_node(std::uint32_t node, graph::Region& region, const std::vector<ValueRef>& inputs) {
    const Label& label = labels_[small_.nodes[node].label];
    if (label.kind == Kind::receive) {
        add_receive(node, region, inputs);
    } else {
        region.items.push_back({});
        region.items.back().work = add(work_of(small_.nodes[node]));
        region.items.back().stream = stream_of(label);
        region.items.back().inputs = inputs;
    }
    region.items.back().name = name_of(small_.nodes[node].label);
    value_[node] = ValueRef::item(region.items.size() - 1);
    if (label.kind == Kind::send) sent_.push_back(value_[node]);
}

/// The body of a stretch. Port 0 carries the last kernel of the previous iteration. Further ports carry each
/// node before the stretch that a node in it waits for, then each node that a later node waits for, as far as
/// ports are available: dependencies without a port follow from the order of the kernels.
graph::Region Instance::body_of(const Stretch& stretch, std::vector<ValueRef>& inputs) {
    graph::Region body{
        fmt::format("layers {}-{}", layer_[stretch.begin], layer_[stretch.end - 1]), 1, {}, {}};
    std::map<std::uint32_t, ValueRef> outside;
    constexpr std::size_t most_outside = graph::most_values / 2;
    for (std::uint32_t n = stretch.begin; n < stretch.end; ++n) {
        for (const std::uint32_t parent : small_.nodes[n].parents) {
            if (parent >= stretch.begin || outside.size() >= most_outside || outside.contains(parent))
                continue;
            outside.emplace(parent, ValueRef::port(body.ports++));
            inputs.push_back(value_[parent]);
        }
    }
    ValueRef last = ValueRef::port(0);
    for (std::uint32_t n = stretch.begin; n < stretch.end; ++n) {
        std::vector<ValueRef> waits;
        for (const std::uint32_t parent : small_.nodes[n].parents) {
            if (parent >= stretch.begin) waits.push_back(value_[parent]);
            if (const auto port = outside.find(parent); port != outside.end()) waits.push_back(port->second);
        }
        if (std::none_of(waits.begin(), waits.end(),
                         [](ValueRef ref) { return ref.source == ValueRef::Source::item; }))
            waits.push_back(ValueRef::port(0));
        add_node(n, body, waits);
        if (layer_[n] == layer_[stretch.end - 1]) last = value_[n];
    }
    body.outputs.push_back(last);
    for (std::uint16_t port = 1; port < body.ports; ++port) body.outputs.push_back(ValueRef::port(port));
    return body;
}

void Instance::play(const Stretch& stretch) {
    sent_.clear();
    std::vector<ValueRef> inputs{ValueRef::none()};
    graph::Region body = body_of(stretch, inputs);
    Item item;
    item.kind = Item::Kind::repeat;
    // Values that later nodes wait for get ports of their own, which initially hold no value.
    std::vector<std::pair<std::uint32_t, std::uint16_t>> wanted;
    for (std::uint32_t n = stretch.end; n < small_.nodes.size(); ++n) {
        for (const std::uint32_t parent : small_.nodes[n].parents) {
            const bool inside = parent >= stretch.begin && parent < stretch.end;
            const bool known = std::any_of(wanted.begin(), wanted.end(),
                                           [&](const auto& entry) { return entry.first == parent; });
            if (!inside || known || body.ports >= graph::most_values) continue;
            wanted.emplace_back(parent, body.ports++);
            body.outputs.push_back(value_[parent]);
            inputs.push_back(ValueRef::none());
        }
    }
    for (std::uint32_t n = stretch.begin; n < stretch.end; ++n) value_[n] = ValueRef::none();
    item.inputs = std::move(inputs);
    item.body = graph::RegionId{graph_.regions.size()};
    item.count = graph::CountId{counts_.size()};
    graph_.regions.push_back(std::move(body));
    counts_.push_back(stretch.times);
    entry_.items.push_back(std::move(item));
    for (const auto& [node, port] : wanted) value_[node] = ValueRef::item(entry_.items.size() - 1, port);
}

void Instance::finish() {
    graph::StageProgram stage;
    const graph::RegionId pass{graph_.regions.size()};
    graph_.regions.push_back(std::move(entry_));
    graph_.regions.push_back({"nothing", 0, {}, {}});
    stage.update = stage.finish = graph::RegionId{graph_.regions.size() - 1};
    stage.chunks = {{pass, pass, pass, pass, pass, pass}};
    stage.counts = counts_;
    graph_.programs.push_back(std::move(stage));
    graph_.program_of = {0};
    graph_.barrier = add(graph::Launch{0.0});
    graph::make_forward_schedule(1, 1, 1, graph_.schedule);
    graph::validate(graph_);
}

graph::Graph Instance::run() {
    graph_.mesh = mesh_of(small_.conditions);
    graph_.streams.assign(stream_names.begin(), stream_names.end());
    graph_.names = {""};
    for (const Stretch& stretch : stretches()) play(stretch);
    finish();
    return std::move(graph_);
}

}  // namespace

graph::Graph instantiate(const SmallGraph& small, const Vocabulary& labels, graph::Queues queues) {
    return Instance{small, labels, queues}.run();
}

}  // namespace dse::synth
