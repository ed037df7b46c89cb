#pragma once

#include <string>

#include "app/json_output.hpp"
#include "app/point_choice.hpp"
#include "app/text_table.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/sim/timeline.hpp"

namespace dse::app {

/// "tp", "dp+tp": the group over these axes.
std::string group_name(std::size_t group);

/// Whether the point was played to the end: its parts and memory are known. True for points out of memory,
/// too.
bool has_result(const eval::Explanation& explanation);

/// Bytes by kind on the fullest device; what the allocator cannot use counts as workspace.
sim::BytesByKind memory_by_kind(const eval::Explanation& explanation);

/// How busy each stream of one stage is.
struct StreamUse {
    std::string stream;
    double busy{0};  ///< s of an iteration
};
/// \param steps  that the timeline shows of it, all alike
std::vector<StreamUse> stream_use(const sim::Timeline& timeline, std::uint32_t steps);

/// A point as JSON: {status, reason, metrics, parts, memory} and what the point is.
Json point_json(const space::Space& space, const eval::Explanation& explanation);

/// The same for people. \param streams  of the limiting stage; may be empty
std::string point_text(const eval::Sweep& sweep, const eval::Explanation& explanation,
                       const std::vector<StreamUse>& streams);

}  // namespace dse::app
