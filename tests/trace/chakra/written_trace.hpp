#pragma once

#include <string>
#include <vector>

#include "chakra/execution_trace.pb.h"
#include "support/temporary_folder.hpp"
#include "trace/chakra/record_writer.hpp"

namespace dse::trace::chakra::test {

/// Trace files of nodes made by hand, as protobuf encodes them.
class WrittenTrace {
  public:
    wire::Node& add(std::uint64_t id, const std::string& name, wire::NodeType type,
                    std::vector<std::uint64_t> data = {}) {
        wire::Node& node = nodes_.emplace_back();
        node.set_id(id);
        node.set_name(name);
        node.set_type(type);
        for (const std::uint64_t other : data) node.add_data_dependencies(other);
        return node;
    }

    /// \return its path
    std::string write(const dse::test::TemporaryFolder& folder, const std::string& name,
                      Compression compression = Compression::none) const {
        TraceFile file{folder.path(name), compression};
        RecordWriter writer{file};
        wire::GlobalMetadata metadata;
        metadata.set_version("0.0.4");
        writer.message(metadata);
        for (const wire::Node& node : nodes_) writer.message(node);
        writer.flush();
        file.close();
        return folder.path(name);
    }

  private:
    std::vector<wire::Node> nodes_;
};

inline wire::Attribute& attribute(wire::Node& node, const std::string& name) {
    wire::Attribute& result = *node.add_attributes();
    result.set_name(name);
    return result;
}

}  // namespace dse::trace::chakra::test
