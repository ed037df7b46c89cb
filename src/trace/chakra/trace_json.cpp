#include "dse/trace/chakra/trace_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
#include "trace/chakra/parse_record.hpp"
#include "trace/chakra/record_stream.hpp"

namespace dse::trace::chakra {
namespace {

using OrderedJson = nlohmann::ordered_json;

// In protobuf's JSON 64-bit numbers are strings, since JavaScript would round them.
OrderedJson json_of(std::int64_t value) {
    return fmt::format("{}", value);
}
OrderedJson json_of(std::uint64_t value) {
    return fmt::format("{}", value);
}
OrderedJson json_of(std::int32_t value) {
    return value;
}
OrderedJson json_of(std::uint32_t value) {
    return value;
}
OrderedJson json_of(bool value) {
    return value;
}
OrderedJson json_of(const std::string& value) {
    return value;
}
OrderedJson json_of(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
}
OrderedJson json_of(float value) {
    return json_of(static_cast<double>(value));
}

std::string base64_of(const std::string& bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t b = 0; b < 3; ++b) {
            const bool there = at + b < bytes.size();
            group = (group << 8U) | (there ? static_cast<std::uint8_t>(bytes[at + b]) : 0U);
        }
        for (std::size_t letter = 0; letter < 4; ++letter)
            text += at + letter <= bytes.size() ? letters[(group >> (18U - 6U * letter)) & 63U] : '=';
    }
    return text;
}

template <class List>
OrderedJson list_of(const List& list) {
    OrderedJson values = OrderedJson::array();
    for (const auto& value : list.values()) values.push_back(json_of(value));
    return OrderedJson{{"values", std::move(values)}};
}

OrderedJson bytes_list_of(const wire::BytesList& list) {
    OrderedJson values = OrderedJson::array();
    for (const std::string& value : list.values()) values.push_back(base64_of(value));
    return OrderedJson{{"values", std::move(values)}};
}

/// A kind of value that attributes can have, with its name in protobuf's JSON.
struct ValueKind {
    wire::Attribute::ValueCase which;
    const char* name;
    OrderedJson (*read)(const wire::Attribute& attribute);
};

using Wire = wire::Attribute;
constexpr std::array value_kinds{
    ValueKind{Wire::kDoubleVal, "doubleVal", [](const Wire& a) { return json_of(a.double_val()); }},
    ValueKind{Wire::kDoubleList, "doubleList", [](const Wire& a) { return list_of(a.double_list()); }},
    ValueKind{Wire::kFloatVal, "floatVal", [](const Wire& a) { return json_of(a.float_val()); }},
    ValueKind{Wire::kFloatList, "floatList", [](const Wire& a) { return list_of(a.float_list()); }},
    ValueKind{Wire::kInt32Val, "int32Val", [](const Wire& a) { return json_of(a.int32_val()); }},
    ValueKind{Wire::kInt32List, "int32List", [](const Wire& a) { return list_of(a.int32_list()); }},
    ValueKind{Wire::kInt64Val, "int64Val", [](const Wire& a) { return json_of(a.int64_val()); }},
    ValueKind{Wire::kInt64List, "int64List", [](const Wire& a) { return list_of(a.int64_list()); }},
    ValueKind{Wire::kUint32Val, "uint32Val", [](const Wire& a) { return json_of(a.uint32_val()); }},
    ValueKind{Wire::kUint32List, "uint32List", [](const Wire& a) { return list_of(a.uint32_list()); }},
    ValueKind{Wire::kUint64Val, "uint64Val", [](const Wire& a) { return json_of(a.uint64_val()); }},
    ValueKind{Wire::kUint64List, "uint64List", [](const Wire& a) { return list_of(a.uint64_list()); }},
    ValueKind{Wire::kSint32Val, "sint32Val", [](const Wire& a) { return json_of(a.sint32_val()); }},
    ValueKind{Wire::kSint32List, "sint32List", [](const Wire& a) { return list_of(a.sint32_list()); }},
    ValueKind{Wire::kSint64Val, "sint64Val", [](const Wire& a) { return json_of(a.sint64_val()); }},
    ValueKind{Wire::kSint64List, "sint64List", [](const Wire& a) { return list_of(a.sint64_list()); }},
    ValueKind{Wire::kFixed32Val, "fixed32Val", [](const Wire& a) { return json_of(a.fixed32_val()); }},
    ValueKind{Wire::kFixed32List, "fixed32List", [](const Wire& a) { return list_of(a.fixed32_list()); }},
    ValueKind{Wire::kFixed64Val, "fixed64Val", [](const Wire& a) { return json_of(a.fixed64_val()); }},
    ValueKind{Wire::kFixed64List, "fixed64List", [](const Wire& a) { return list_of(a.fixed64_list()); }},
    ValueKind{Wire::kSfixed32Val, "sfixed32Val", [](const Wire& a) { return json_of(a.sfixed32_val()); }},
    ValueKind{Wire::kSfixed32List, "sfixed32List", [](const Wire& a) { return list_of(a.sfixed32_list()); }},
    ValueKind{Wire::kSfixed64Val, "sfixed64Val", [](const Wire& a) { return json_of(a.sfixed64_val()); }},
    ValueKind{Wire::kSfixed64List, "sfixed64List", [](const Wire& a) { return list_of(a.sfixed64_list()); }},
    ValueKind{Wire::kBoolVal, "boolVal", [](const Wire& a) { return json_of(a.bool_val()); }},
    ValueKind{Wire::kBoolList, "boolList", [](const Wire& a) { return list_of(a.bool_list()); }},
    ValueKind{Wire::kStringVal, "stringVal", [](const Wire& a) { return json_of(a.string_val()); }},
    ValueKind{Wire::kStringList, "stringList", [](const Wire& a) { return list_of(a.string_list()); }},
    ValueKind{Wire::kBytesVal, "bytesVal",
              [](const Wire& a) { return OrderedJson(base64_of(a.bytes_val())); }},
    ValueKind{Wire::kBytesList, "bytesList", [](const Wire& a) { return bytes_list_of(a.bytes_list()); }}};

