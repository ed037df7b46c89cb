#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace dse::config {

/// The names in the text of a list of enumerators, "none, selective, full".
/// \tparam enumerators  the list: all enumerators, in the order in which they are declared
template <auto... enumerators>
consteval auto choices(std::string_view text) {
    std::size_t next = 0;
    if (!((static_cast<std::size_t>(enumerators) == next++) && ...)) throw "not as they are declared";
    std::array<std::string_view, sizeof...(enumerators)> names;
    for (std::string_view& name : names) {
        name = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.find_first_not_of(", ", name.size()), text.size()));
    }
    return names;
}

}  // namespace dse::config

/// Defines `choice_names` of an enumeration whose values files call as the code does.
#define DSE_CHOICES(Enum, ...)                                                           \
    inline std::span<const std::string_view> choice_names(Enum) {                        \
        using enum Enum;                                                                 \
        static constexpr auto names = ::dse::config::choices<__VA_ARGS__>(#__VA_ARGS__); \
        return names;                                                                    \
    }                                                                                    \
    static_assert(true)
