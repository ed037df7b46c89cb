#include "dse/trace/chakra/trace_json.hpp"

#include <array>
#include <cmath>
#include <ostream>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
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

void add_value(const wire::Attribute& attribute, OrderedJson& json) {
    using Case = wire::Attribute::ValueCase;
    switch (attribute.value_case()) {
        case Case::kDoubleVal:
            json["doubleVal"] = json_of(attribute.double_val());
            break;
        case Case::kDoubleList:
            json["doubleList"] = list_of(attribute.double_list());
            break;
        case Case::kFloatVal:
            json["floatVal"] = json_of(attribute.float_val());
            break;
        case Case::kFloatList:
            json["floatList"] = list_of(attribute.float_list());
            break;
        case Case::kInt32Val:
            json["int32Val"] = json_of(attribute.int32_val());
            break;
        case Case::kInt32List:
            json["int32List"] = list_of(attribute.int32_list());
            break;
        case Case::kInt64Val:
            json["int64Val"] = json_of(attribute.int64_val());
            break;
        case Case::kInt64List:
            json["int64List"] = list_of(attribute.int64_list());
            break;
        case Case::kUint32Val:
            json["uint32Val"] = json_of(attribute.uint32_val());
            break;
        case Case::kUint32List:
            json["uint32List"] = list_of(attribute.uint32_list());
            break;
        case Case::kUint64Val:
            json["uint64Val"] = json_of(attribute.uint64_val());
            break;
        case Case::kUint64List:
            json["uint64List"] = list_of(attribute.uint64_list());
            break;
        case Case::kSint32Val:
            json["sint32Val"] = json_of(attribute.sint32_val());
            break;
        case Case::kSint32List:
            json["sint32List"] = list_of(attribute.sint32_list());
            break;
        case Case::kSint64Val:
            json["sint64Val"] = json_of(attribute.sint64_val());
            break;
        case Case::kSint64List:
            json["sint64List"] = list_of(attribute.sint64_list());
            break;
        case Case::kFixed32Val:
            json["fixed32Val"] = json_of(attribute.fixed32_val());
            break;
        case Case::kFixed32List:
            json["fixed32List"] = list_of(attribute.fixed32_list());
            break;
        case Case::kFixed64Val:
            json["fixed64Val"] = json_of(attribute.fixed64_val());
            break;
        case Case::kFixed64List:
            json["fixed64List"] = list_of(attribute.fixed64_list());
            break;
        case Case::kSfixed32Val:
            json["sfixed32Val"] = json_of(attribute.sfixed32_val());
            break;
        case Case::kSfixed32List:
            json["sfixed32List"] = list_of(attribute.sfixed32_list());
            break;
        case Case::kSfixed64Val:
            json["sfixed64Val"] = json_of(attribute.sfixed64_val());
            break;
        case Case::kSfixed64List:
            json["sfixed64List"] = list_of(attribute.sfixed64_list());
            break;
        case Case::kBoolVal:
            json["boolVal"] = attribute.bool_val();
            break;
        case Case::kBoolList:
            json["boolList"] = list_of(attribute.bool_list());
            break;
        case Case::kStringVal:
            json["stringVal"] = attribute.string_val();
            break;
        case Case::kStringList:
            json["stringList"] = list_of(attribute.string_list());
            break;
        case Case::kBytesVal:
            json["bytesVal"] = base64_of(attribute.bytes_val());
            break;
        case Case::kBytesList:
            json["bytesList"] = bytes_list_of(attribute.bytes_list());
            break;
        case Case::VALUE_NOT_SET:
            break;
    }
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
    if (!message.ParseFromArray(record.data(), static_cast<int>(record.size())))
        records.refuse("it is not a Chakra record");
    // Names may contain any bytes: those that are not UTF-8 become U+FFFD.
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
