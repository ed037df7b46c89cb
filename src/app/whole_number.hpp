#pragma once

#include <cstdint>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace dse::app {

/// Validator of an option that is a count or a seed: CLI11 alone takes -1 for 2^64 - 1, and the largest
/// number for larger ones.
inline CLI::Validator whole_number(std::uint64_t least = 0) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 53U;
    const auto operation = [least](const std::string& text) -> std::string {
        const bool is_short_number =
            !text.empty() && text.size() <= 16 && text.find_first_not_of("0123456789") == std::string::npos;
        const std::uint64_t number = is_short_number ? std::stoull(text) : 0;
        if (is_short_number && number >= least && number <= largest) return {};
        return fmt::format("'{}' is not a whole number from {} to 2^53", text, least);
    };
    return CLI::Validator{operation, ""};
}

}  // namespace dse::app
