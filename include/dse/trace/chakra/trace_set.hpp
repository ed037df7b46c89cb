#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/trace/chakra/read_trace.hpp"

namespace dse::trace::chakra {

/// The traces of all ranks of a job. Equal traces are stored once.
struct TraceSet {
    std::vector<RankTrace> ranks;        ///< by rank
    std::vector<std::uint32_t> program;  ///< by rank: ranks with the same number share their Trace; numbered
                                         ///< by first use
    std::uint32_t programs{0};           ///< number of different programs
    std::size_t decoded{0};  ///< number of files decoded: the others are byte-for-byte copies of these
};

/// The existing files PREFIX.0.et, PREFIX.1.et, …. If `prefix` is the path of a file, only that file.
/// \throws InputError if there is none, or one in between is missing
std::vector<std::string> trace_files(const std::string& prefix);

/// Reads the traces of all ranks, one file per rank.
/// \throws InputError as read_trace does
TraceSet read_traces(const std::vector<std::string>& files);

/// The faults in a file. The overload of read_traces() below continues past faults and sets `faults` to those
/// of each decoded file that has any, with its rank.
struct RankFaults {
    std::size_t rank{0};
    TraceFaults faults;
};
TraceSet read_traces(const std::vector<std::string>& files, std::vector<RankFaults>& faults);

}  // namespace dse::trace::chakra
