#pragma once

#include <nlohmann/json.hpp>

namespace dse::app {

/// JSON that keeps the order in which it was made.
using Json = nlohmann::ordered_json;

/// Version of what --json prints: raised when a name or a meaning changes.
inline constexpr int json_schema = 1;

/// An object that begins with its `schema`.
Json json_object();

/// Prints one object. Numbers have every digit; NaN and infinities are null.
void print_json(const Json& object);

}  // namespace dse::app
