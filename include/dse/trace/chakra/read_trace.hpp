#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// What is wrong with a record, though it can be decoded.
struct TraceFault {
    enum class Kind : std::uint8_t {
        unknown_dependency,  ///< on an id that no node has; left out of the trace
        duplicate_id,        ///< an earlier node has it; dependencies mean the earlier one
        wrong_kind,          ///< an attribute that is no number where one is needed, …; taken as absent
        out_of_range,        ///< a number that the field cannot hold; taken as absent
        unknown_type,        ///< of node, or of collective
        bad_group            ///< a process group that cannot be read; left out
    };
    Kind kind{Kind::unknown_dependency};
    NodeIndex node;
    std::string text;  ///< begins with the record
};
std::string_view name(TraceFault::Kind kind);

/// The faults of a trace, in the file's order by kind; the first thousand in words, all of them counted.
struct TraceFaults {
    static constexpr std::size_t most = 1000;
    std::vector<TraceFault> all;
    std::uint64_t count{0};
};

/// Reads a rank's trace: any version of the schema, compressed or not, attributes of any kind of integer.
///
/// Nodes may stand in any order. Fields that no simulator reads are left in the file (TraceReader has them).
/// \throws InputError naming file and record where a record cannot be decoded, or has a fault
RankTrace read_trace(const std::string& path);

/// Likewise, but carries on past faults and tells them.
RankTrace read_trace(const std::string& path, TraceFaults& faults);

}  // namespace dse::trace::chakra
