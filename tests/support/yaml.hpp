#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/config/reader.hpp"

namespace dse::test {

/// What messages call the texts that tests parse.
inline const std::string yaml_name = "t.yaml";

/// Parses a text that must be right.
inline config::Node parse_right(std::string_view text) {
    config::Diagnostics diagnostics;
    config::Node node = config::parse_yaml(text, yaml_name, diagnostics);
    EXPECT_EQ(diagnostics.text(), "") << text;
    return node;
}

/// What the parser says about a text, one error a line; empty when it is right.
inline std::string parse_errors(std::string_view text) {
    config::Diagnostics diagnostics;
    (void)config::parse_yaml(text, yaml_name, diagnostics);
    return diagnostics.text();
}

/// Reads a described struct; all errors of parsing and reading, one a line.
template <class Struct>
std::string read_errors(std::string_view text, Struct& target, const config::Library* library = nullptr) {
    config::Diagnostics diagnostics;
    const config::Node node = config::parse_yaml(text, yaml_name, diagnostics);
    config::read_struct(node, target, library, diagnostics);
    return diagnostics.text();
}

}  // namespace dse::test
