#pragma once

#include <string>

#include "app/json_output.hpp"
#include "app/text_table.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/study/point_choice.hpp"

namespace dse::app {

/// A value of a point for programs.
Json value_json(const space::Space& space, std::size_t slot, double value);

/// Whether the point was played to the end: its parts and memory are known. True for points out of memory,
/// too.
bool has_result(const eval::Explanation& explanation);

/// Bytes by kind on the fullest device; what the allocator cannot use counts as workspace.
sim::BytesByKind memory_by_kind(const eval::Explanation& explanation);

/// A point as JSON: {status, reason, metrics, parts, memory} and what the point is.
Json point_json(const space::Space& space, const eval::Explanation& explanation);

/// The same for people.
std::string point_text(const study::Sweep& sweep, const eval::Explanation& explanation);

}  // namespace dse::app
