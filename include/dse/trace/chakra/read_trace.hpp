#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// A fault in a record that can still be decoded.
struct TraceFault {
    enum class Kind : std::uint8_t {
        unknown_dependency,  ///< on an id that no node has; dropped
        duplicate_id,        ///< an earlier node has the same id; dependencies refer to the earlier one
        wrong_kind,          ///< of an attribute, such as text instead of a number; treated as absent
        out_of_range,        ///< a number that does not fit the field; treated as absent
        unknown_type,        ///< of a node or a collective
        bad_group            ///< a process group that cannot be parsed; dropped
    };
    Kind kind{Kind::unknown_dependency};
    NodeIndex node;
    std::string text;  ///< begins with the position of the record
};
std::string_view name(TraceFault::Kind kind);

/// The faults of a trace, by kind and then in file order. Only the first `most` are described, but all are
/// counted.
struct TraceFaults {
    static constexpr std::size_t most = 1000;
    std::vector<TraceFault> all;
    std::uint64_t count{0};
};

/// Reads the trace of a rank: any version of the schema, compressed or not, integer attributes of any width.
///
/// Nodes may come in any order. Fields that no simulator reads are skipped (use TraceReader for those).
/// \throws InputError naming file and record if a record cannot be decoded or has a fault
RankTrace read_trace(const std::string& path);

/// Like read_trace() above, but continues past faults and reports them.
RankTrace read_trace(const std::string& path, TraceFaults& faults);

}  // namespace dse::trace::chakra
