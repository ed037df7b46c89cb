#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <google/protobuf/message_lite.h>

#include "dse/trace/chakra/trace_file.hpp"

namespace dse::trace::chakra {

using NodeId = std::uint64_t;

/// The parts of a node that differ in each execution.
struct NodeHead {
    NodeId id{0};
    std::string_view place;  ///< the name is place + what
    std::string_view what;
    std::span<const NodeId> control;
    std::span<const NodeId> data;
    std::uint64_t duration_micros{0};
};

/// Writes length-prefixed records. Nodes are encoded directly into a buffer: a node is a head followed by the
/// bytes of its constant fields, since the encoding allows any order of fields.
class RecordWriter {
  public:
    /// \param file  must outlive the writer
    explicit RecordWriter(TraceFile& file);

    void message(const google::protobuf::MessageLite& message);
    /// \param same  encoded fields of a node: protobuf's encoding of a message with only these fields
    /// \param more  more of these
    void node(const NodeHead& head, std::string_view same, std::string_view more = {});
    /// Writes what is left in the buffer. Must be called last.
    void flush();

  private:
    std::uint8_t* room(std::size_t bytes);

    TraceFile& file_;
    std::vector<std::uint8_t> buffer_;
    std::size_t used_{0};
};

}  // namespace dse::trace::chakra
