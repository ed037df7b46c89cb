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

/// Rows that have the parts of their iteration time.
enum class PartsOf : std::uint8_t { none, front, all };

/// Points of feasible rows that have no parts yet.
std::vector<space::Point> points_without_parts(const results::Table& rows);

/// Whether rows have parts to fill in: not where a program answers, nor where two fidelities do.
bool can_fill_parts(const study::Sweep& sweep);

/// Evaluates points of a sweep again, with parts, and adds these rows to its output, where they take the
/// place of those without. \throws Stopped after a signal
void add_parts(const std::shared_ptr<const study::Sweep>& sweep, const std::vector<space::Point>& points,
               results::SweepOutput& output);

/// The same for the front of all rows that the output has so far.
void add_parts_of_front(const std::shared_ptr<const study::Sweep>& sweep, results::SweepOutput& output);

/// Evaluates points of a finished file again, with parts, and writes these into the file; all else of a row
/// stays as it is.
/// \param sweep  that the file is of
/// \throws InputError where the file is of another sweep, or a row comes out otherwise now; Stopped after a
/// signal, the file as it was
void fill_parts(const std::shared_ptr<const study::Sweep>& sweep, const std::filesystem::path& file,
                const std::vector<space::Point>& points, const Logger& log);

}  // namespace dse::app
