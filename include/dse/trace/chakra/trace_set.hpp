#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/trace/chakra/read_trace.hpp"

namespace dse::trace::chakra {

/// The traces of all ranks of a job. What is equal stands in memory once.
struct TraceSet {
    std::vector<RankTrace> ranks;  ///< by rank
    std::vector<std::uint32_t>
        program;                ///< by rank: ranks of one number share their Trace; numbered by first use
    std::uint32_t programs{0};  ///< how many different ones there are
    std::size_t decoded{0};     ///< files that had to be: the others are copies of these, byte by byte
};

/// PREFIX.0.et, PREFIX.1.et, …: those that are there. A file's own path stands for itself alone.
/// \throws InputError where there is none, or one in between is missing
std::vector<std::string> trace_files(const std::string& prefix);

/// Reads the traces of all ranks, one file a rank.
/// \throws InputError as read_trace does
TraceSet read_traces(const std::vector<std::string>& files);

/// Likewise, but carries on past faults and tells them.
/// \param faults  becomes those of each file that was decoded and has any, with its rank
struct RankFaults {
    std::size_t rank{0};
    TraceFaults faults;
};
TraceSet read_traces(const std::vector<std::string>& files, std::vector<RankFaults>& faults);

}  // namespace dse::trace::chakra
