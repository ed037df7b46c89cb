#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/output_file.hpp"
#include "dse/eval/why/played_point.hpp"

namespace dse::app {

/// Which stages a timeline shows.
struct TimelineStages {
    /// Of more stages the first, the last, and the one on which the critical path is longest are shown.
    static constexpr std::size_t most = 4;

    std::string wanted;  ///< "all", a list ("0,5,8-11"), or empty: representative ones
};

/// Writes what the streams of a point's stages do, as a trace for Perfetto and Chrome; compressed where the
/// path ends in ".gz". \param device  whose power is shown \return the stages that are shown \throws
/// InputError for a stage that is none, and where the file cannot be written
std::vector<std::uint32_t> write_timeline(const std::string& path, Existing existing,
                                          const eval::PlayedPoint& played, const TimelineStages& stages,
                                          const hardware::DeviceSpec& device);

}  // namespace dse::app
