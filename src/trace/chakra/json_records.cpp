#include "trace/chakra/json_records.hpp"

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_writer.hpp"

namespace dse::trace::chakra {
namespace {

using Json = nlohmann::json;

void append(const google::protobuf::MessageLite& message, std::vector<std::uint8_t>& records) {
    const std::string bytes = message.SerializeAsString();
    std::size_t length = bytes.size();
    for (; length >= 0x80; length >>= 7U) records.push_back(static_cast<std::uint8_t>(length | 0x80U));
    records.push_back(static_cast<std::uint8_t>(length));
    records.insert(records.end(), bytes.begin(), bytes.end());
}

[[noreturn]] void refuse(std::size_t number, const char* key, std::string_view wanted) {
    throw InputError(fmt::format("node {} of its workload_graph: '{}' is not a {}", number, key, wanted));
}

/// 0 if the node does not have the field.
std::uint64_t whole(const Json& node, std::size_t number, const char* key) {
    const auto found = node.find(key);
    if (found == node.end()) return 0;
    if (!found->is_number_unsigned()) refuse(number, key, "whole number");
    return found->get<std::uint64_t>();
}

void add_integer(const Json& node, std::size_t number, const char* key, wire::Node& record) {
    if (!node.contains(key)) return;
    wire::Attribute& attribute = *record.add_attributes();
    attribute.set_name(key);
    attribute.set_int64_val(static_cast<std::int64_t>(whole(node, number, key)));
}

wire::Node record_of(const Json& node, std::size_t number) {
    if (!node.is_object() || !node.contains("Id"))
        throw InputError(fmt::format("node {} of its workload_graph has no 'Id'", number));
    wire::Node record;
    record.set_id(whole(node, number, "Id"));
    const std::uint64_t type = whole(node, number, "NodeType");
    if (type > wire::NodeType_MAX) refuse(number, "NodeType", "type of Chakra's");
    record.set_type(static_cast<wire::NodeType>(type));
    if (const auto name = node.find("Name"); name != node.end() && name->is_string())
        record.set_name(name->get<std::string>());
    if (const auto others = node.find("data_deps"); others != node.end()) {
        if (!others->is_array()) refuse(number, "data_deps", "list");
        for (const Json& other : *others) {
            if (!other.is_number_unsigned()) refuse(number, "data_deps", "list of ids");
            record.add_data_dependencies(other.get<std::uint64_t>());
        }
    }
    record.set_duration_micros(whole(node, number, "runtime"));
    if (const auto host = node.find("is_cpu_op"); host != node.end()) {
        if (!host->is_boolean()) refuse(number, "is_cpu_op", "true or false");
        wire::Attribute& attribute = *record.add_attributes();
        attribute.set_name("is_cpu_op");
        attribute.set_bool_val(host->get<bool>());
    }
    for (const char* key : {"num_ops", "tensor_size", "comm_type", "comm_priority", "comm_size", "comm_src",
                            "comm_dst", "comm_tag"})
        add_integer(node, number, key, record);
    return record;
}

/// A hint at what other JSON it may be.
std::string_view instead(const Json& document) {
    if (document.contains("traceEvents")) return ": it is a profile of PyTorch, which `dse et kineto` reads";
    if (document.contains("nodes"))
        return ": it is an execution trace of a host, which `dse et kineto` reads beside a profile";
    return "";
}

}  // namespace

bool begins_json(std::string_view text) {
    if (!text.starts_with('{')) return false;
    const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
    return next != std::string_view::npos && (text[next] == '"' || text[next] == '}');
}

std::vector<std::uint8_t> records_of_json(std::string_view text) {
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) throw InputError("it is not valid JSON (is it cut off?)");
    const auto nodes = document.find("workload_graph");
    if (nodes == document.end() || !nodes->is_array())
        throw InputError(fmt::format("it has no list 'workload_graph'{}", instead(document)));
    std::vector<std::uint8_t> records;
    wire::GlobalMetadata metadata;
    metadata.set_version(schema_version);
    append(metadata, records);
    for (std::size_t n = 0; n < nodes->size(); ++n) append(record_of((*nodes)[n], n + 1), records);
    return records;
}

}  // namespace dse::trace::chakra
