#include "trace/chakra/record_writer.hpp"

#include <algorithm>
#include <cstring>

#include <google/protobuf/io/coded_stream.h>

#include "chakra/execution_trace.pb.h"
#include "trace/chakra/field_tags.hpp"

namespace dse::trace::chakra {
namespace {

using google::protobuf::io::CodedOutputStream;
using wire::Node;

constexpr std::size_t buffer_bytes = std::size_t{1} << 18U;
/// Of a length or a field's tag.
constexpr std::size_t longest_varint = 10;

constexpr std::uint32_t id_tag = number_tag(Node::kIdFieldNumber);
constexpr std::uint32_t name_tag = bytes_tag(Node::kNameFieldNumber);
constexpr std::uint32_t control_tag = bytes_tag(Node::kControlDependenciesFieldNumber);
constexpr std::uint32_t data_tag = bytes_tag(Node::kDataDependenciesFieldNumber);
constexpr std::uint32_t duration_tag = number_tag(Node::kDurationMicrosFieldNumber);
static_assert(std::max({id_tag, name_tag, control_tag, data_tag, duration_tag}) < 0x80, "tags of one byte");

std::size_t size_of(std::span<const NodeId> ids) {
    std::size_t bytes = 0;
    for (const NodeId id : ids) bytes += CodedOutputStream::VarintSize64(id);
    return bytes;
}

std::size_t field_size(std::size_t content) {
    return content == 0 ? 0 : 1 + CodedOutputStream::VarintSize64(content) + content;
}

std::uint8_t* put(std::uint8_t* to, std::string_view bytes) {
    if (bytes.empty()) return to;  // the pointer of an empty view may be invalid
    std::memcpy(to, bytes.data(), bytes.size());
    return to + bytes.size();
}

std::uint8_t* put(std::uint8_t* to, std::uint32_t tag, std::span<const NodeId> ids, std::size_t bytes) {
    if (ids.empty()) return to;
    to = CodedOutputStream::WriteTagToArray(tag, to);
    to = CodedOutputStream::WriteVarint64ToArray(bytes, to);
    for (const NodeId id : ids) to = CodedOutputStream::WriteVarint64ToArray(id, to);
    return to;
}

}  // namespace

RecordWriter::RecordWriter(TraceFile& file) : file_{file}, buffer_(buffer_bytes) {}

std::uint8_t* RecordWriter::room(std::size_t bytes) {
    if (used_ + bytes > buffer_.size()) flush();
    if (bytes > buffer_.size()) buffer_.resize(bytes);
    return buffer_.data() + used_;
}

void RecordWriter::flush() {
    file_.write({buffer_.data(), used_});
    used_ = 0;
}

void RecordWriter::message(const google::protobuf::MessageLite& message) {
    const std::size_t bytes = message.ByteSizeLong();
    std::uint8_t* to = room(longest_varint + bytes);
    to = CodedOutputStream::WriteVarint64ToArray(bytes, to);
    to = message.SerializeWithCachedSizesToArray(to);
    used_ = static_cast<std::size_t>(to - buffer_.data());
}

void RecordWriter::node(const NodeHead& head, std::string_view same, std::string_view more) {
    const std::size_t name = head.place.size() + head.what.size();
    const std::size_t control = size_of(head.control);
    const std::size_t data = size_of(head.data);
    const std::size_t duration =
        head.duration_micros == 0 ? 0 : 1 + CodedOutputStream::VarintSize64(head.duration_micros);
    const std::size_t bytes = 1 + CodedOutputStream::VarintSize64(head.id) + field_size(name) +
                              field_size(control) + field_size(data) + duration + same.size() + more.size();
    std::uint8_t* to = room(longest_varint + bytes);
    to = CodedOutputStream::WriteVarint64ToArray(bytes, to);
    to = CodedOutputStream::WriteTagToArray(id_tag, to);
    to = CodedOutputStream::WriteVarint64ToArray(head.id, to);
    if (name > 0) {
        to = CodedOutputStream::WriteTagToArray(name_tag, to);
        to = CodedOutputStream::WriteVarint64ToArray(name, to);
        to = put(put(to, head.place), head.what);
    }
    to = put(to, control_tag, head.control, control);
    to = put(to, data_tag, head.data, data);
    if (duration > 0) {
        to = CodedOutputStream::WriteTagToArray(duration_tag, to);
        to = CodedOutputStream::WriteVarint64ToArray(head.duration_micros, to);
    }
    to = put(put(to, same), more);
    used_ = static_cast<std::size_t>(to - buffer_.data());
}

}  // namespace dse::trace::chakra
