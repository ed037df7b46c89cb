#include "dse/trace/chakra/trace_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
#include "trace/chakra/parse_record.hpp"
#include "trace/chakra/record_stream.hpp"

namespace dse::trace::chakra {
namespace {

AttributeValue value_of(const wire::Attribute& attribute) {
    using Case = wire::Attribute::ValueCase;
    switch (attribute.value_case()) {
        case Case::kDoubleVal:
            return attribute.double_val();
        case Case::kFloatVal:
            return static_cast<double>(attribute.float_val());
        case Case::kInt32Val:
            return std::int64_t{attribute.int32_val()};
        case Case::kInt64Val:
            return attribute.int64_val();
        case Case::kUint32Val:
            return std::uint64_t{attribute.uint32_val()};
        case Case::kUint64Val:
            return attribute.uint64_val();
        case Case::kSint32Val:
            return std::int64_t{attribute.sint32_val()};
        case Case::kSint64Val:
            return attribute.sint64_val();
        case Case::kFixed32Val:
            return std::uint64_t{attribute.fixed32_val()};
        case Case::kFixed64Val:
            return attribute.fixed64_val();
        case Case::kSfixed32Val:
            return std::int64_t{attribute.sfixed32_val()};
        case Case::kSfixed64Val:
            return attribute.sfixed64_val();
        case Case::kBoolVal:
            return attribute.bool_val();
        case Case::kStringVal:
            return attribute.string_val();
        case Case::kBytesVal:
            return attribute.bytes_val();
        default:
            return std::monostate{};
    }
}

NodeType type_of(wire::NodeType type) {
    const bool known = type >= wire::INVALID_NODE && type <= wire::COMM_COLL_NODE;
    return known ? static_cast<NodeType>(type) : NodeType::invalid;
}

}  // namespace

const AttributeValue* TraceNode::attribute(std::string_view attribute_name) const {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& entry) { return entry.first == attribute_name; });
    return found == attributes.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> TraceNode::number(std::string_view attribute_name) const {
    const AttributeValue* value = attribute(attribute_name);
    if (value == nullptr) return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(value)) return *number;
    if (const auto* number = std::get_if<std::uint64_t>(value)) return static_cast<std::int64_t>(*number);
    return std::nullopt;
}

std::string_view TraceNode::text(std::string_view attribute_name) const {
    const AttributeValue* value = attribute(attribute_name);
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text == nullptr ? std::string_view{} : std::string_view{*text};
}

struct TraceReader::Input {
    explicit Input(std::string path) : records{std::move(path)} {}

    /// \return false at the end of the file
    bool read(google::protobuf::MessageLite& message) {
        std::span<const std::uint8_t> record;
        if (!records.next(record)) return false;
        if (!parse_record(record, message)) records.refuse(no_record);
        return true;
    }

    RecordStream records;
    wire::Node node;
};

TraceReader::TraceReader(const std::string& path) : input_{std::make_unique<Input>(path)} {
    wire::GlobalMetadata metadata;
    if (!input_->read(metadata))
        throw InputError(fmt::format("'{}' is not a Chakra trace: it is empty", path));
    version_ = metadata.version();
}

TraceReader::~TraceReader() = default;

bool TraceReader::next(TraceNode& node) {
    wire::Node& read = input_->node;
    if (!input_->read(read)) return false;
    node.id = read.id();
    node.name = read.name();
    node.type = type_of(read.type());
    node.control_dependencies.assign(read.control_dependencies().begin(), read.control_dependencies().end());
    node.data_dependencies.assign(read.data_dependencies().begin(), read.data_dependencies().end());
    node.duration_micros = read.duration_micros();
    node.attributes.clear();
    for (const wire::Attribute& attribute : read.attributes())
        node.attributes.emplace_back(attribute.name(), value_of(attribute));
    return true;
}

}  // namespace dse::trace::chakra
