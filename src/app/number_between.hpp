#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace dse::app {

/// Validator of an option that is a number: CLI::Range lets NaN pass, and its message has long numbers.
inline CLI::Validator number_between(double least, double most) {
    const auto operation = [least, most](const std::string& text) -> std::string {
        double value = 0.0;
        if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return {};
        return fmt::format("{} is not between {:g} and {:g}", text, least, most);
    };
    return CLI::Validator{operation, ""};
}

}  // namespace dse::app