void add_value(const wire::Attribute& attribute, OrderedJson& json) {
    const auto* const kind = std::ranges::find(value_kinds, attribute.value_case(), &ValueKind::which);
    if (kind != value_kinds.end()) json[kind->name] = kind->read(attribute);
}

template <class Attributes>
void add_attributes(const Attributes& attributes, OrderedJson& json) {
    if (attributes.empty()) return;
    OrderedJson list = OrderedJson::array();
    for (const wire::Attribute& attribute : attributes) {
        OrderedJson entry{{"name", attribute.name()}};
        if (!attribute.documentation().empty()) entry["docString"] = attribute.documentation();
        add_value(attribute, entry);
        list.push_back(std::move(entry));
    }
    json["attr"] = std::move(list);
}

template <class Ids>
void add_ids(const char* name, const Ids& ids, OrderedJson& json) {
    if (ids.empty()) return;
    OrderedJson list = OrderedJson::array();
    for (const std::uint64_t id : ids) list.push_back(json_of(id));
    json[name] = std::move(list);
}

OrderedJson json_of(const wire::Arguments& arguments) {
    OrderedJson json = OrderedJson::object();
    if (!arguments.values().empty()) json["values"] = arguments.values();
    if (!arguments.shapes().empty()) json["shapes"] = arguments.shapes();
    if (!arguments.types().empty()) json["types"] = arguments.types();
    return json;
}

OrderedJson json_of(wire::NodeType type) {
    constexpr std::array<const char*, 8> names{"INVALID_NODE",   "METADATA_NODE", "MEM_LOAD_NODE",
                                               "MEM_STORE_NODE", "COMP_NODE",     "COMM_SEND_NODE",
                                               "COMM_RECV_NODE", "COMM_COLL_NODE"};
    const auto number = static_cast<std::size_t>(type);
    return number < names.size() ? OrderedJson(names[number]) : OrderedJson(static_cast<int>(type));
}

OrderedJson json_of(const wire::Node& node) {
    OrderedJson json = OrderedJson::object();
    // Defaults are omitted, as in protobuf.
    if (node.id() != 0) json["id"] = json_of(node.id());
    if (!node.name().empty()) json["name"] = node.name();
    if (node.type() != wire::INVALID_NODE) json["type"] = json_of(node.type());
    add_ids("ctrlDeps", node.control_dependencies(), json);
    add_ids("dataDeps", node.data_dependencies(), json);
    if (node.start_time_micros() != 0) json["startTimeMicros"] = json_of(node.start_time_micros());
    if (node.duration_micros() != 0) json["durationMicros"] = json_of(node.duration_micros());
    if (node.has_inputs()) json["inputs"] = json_of(node.inputs());
    if (node.has_outputs()) json["outputs"] = json_of(node.outputs());
    add_attributes(node.attributes(), json);
    return json;
}

OrderedJson json_of(const wire::GlobalMetadata& metadata) {
    OrderedJson json = OrderedJson::object();
    if (!metadata.version().empty()) json["version"] = metadata.version();
    add_attributes(metadata.attributes(), json);
    return json;
}

template <class Message>
void write_record(RecordStream& records, std::span<const std::uint8_t> record, std::ostream& stream) {
    Message message;
    if (!parse_record(record, message)) records.refuse(no_record);
    // What is not UTF-8 all the same becomes U+FFFD.
    stream << json_of(message).dump(-1, ' ', false, OrderedJson::error_handler_t::replace) << '\n';
}

}  // namespace

void write_json(const std::string& path, std::ostream& stream) {
    RecordStream records{path};
    std::span<const std::uint8_t> record;
    if (!records.next(record)) throw InputError(fmt::format("'{}' is not a Chakra trace: it is empty", path));
    write_record<wire::GlobalMetadata>(records, record, stream);
    while (records.next(record)) write_record<wire::Node>(records, record, stream);
}

}  // namespace dse::trace::chakra
