#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/output_file.hpp"
#include "dse/eval/why/played_point.hpp"

namespace dse::app {

/// Stages that a timeline shows.
struct TimelineStages {
    /// If there are more stages, only the first, the last, and the one with most of the critical path are
    /// shown.
    static constexpr std::size_t most = 4;

    std::string wanted;  ///< "all", a list ("0,5,8-11"), or empty: representative ones
};

/// Writes the timelines of a point's stages as a trace for Perfetto and Chrome, compressed if the path ends
/// in ".gz".
/// \param device  device whose power is shown
/// \return the stages that are shown
/// \throws InputError if a stage does not exist or the file cannot be written
std::vector<std::uint32_t> write_timeline(const std::string& path, Existing existing,
                                          const eval::PlayedPoint& played, const TimelineStages& stages,
                                          const hardware::DeviceSpec& device);

}  // namespace dse::app
