#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "dse/base/log.hpp"
#include "dse/results/table.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Rows that have the parts of their iteration time.
enum class PartsOf : std::uint8_t { none, front, all };

/// Points of feasible rows that have no parts yet.
std::vector<space::Point> points_without_parts(const results::Table& rows);

/// Evaluates points of a finished file again, with parts, and writes these into the file; all else of a row
/// stays as it is.
/// \param sweep  that the file is of
/// \throws InputError where the file is of another sweep, or a row comes out otherwise now; Stopped after a
/// signal, the file as it was
void fill_parts(const std::shared_ptr<const study::Sweep>& sweep, const std::filesystem::path& file,
                const std::vector<space::Point>& points, const Logger& log);

}  // namespace dse::app
