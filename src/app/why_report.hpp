#pragma once

#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/eval/why/communication.hpp"
#include "dse/eval/why/path_summary.hpp"
#include "dse/eval/why/sensitivity.hpp"

namespace dse::app {

/// How busy each stream of one stage is.
struct StreamUse {
    std::string stream;
    double busy{0};  ///< s of an iteration
};
/// Of the busiest stage, those that have something to do.
std::vector<StreamUse> stream_use(const eval::PlayedPoint& point);

/// Why a point takes as long as it does.
struct Why {
    std::uint32_t busiest_stage{0};
    std::uint32_t last_stage{0};
    double iteration_time{0};  ///< s
    std::vector<eval::PathRow> path;
    /// Operators are a compiler's instructions, each with a number of its own; people see them by kind.
    bool of_program{false};
    double stage_changes{0};
    eval::Communication communication;
    std::vector<StreamUse> streams;
    std::vector<eval::Sensitivity> sensitivities;
};

/// All but the sensitivities.
Why why_of(const eval::PlayedPoint& point, const eval::Explanation& explanation);

/// Adds `critical_path`, `communication`, `tiers`, `streams` and `what_if` (docs/explanations.md).
void add_why(const Why& why, Json& json);

/// The same for people.
std::string why_text(const Why& why);

}  // namespace dse::app
