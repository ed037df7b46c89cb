#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/json_output.hpp"
#include "app/text_table.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/study/point_choice.hpp"

namespace dse::app {

/// A value of a point as JSON.
Json value_json(const space::Space& space, std::size_t slot, double value);

/// Whether the point was simulated to the end, so that its parts and memory are known. Also true for points
/// that are out of memory.
bool has_result(const eval::Explanation& explanation);

/// Bytes by kind on the device with the highest peak; memory that the allocator cannot use counts as
/// workspace.
sim::BytesByKind memory_by_kind(const eval::Explanation& explanation);

/// A point as JSON: its values and {status, reason, metrics, parts, memory}.
Json point_json(const space::Space& space, const eval::Explanation& explanation);

/// The same as text.
/// \param id  of its row in the sweep's results; nothing if there is none
std::string point_text(const study::Sweep& sweep, const eval::Explanation& explanation,
                       std::optional<std::uint64_t> id);

}  // namespace dse::app
