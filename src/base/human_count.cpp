#include "dse/base/human_count.hpp"

#include <cmath>

#include <fmt/format.h>

namespace dse {

std::string human_count(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t i = digits.size(); i > 3;) {
        i -= 3;
        digits.insert(i, ",");
    }
    return digits;
}

std::string human_count(double count) {
    if (!std::isfinite(count) || count >= 1e15) return fmt::format("{:.3g}", count);
    return human_count(static_cast<std::uint64_t>(std::round(count)));
}

}  // namespace dse
