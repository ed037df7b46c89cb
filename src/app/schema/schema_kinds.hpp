#pragma once

#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/config/library.hpp"

namespace dse::app {

/// A kind of file that people write, and its JSON Schema.
struct SchemaKind {
    std::string name;
    std::string description;
    Json (*make)(const config::Library& library);
};

/// sweep, model, template, cluster, device, stack.
const std::vector<SchemaKind>& schema_kinds();

/// \throws InputError naming the nearest kind
Json schema_of(const std::string& kind, const config::Library& library);

}  // namespace dse::app
