#pragma once

#include "app/json_output.hpp"

namespace dse::app {

/// The same schema with each part that occurs in several places written once, under `$defs`, and referenced
/// by `$ref`. A definition is named after the first property that has it; descriptions stay with the
/// properties.
Json with_shared_definitions(Json schema);

}  // namespace dse::app
