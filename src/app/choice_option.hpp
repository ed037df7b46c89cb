#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "dse/base/nearest.hpp"

namespace dse::app {

/// Validator of an option whose values have names. An unknown name is an error that suggests known ones.
template <class Value>
CLI::Validator choice_of(const std::map<std::string, Value>& values) {
    const auto operation = [values](std::string& text) -> std::string {
        if (const auto found = values.find(text); found != values.end()) {
            text = fmt::format("{}", static_cast<int>(found->second));
            return {};
        }
        std::vector<std::string> names;
        names.reserve(values.size());
        for (const auto& [name, value] : values) names.push_back(name);
        return fmt::format("unknown value '{}'{}", text, suggestion(text, names));
    };
    return CLI::Validator{operation, ""};
}

/// The same for all values of a type that lists their names (choice_names).
template <class Value>
CLI::Validator choice_of() {
    std::map<std::string, Value> values;
    for (const std::string_view name : choice_names(Value{}))
        values.emplace(name, static_cast<Value>(values.size()));
    return choice_of(values);
}

}  // namespace dse::app
