#pragma once

#include <cstdint>

#include <google/protobuf/wire_format_lite.h>

namespace dse::trace::chakra {

/// Tag of a field that holds a number.
constexpr std::uint32_t number_tag(int field) {
    using google::protobuf::internal::WireFormatLite;
    return WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_VARINT);
}
/// Tag of a field that holds text, a message or packed numbers.
constexpr std::uint32_t bytes_tag(int field) {
    using google::protobuf::internal::WireFormatLite;
    return WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
}

}  // namespace dse::trace::chakra
