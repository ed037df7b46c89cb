#pragma once

#include "dse/trace/chakra/read_trace.hpp"
#include "written_trace.hpp"

namespace dse::trace::chakra::test {

/// What is read of a written trace.
inline RankTrace read_back(const WrittenTrace& written) {
    const dse::test::TemporaryFolder folder;
    TraceFaults faults;
    return read_trace(written.write(folder, "t.et"), faults);
}

inline std::vector<std::uint64_t> ids(const Trace& trace, std::span<const NodeIndex> nodes) {
    std::vector<std::uint64_t> result;
    for (const NodeIndex node : nodes) result.push_back(trace.step(node).id);
    return result;
}

}  // namespace dse::trace::chakra::test
