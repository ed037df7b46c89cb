#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/json_output.hpp"
#include "dse/config/library.hpp"
#include "dse/config/outline.hpp"

namespace dse::app {

/// Whether fields that `describe` requires must be present: not in a file with a `base`, nor if an axis may
/// provide them.
enum class Demand : std::uint8_t { all, nothing };

/// A map with these members and no others. \param library  its files are offered as values of names
Json object_schema(const std::vector<config::Outline>& members, Demand demand,
                   const config::Library& library);

/// A whole file that can have a `base`: with {base, …} nothing is required, otherwise everything.
Json file_schema(const std::vector<config::Outline>& members, const config::Library& library);

/// Any of several schemas.
Json any_of(std::vector<Json> schemas);

/// A list whose items all have one schema.
Json list_schema(Json items);

/// Text, or a number or flag that is read as text, since YAML infers types by itself.
Json text_schema();

/// Adds the version (draft 2020-12), a title and a description at the top.
Json with_heading(const std::string& kind, const std::string& description, Json schema);

}  // namespace dse::app
