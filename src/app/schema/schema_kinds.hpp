#pragma once

#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/config/library.hpp"

namespace dse::app {

/// A kind of file that users write, and its JSON Schema.
struct SchemaKind {
    std::string name;
    std::string description;
    Json (*make)(const config::Library& library);
};

/// sweep, model, template, cluster, device, stack.
const std::vector<SchemaKind>& schema_kinds();

/// \throws InputError for an unknown kind, with a suggestion
Json schema_of(const std::string& kind, const config::Library& library);

}  // namespace dse::app
