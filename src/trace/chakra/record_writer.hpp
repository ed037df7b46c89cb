#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <google/protobuf/message_lite.h>

#include "dse/trace/chakra/trace_file.hpp"

namespace dse::trace::chakra {

using NodeId = std::uint64_t;

/// What of a node differs each time that it is played.
struct NodeHead {
    NodeId id{0};
    std::string_view place;  ///< its name is place and what, one after the other
    std::string_view what;
    std::span<const NodeId> control;
    std::span<const NodeId> data;
    std::uint64_t duration_micros{0};
};

/// Writes records, each behind its length. Nodes are encoded straight into a buffer: a node is a head and the
/// bytes of the fields that stay the same, and by the rules of the encoding their order within a record is
/// free.
class RecordWriter {
  public:
    /// file must outlive the writer.
    explicit RecordWriter(TraceFile& file);

    void message(const google::protobuf::MessageLite& message);
    /// \param same  encoded fields of a node: what protobuf made of a message that has only those
    /// \param more  likewise
    void node(const NodeHead& head, std::string_view same, std::string_view more = {});
    /// Hands on what is still in the buffer. To be called last.
    void flush();

  private:
    std::uint8_t* room(std::size_t bytes);

    TraceFile& file_;
    std::vector<std::uint8_t> buffer_;
    std::size_t used_{0};
};

}  // namespace dse::trace::chakra
