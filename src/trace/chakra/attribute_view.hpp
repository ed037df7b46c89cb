#pragma once

#include <cstdint>
#include <string_view>

#include <google/protobuf/io/coded_stream.h>

namespace dse::trace::chakra {

/// An attribute in place: any of the standard's fifteen kinds of values as the few that matter.
struct AttributeView {
    enum class Kind : std::uint8_t { none, integer, natural, real, flag, text, flags, list };

    std::string_view name;
    Kind kind{Kind::none};
    std::int64_t integer{0};      ///< of `integer`; of `flag` 0 or 1
    std::uint64_t natural{0};     ///< of `natural`: above what `integer` holds
    double real{0};               ///< of `real`
    std::string_view text;        ///< of `text`
    std::uint32_t flags{0};       ///< of `flags`: bit by bit, the first in bit 0
    std::uint64_t flag_count{0};  ///< of `flags`: how many there are; those above 32 are not held
};

/// A field of bytes or text, in place. \return false where the bytes end inside it
bool read_view(google::protobuf::io::CodedInputStream& in, std::string_view& view);

/// Numbers of a repeated field, one behind its tag or a packed list of them.
/// \param take  called with each
/// \return false where the bytes are none
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

/// \param in  up to the end of the attribute's bytes
/// \return false where the bytes are no attribute
bool read_attribute(google::protobuf::io::CodedInputStream& in, AttributeView& attribute);

}  // namespace dse::trace::chakra
