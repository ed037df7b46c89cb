#pragma once

#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/eval/why/communication.hpp"
#include "dse/eval/why/path_summary.hpp"
#include "dse/eval/why/sensitivity.hpp"

namespace dse::app {

/// Busy time of a stream of one stage.
struct StreamUse {
    std::string stream;
    double busy{0};  ///< s per iteration
};
/// The streams of the busiest stage that have any work.
std::vector<StreamUse> stream_use(const eval::PlayedPoint& point);

/// Explains the iteration time of a point.
struct Why {
    std::uint32_t busiest_stage{0};
    std::uint32_t last_stage{0};
    double iteration_time{0};  ///< s
    std::vector<eval::PathRow> path;
    /// Whether operators are a compiler's numbered instructions, which the text groups by kind.
    bool of_program{false};
    double stage_changes{0};
    eval::Communication communication;
    std::vector<StreamUse> streams;
    std::vector<eval::Sensitivity> sensitivities;
};

/// Computes everything except the sensitivities.
Why why_of(const eval::PlayedPoint& point, const eval::Explanation& explanation);

/// Adds `critical_path`, `communication`, `tiers`, `streams` and `what_if` (docs/explanations.md).
void add_why(const Why& why, Json& json);

/// The same as text.
std::string why_text(const Why& why);

}  // namespace dse::app
