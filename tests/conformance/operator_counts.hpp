#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>

namespace dse::conformance {

/// Of a column of the manifest of compiler programs: "add:12 dot:3".
inline std::map<std::string, std::int64_t> operator_counts(const std::string& column) {
    std::map<std::string, std::int64_t> result;
    std::istringstream words{column};
    for (std::string word; words >> word;) {
        const std::size_t colon = word.rfind(':');
        result[word.substr(0, colon)] = std::stoll(word.substr(colon + 1));
    }
    return result;
}

}  // namespace dse::conformance
