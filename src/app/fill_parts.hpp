#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "dse/base/log.hpp"
#include "dse/results/sweep_output.hpp"
#include "dse/results/table.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Which rows get the parts of their iteration time.
enum class PartsOf : std::uint8_t { none, front, all };

/// The points of feasible rows that have no parts yet.
std::vector<space::Point> points_without_parts(const results::Table& rows);

/// Whether parts can be filled in: not if a program answers the points, nor if the search uses two
/// fidelities.
bool can_fill_parts(const study::Sweep& sweep);

/// Evaluates points of a sweep again, with parts, and adds these rows to its output, where they replace those
/// without parts.
/// \throws Stopped after a signal
void add_parts(const std::shared_ptr<const study::Sweep>& sweep, const std::vector<space::Point>& points,
               results::SweepOutput& output);

/// Same for the front of all rows in the output so far.
void add_parts_of_front(const std::shared_ptr<const study::Sweep>& sweep, results::SweepOutput& output);

/// Evaluates points of a finished file again, with parts, and writes the parts into the file; everything else
/// in a row stays unchanged.
/// \param sweep  sweep of the file
/// \throws InputError if the file belongs to another sweep, or if a row has a different result now; Stopped
///         after a signal, with the file unchanged
void fill_parts(const std::shared_ptr<const study::Sweep>& sweep, const std::filesystem::path& file,
                const std::vector<space::Point>& points, const Logger& log);

}  // namespace dse::app
