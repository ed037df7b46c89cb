#include "dse/base/lower_case.hpp"

#include <algorithm>

namespace dse {

std::string lower_case(std::string_view text) {
    std::string result{text};
    std::ranges::transform(result, result.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return result;
}

}  // namespace dse
