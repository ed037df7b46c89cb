#include "dse/trace/kineto/host_trace.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/error.hpp"
#include "trace/chakra/printed_tensors.hpp"
#include "trace/chakra/process_groups.hpp"
#include "trace/kineto/collective_kernel.hpp"
#include "trace/kineto/element_bytes.hpp"
#include "trace/kineto/packed_text.hpp"

namespace dse::trace::kineto {
namespace {

using Json = nlohmann::json;

const Json& field(const Json& object, const char* key) {
    static const Json none;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? *found : none;
}

std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : std::string{};
}

/// The list of arguments, in either schema.
const Json& values_of(const Json& node, const char* side) {
    const Json& arguments = field(node, side);
    return arguments.is_object() ? field(arguments, "values") : arguments;
}

std::optional<std::int64_t> bytes_of(const Json& values) {
    const chakra::PrintedTensors tensors = chakra::printed_tensors(values.dump());
    if (tensors.bytes == 0) return std::nullopt;
    return static_cast<std::int64_t>(tensors.bytes);
}

/// Reads a collective's arguments: tensors, its number, its group, a rank, its kind, …. The group is a
/// handle of the process or, in later versions, a pair of name and description.
CollectiveNote note_of_arguments(const Json& node) {
    CollectiveNote note;
    const Json& values = values_of(node, "inputs");
    for (const Json& value : values) {
        if (value.is_string() && note.kind.empty()) note.kind = value.get<std::string>();
        const bool names_group =
            value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_string();
        if (names_group) note.group = value[0].get<std::string>();
    }
    note.input_bytes = bytes_of(values);
    note.output_bytes = bytes_of(values_of(node, "outputs"));
    return note;
}

/// Adds what a collective's attributes state, if it has any.
void add_attributes(const Json& node, CollectiveNote& note) {
    std::int64_t width = 0;
    std::optional<std::int64_t> input;
    std::optional<std::int64_t> output;
    for (const Json& attribute : field(node, "attrs")) {
        const std::string name = text_of(field(attribute, "name"));
        const Json& value = field(attribute, "value");
        if (name == "collective_name" && value.is_string()) note.kind = value.get<std::string>();
        if (name == "pg_name" && value.is_string()) note.group = value.get<std::string>();
        if (name == "dtype") width = element_bytes(text_of(value));
        if (name == "in_msg_nelems" && value.is_number_unsigned()) input = value.get<std::int64_t>();
        if (name == "out_msg_nelems" && value.is_number_unsigned()) output = value.get<std::int64_t>();
    }
    constexpr std::int64_t most = std::int64_t{1} << 50;
    if (width > 0 && input && *input >= 0 && *input < most) note.input_bytes = *input * width;
    if (width > 0 && output && *output >= 0 && *output < most) note.output_bytes = *output * width;
}

std::uint64_t id_of(const Json& node) {
    const Json& id = field(node, "id");
    return id.is_number_unsigned() ? id.get<std::uint64_t>() : 0;
}

bool is_waiting(const std::string& kind) {
    return kind.empty() || kind == "wait" || kind == "init";
}

}  // namespace

HostTrace read_host_trace(const std::string& path) {
    const Json document = Json::parse(read_packed(path), nullptr, false);
    const Json& nodes = field(document, "nodes");
    if (!nodes.is_array())
        throw InputError(
            fmt::format("'{}' is not an execution trace of a host: it has no list 'nodes'", path));
    HostTrace trace;
    trace.schema = text_of(field(document, "schema"));
    std::vector<const Json*> calls;
    for (const Json& node : nodes) {
        const std::string name = text_of(field(node, "name"));
        if (name == "record_param_comms") calls.push_back(&node);
        if (name.find(chakra::process_group_node) == std::string::npos) continue;
        for (const Json& value : values_of(node, "inputs"))
            chakra::read_process_groups(text_of(value), trace.groups);
    }
    std::stable_sort(calls.begin(), calls.end(),
                     [](const Json* a, const Json* b) { return id_of(*a) < id_of(*b); });
    for (const Json* call : calls) {
        CollectiveNote note = note_of_arguments(*call);
        add_attributes(*call, note);
        if (!is_waiting(note.kind)) trace.collectives.push_back(std::move(note));
    }
    return trace;
}

std::string complete(ReplayGraph& graph, const HostTrace& trace) {
    std::vector<CollectiveWork*> works;
    for (ReplayNode& node : graph.nodes) {
        if (node.collective) works.push_back(&*node.collective);
    }
    if (works.size() != trace.collectives.size())
        return fmt::format("the profile has {} collectives, the host's trace {}", works.size(),
                           trace.collectives.size());
    using chakra::CommType;
    for (std::size_t c = 0; c < works.size(); ++c) {
        const CommType kind = comm_type(trace.collectives[c].kind);
        const bool agree =
            kind == works[c]->kind || kind == CommType::unknown || works[c]->kind == CommType::unknown;
        if (!agree)
            return fmt::format("collective {} is '{}' in the profile and '{}' in the host's trace", c + 1,
                               name(works[c]->kind), trace.collectives[c].kind);
    }
    for (std::size_t c = 0; c < works.size(); ++c) {
        const CollectiveNote& note = trace.collectives[c];
        if (works[c]->kind == CommType::unknown) works[c]->kind = comm_type(note.kind);
        if (!works[c]->bytes) works[c]->bytes = note.input_bytes;
        if (works[c]->group.empty()) works[c]->group = note.group;
    }
    return {};
}

}  // namespace dse::trace::kineto
