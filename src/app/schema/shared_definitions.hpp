#pragma once

#include "app/json_output.hpp"

namespace dse::app {

/// The same schema with each part that stands in several places written once, under `$defs`, and referred to
/// by `$ref`. A definition is called by the first property that has it; descriptions stay with the property.
Json with_shared_definitions(Json schema);

}  // namespace dse::app
