#pragma once

#include <string>
#include <vector>

#include "dse/trace/chakra/trace_reader.hpp"
#include "dse/trace/chakra/trace_writer.hpp"
#include "support/temporary_folder.hpp"
#include "trace/chakra/record_writer.hpp"

namespace dse::trace::chakra::test {

inline std::vector<TraceNode> read_nodes(const std::string& path) {
    TraceReader reader{path};
    std::vector<TraceNode> nodes;
    TraceNode node;
    while (reader.next(node)) nodes.push_back(node);
    return nodes;
}

/// The trace of one rank, written and read back.
inline std::vector<TraceNode> trace_of(const graph::Graph& graph, std::int64_t rank,
                                       std::span<const double> seconds = {}) {
    const dse::test::TemporaryFolder folder;
    const Communicators communicators{graph};
    TraceFile file{folder.path("t.et"), Compression::none};
    const std::uint64_t nodes = TraceWriter{graph, seconds, communicators}.write(rank, file);
    file.close();
    std::vector<TraceNode> result = read_nodes(folder.path("t.et"));
    EXPECT_EQ(nodes, result.size());
    return result;
}

/// A node that has only these encoded fields.
inline TraceNode decoded(std::string_view fields, std::string_view more = {}) {
    const dse::test::TemporaryFolder folder;
    TraceFile file{folder.path("t.et"), Compression::none};
    const std::vector<std::uint8_t> no_metadata{0};
    file.write(no_metadata);
    RecordWriter writer{file};
    writer.node({1, "", "x", {}, {}, 0}, fields, more);
    writer.flush();
    file.close();
    return read_nodes(folder.path("t.et")).at(0);
}

}  // namespace dse::trace::chakra::test
