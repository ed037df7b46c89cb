#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/json_output.hpp"
#include "dse/config/library.hpp"
#include "dse/config/outline.hpp"

namespace dse::app {

/// Whether what `describe` requires has to be there: not in a file with a `base`, nor where an axis may say
/// it.
enum class Demand : std::uint8_t { all, nothing };

/// A map with these members and no others. \param library  its files are offered as names
Json object_schema(const std::vector<config::Outline>& members, Demand demand,
                   const config::Library& library);

/// What a whole file may say that can stand on a `base`: {base, …} demands nothing, all else everything.
Json file_schema(const std::vector<config::Outline>& members, const config::Library& library);

/// Any of several schemas.
Json any_of(std::vector<Json> schemas);

/// A list whose items are all alike.
Json list_schema(Json items);

/// Text, or a number, or a flag that is read as text: YAML decides by itself what looks like what.
Json text_schema();

/// Draft 2020-12, with title and description at the top.
Json with_heading(const std::string& kind, const std::string& description, Json schema);

}  // namespace dse::app
