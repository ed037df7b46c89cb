#pragma once

#include <cstdint>
#include <span>

#include <google/protobuf/message_lite.h>  // and LogSilencer

namespace dse::trace::chakra {

/// What is said of a record that parse_record() refuses.
inline constexpr const char* no_record = "it is not a Chakra record, or a text in it is not UTF-8";

/// Parses a record by protobuf, which, unlike decode(), accepts no texts that are not UTF-8. What protobuf
/// itself would print of them is suppressed.
/// \return whether it is one
inline bool parse_record(std::span<const std::uint8_t> record, google::protobuf::MessageLite& message) {
    const google::protobuf::LogSilencer silencer;
    return message.ParseFromArray(record.data(), static_cast<int>(record.size()));
}

}  // namespace dse::trace::chakra
