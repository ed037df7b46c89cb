#pragma once

#include <cstdint>
#include <filesystem>

#include "dse/base/log.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Rows that have the parts of their iteration time.
enum class PartsOf : std::uint8_t { none, front, all };

/// Evaluates rows of a finished file again that have no parts yet, and writes these into the file; all else
/// of a row stays as it is.
/// \param sweep  that the file is of
/// \return rows that have got parts
/// \throws InputError where the file is of another sweep, or the rows come out otherwise now; Stopped after a
/// signal, the file as it was
std::uint64_t fill_parts(const study::Sweep& sweep, const std::filesystem::path& file, PartsOf rows,
                         const Logger& log);

}  // namespace dse::app
