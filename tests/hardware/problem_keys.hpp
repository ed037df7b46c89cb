#pragma once

#include <string>
#include <vector>

#include "dse/config/reader.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// The fields that are wrong, in the order of their checks.
inline std::vector<std::string> keys(const Problems& problems) {
    std::vector<std::string> result;
    for (const Problem& problem : problems.all()) result.push_back(problem.key);
    return result;
}

using Keys = std::vector<std::string>;

/// Reads a struct from YAML text; what is wrong comes back as "file:line:column: error: path: message" lines.
template <class Struct>
std::string errors_of(const std::string& yaml, Struct& result) {
    config::Diagnostics diagnostics;
    const config::Node node = config::parse_yaml(yaml, "x.yaml", diagnostics);
    config::read_struct(node, result, nullptr, diagnostics);
    return diagnostics.text();
}

}  // namespace dse::hardware
