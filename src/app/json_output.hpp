#pragma once

#include <nlohmann/json.hpp>

namespace dse::app {

/// JSON that keeps the order of insertion.
using Json = nlohmann::ordered_json;

/// Version of the output of --json: incremented if a name or a meaning changes.
inline constexpr int json_schema = 1;

/// An object that starts with its `schema`.
Json json_object();

/// Prints one object. Numbers have all digits; NaN and infinities are null.
void print_json(const Json& object);

}  // namespace dse::app
