#include "trace/chakra/node_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "chakra/execution_trace.pb.h"
#include "dse/base/check.hpp"
#include "dse/trace/chakra/node_type.hpp"

namespace dse::trace::chakra {
namespace {

CommType type_of(graph::CollectiveKind kind) {
    switch (kind) {
        case graph::CollectiveKind::all_reduce:
            return CommType::all_reduce;
        case graph::CollectiveKind::all_gather:
            return CommType::all_gather;
        case graph::CollectiveKind::reduce_scatter:
            return CommType::reduce_scatter;
        case graph::CollectiveKind::all_to_all:
            return CommType::all_to_all;
        case graph::CollectiveKind::broadcast:
            return CommType::broadcast;
        case graph::CollectiveKind::ring_shift:
            break;
    }
    DSE_REQUIRE(false && "a collective without a number");
    return CommType::unknown;
}

enum class Place : std::uint8_t { device, host };

/// Builds the fields of one node, which protobuf encodes.
class Fields {
  public:
    /// \param stream  none: a replay starts the node as soon as it is ready
    Fields(wire::NodeType type, std::optional<graph::StreamId> stream, Place place = Place::device) {
        node_.set_type(type);
        add("is_cpu_op").set_bool_val(place == Place::host);
        if (stream) add("stream").set_int64_val(static_cast<std::int64_t>(stream->index()));
    }

    Fields& integer(const char* name, double value) {
        add(name).set_int64_val(std::llround(value));
        return *this;
    }
    Fields& bytes(const char* name, Bytes value) {
        add(name).set_uint64_val(static_cast<std::uint64_t>(std::llround(value.value())));
        return *this;
    }
    Fields& small(const char* name, std::int64_t value) {
        add(name).set_int32_val(static_cast<std::int32_t>(value));
        return *this;
    }
    Fields& text(const char* name, std::string_view value) {
        add(name).set_string_val(std::string{value});
        return *this;
    }
    [[nodiscard]] std::string encoded() const { return node_.SerializeAsString(); }

  private:
    wire::Attribute& add(const char* name) {
        wire::Attribute& attribute = *node_.add_attributes();
        attribute.set_name(name);
        return attribute;
    }
    wire::Node node_;
};

/// Simulators divide by the number of operations. They also skip a kernel without bytes, together with all
/// nodes that wait for it. Hence the minimum of one for both.
Fields kernel(graph::StreamId stream, Flop executed, Bytes traffic) {
    Fields fields{wire::COMP_NODE, stream};
    fields.integer("num_ops", std::max(1.0, executed.value()));
    fields.bytes("tensor_size", std::max(Bytes{1}, traffic));
    return fields;
}

std::string encode(const graph::Compute& compute, graph::StreamId stream) {
    Fields fields = kernel(stream, compute.executed_flop, compute.read + compute.written);
    fields.text("op_type", name(compute.op_class));
    if (compute.model_flop != compute.executed_flop) fields.integer("model_ops", compute.model_flop.value());
    return fields.encoded();
}

std::string encode(const graph::Collective& collective, graph::StreamId stream, const graph::Mesh& mesh) {
    const std::int64_t group = mesh.degree(collective.axes);
    const std::int64_t ranks =
        collective.members == graph::Members::all ? group : std::min<std::int64_t>(group, 2);
    // Nothing to communicate with a single rank: a node without work keeps the order.
    if (ranks <= 1) return kernel(stream, Flop{}, Bytes{}).encoded();
    // The standard counts what a rank contributes: for an all-gather its own shard.
    const bool gathers = collective.kind == graph::CollectiveKind::all_gather;
    const Bytes size = gathers ? collective.size / static_cast<double>(ranks) : collective.size;
    return Fields{wire::COMM_COLL_NODE, stream}
        .integer("comm_type", static_cast<double>(type_of(collective.kind)))
        .integer("comm_size", size.value())
        .encoded();
}

std::string encode(const graph::Copy& copy, graph::StreamId stream) {
    const bool to_host = copy.direction == graph::CopyDirection::to_host;
    return Fields{to_host ? wire::MEM_STORE_NODE : wire::MEM_LOAD_NODE, stream}
        .bytes("tensor_size", copy.size)
        .encoded();
}

std::string encode(wire::NodeType type, const Message& message) {
    return Fields{type, message.stream}
        .integer("comm_size", message.size.value())
        .small("comm_src", message.from)
        .small("comm_dst", message.to)
        .small("comm_tag", message.tag)
        .encoded();
}

std::string names_of(graph::AxisSet axes) {
    std::string names;
    for (std::size_t a = 0; a < graph::mesh_axis_count; ++a) {
        const auto axis = static_cast<graph::MeshAxis>(a);
        if (axes.contains(axis)) names += fmt::format("_{}", short_name(axis));
    }
    return names;
}

}  // namespace

std::string fields_of(const graph::Work& work, graph::StreamId stream, const graph::Mesh& mesh) {
    if (const auto* compute = std::get_if<graph::Compute>(&work)) return encode(*compute, stream);
    if (const auto* collective = std::get_if<graph::Collective>(&work))
        return encode(*collective, stream, mesh);
    if (const auto* copy = std::get_if<graph::Copy>(&work)) return encode(*copy, stream);
    // Chakra expects kernels on the device; with the standard's is_cpu_op readers would skip its time.
    if (std::holds_alternative<graph::Launch>(work))
        return Fields{wire::COMP_NODE, stream, Place::host}.encoded();
    if (const auto* update = std::get_if<graph::HostUpdate>(&work))
        return kernel(stream, Flop{}, update->read + update->written).encoded();
    DSE_REQUIRE(false && "a work that is not a node of a trace");
    return {};
}

std::string communicator_field(std::uint32_t number) {
    wire::Node node;
    wire::Attribute& attribute = *node.add_attributes();
    attribute.set_name("pg_name");
    attribute.set_string_val(std::to_string(number));
    return node.SerializeAsString();
}

std::string fields_of_send(const Message& message) {
    return encode(wire::COMM_SEND_NODE, message);
}

std::string fields_of_receive(const Message& message) {
    return encode(wire::COMM_RECV_NODE, message);
}

std::string name_of(const graph::Work& work) {
    if (const auto* compute = std::get_if<graph::Compute>(&work)) return std::string{name(compute->op_class)};
    if (const auto* copy = std::get_if<graph::Copy>(&work)) return std::string{name(copy->direction)};
    if (std::holds_alternative<graph::HostUpdate>(work)) return "host_update";
    if (std::holds_alternative<graph::Launch>(work)) return "launch";
    const auto* collective = std::get_if<graph::Collective>(&work);
    DSE_REQUIRE(collective != nullptr);
    constexpr std::array<std::string_view, 3> members{"", "_ends", "_mirrors"};
    return fmt::format("{}{}{}", name(collective->kind), names_of(collective->axes),
                       members[static_cast<std::size_t>(collective->members)]);
}

}  // namespace dse::trace::chakra
