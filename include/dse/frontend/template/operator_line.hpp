#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dse::frontend {

/// One line of a template: `y, z = kind("text", a, b, key=expression)`.
struct OperatorLine {
    struct Option {
        std::string key;
        std::string value;
    };

    std::vector<std::string> results;
    std::string kind;
    std::string text;  ///< the quoted argument, if any
    std::vector<std::string> operands;
    std::vector<Option> options;

    [[nodiscard]] const std::string* option(std::string_view key) const;
};

/// \returns nothing if the text is not such a line; `error` is then the reason with the column, from 1
std::optional<OperatorLine> parse_operator_line(std::string_view text, std::string& error);

}  // namespace dse::frontend
