#pragma once

#include <compare>
#include <cstdint>

namespace dse::trace::chakra {

/// Identity of a message, equal at both ends.
struct MessageKey {
    std::int64_t source{0};
    std::int64_t destination{0};
    std::int64_t tag{0};
    std::int64_t size{0};  ///< bytes
    friend auto operator<=>(const MessageKey&, const MessageKey&) = default;
};

}  // namespace dse::trace::chakra
