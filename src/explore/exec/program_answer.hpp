#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dse/space/record.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// Input of the program: {"id": 12, "values": {"x": 1.5, "kind": "ring", …}}; SI units.
std::string point_line(const space::Space& space, const space::Point& point);

/// The command for one point, with {name} and {id} replaced; if it contains neither, --name=value is appended
/// for every value.
std::vector<std::string> point_command(const space::Space& space, const space::Point& point);

/// Parses an answer: {"area": 2.5, …} with every metric that `exec` names, null for one without a value; or
/// {"status": "outside_validity", "reason": "…"}. Anything else makes the record failed, with the reason.
void take_answer(const space::Space& space, std::string_view text, space::Record& record);

}  // namespace dse::explore
