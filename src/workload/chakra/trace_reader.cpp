#include "dse/workload/chakra/trace_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"

namespace dse::workload::chakra {
namespace {

/// No record of a trace is nearly as long: a longer one is not read, so that garbage takes no memory.
constexpr std::size_t longest_record = std::size_t{1} << 28U;

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

std::string_view name(NodeType type) {
    constexpr std::array<std::string_view, 8> names{"invalid", "metadata",  "mem_load",  "mem_store",
                                                    "comp",    "comm_send", "comm_recv", "comm_coll"};
    return names[static_cast<std::size_t>(type)];
}

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

/// The bytes of a file, record by record.
struct TraceReader::Input {
    explicit Input(const std::string& path) {
        errno = 0;
        file = gzopen(path.c_str(), "rb");
        if (file == nullptr)
            throw InputError(fmt::format("cannot read the trace '{}': {}", path, std::strerror(errno)));
        gzbuffer(file, 1U << 18U);
    }
    ~Input() { gzclose(file); }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    /// \return false at the end of the file
    bool read(google::protobuf::MessageLite& message, const std::string& path) {
        std::uint64_t length = 0;
        if (!read_length(length, path)) return false;
        read_record(length, path);
        if (!message.ParseFromArray(record.data(), static_cast<int>(record.size())))
            refuse(path, "it is no Chakra record");
        ++records;
        return true;
    }

    gzFile file{nullptr};
    std::vector<char> record;
    std::uint64_t records{0};
    wire::Node node;

  private:
    /// Piece by piece: a length that lies takes no more memory than the file has bytes.
    void read_record(std::uint64_t length, const std::string& path) {
        constexpr std::uint64_t piece = 1U << 16U;
        record.clear();
        while (record.size() < length) {
            const std::size_t before = record.size();
            const auto wanted = static_cast<unsigned>(std::min(piece, length - before));
            record.resize(before + wanted);
            if (gzread(file, record.data() + before, wanted) != static_cast<int>(wanted))
                refuse(path, "the file ends inside it");
        }
    }

    bool read_length(std::uint64_t& length, const std::string& path) {
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const int byte = gzgetc(file);
            if (byte < 0) {
                int error = Z_OK;
                const char* reason = gzerror(file, &error);
                if (error != Z_OK && error != Z_STREAM_END) refuse(path, reason);
                if (shift == 0) return false;
                refuse(path, "the file ends inside its length");
            }
            length |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if ((byte & 0x80) != 0) continue;
            if (length > longest_record) refuse(path, fmt::format("it would be {} bytes long", length));
            return true;
        }
        refuse(path, "its length is no varint");
    }

    [[noreturn]] void refuse(const std::string& path, std::string_view reason) const {
        throw InputError(fmt::format("'{}' is no Chakra trace: record {}: {}", path, records + 1, reason));
    }
};

TraceReader::TraceReader(std::string path) : path_{std::move(path)}, input_{std::make_unique<Input>(path_)} {
    wire::GlobalMetadata metadata;
    if (!input_->read(metadata, path_))
        throw InputError(fmt::format("'{}' is no Chakra trace: it is empty", path_));
    version_ = metadata.version();
}

TraceReader::~TraceReader() = default;

bool TraceReader::next(TraceNode& node) {
    wire::Node& read = input_->node;
    if (!input_->read(read, path_)) return false;
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

}  // namespace dse::workload::chakra
