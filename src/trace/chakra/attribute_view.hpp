#pragma once

#include <cstdint>
#include <string_view>

#include <google/protobuf/io/coded_stream.h>

namespace dse::trace::chakra {

/// An attribute, viewed in place: the standard's fifteen kinds of values, reduced to the few that matter.
struct AttributeView {
    enum class Kind : std::uint8_t { none, integer, natural, real, flag, text, flags, list };

    std::string_view name;
    Kind kind{Kind::none};
    std::int64_t integer{0};      ///< if `integer`; if `flag`: 0 or 1
    std::uint64_t natural{0};     ///< if `natural`: too large for `integer`
    double real{0};               ///< if `real`
    std::string_view text;        ///< if `text`
    std::uint32_t flags{0};       ///< if `flags`: one bit each, the first in bit 0
    std::uint64_t flag_count{0};  ///< if `flags`: their number; only the first 32 are stored
};

/// Views a field of bytes or text in place. \return false if the bytes end inside it
bool read_view(google::protobuf::io::CodedInputStream& in, std::string_view& view);

/// Reads the numbers of a repeated field: a single one after the tag, or a packed list.
/// \param take  called with each number
/// \return false if the bytes are malformed
template <class Take>
bool read_varints(google::protobuf::io::CodedInputStream& in, bool packed, Take&& take) {
    std::uint64_t value = 0;
    if (!packed) {
        if (!in.ReadVarint64(&value)) return false;
        take(value);
        return true;
    }
    std::uint32_t length = 0;
    if (!in.ReadVarint32(&length)) return false;
    const auto limit = in.PushLimit(static_cast<int>(length));
    while (in.BytesUntilLimit() > 0) {
        if (!in.ReadVarint64(&value)) return false;
        take(value);
    }
    const bool whole = in.BytesUntilLimit() == 0;
    in.PopLimit(limit);
    return whole;
}

/// \param in  limited to the attribute's bytes
/// \return false if the bytes are not an attribute
bool read_attribute(google::protobuf::io::CodedInputStream& in, AttributeView& attribute);

}  // namespace dse::trace::chakra
