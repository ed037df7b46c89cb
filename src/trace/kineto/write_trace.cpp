#include "dse/trace/kineto/write_trace.hpp"

#include <map>
#include <utility>

#include "chakra/execution_trace.pb.h"
#include "dse/trace/chakra/trace_file.hpp"
#include "dse/trace/chakra/trace_writer.hpp"
#include "trace/chakra/record_writer.hpp"
#include "trace/chakra/whole_micros.hpp"

namespace dse::trace::kineto {
namespace {

namespace wire = chakra::wire;

wire::Attribute& add(wire::Node& node, const char* name) {
    wire::Attribute& attribute = *node.add_attributes();
    attribute.set_name(name);
    return attribute;
}

/// Ids start at 1.
std::uint64_t id_of(std::uint32_t node) {
    return std::uint64_t{node} + 1;
}

void set_collective(const CollectiveWork& work, wire::Node& node, WrittenTrace& written) {
    if (work.kind == chakra::CommType::unknown) return;
    ++written.collectives;
    node.set_type(wire::COMM_COLL_NODE);
    add(node, "comm_type").set_int64_val(static_cast<std::int64_t>(work.kind));
    if (!work.group.empty()) add(node, "pg_name").set_string_val(work.group);
    if (work.bytes) {
        add(node, "comm_size").set_int64_val(*work.bytes);
    } else {
        ++written.collectives_without_size;
    }
}

}  // namespace

WrittenTrace write_trace(const ReplayGraph& graph, const std::string& path, Existing existing) {
    constexpr double second = 1e9;  // ns
    WrittenTrace written;
    chakra::TraceFile file{path, chakra::Compression::none, existing};
    chakra::RecordWriter writer{file};
    wire::GlobalMetadata metadata;
    metadata.set_version(chakra::schema_version);
    wire::Attribute& generator = *metadata.add_attributes();
    generator.set_name("generator");
    generator.set_string_val("dse et kineto");
    writer.message(metadata);
    std::map<std::pair<ReplayNode::Place, std::int64_t>, chakra::WholeMicros> micros;
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        const ReplayNode& from = graph.nodes[n];
        wire::Node node;
        node.set_id(id_of(n));
        node.set_name(from.name);
        node.set_type(wire::COMP_NODE);
        for (const std::uint32_t other : from.data) node.add_data_dependencies(id_of(other));
        if (from.before) node.add_control_dependencies(id_of(*from.before));
        node.set_start_time_micros(static_cast<std::uint64_t>(from.start / 1000));
        // Traces have no pauses: they are added to the duration of the work.
        node.set_duration_micros(
            micros[{from.place, from.lane}].next(static_cast<double>(from.pause + from.duration) / second));
        const bool host = from.place == ReplayNode::Place::host;
        add(node, "is_cpu_op").set_bool_val(host);
        add(node, host ? "tid" : "stream").set_int64_val(from.lane);
        if (from.collective) set_collective(*from.collective, node, written);
        writer.message(node);
        ++written.nodes;
    }
    writer.flush();
    file.close();
    return written;
}

}  // namespace dse::trace::kineto
