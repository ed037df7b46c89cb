#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dse/graph/graph.hpp"

namespace dse::trace::chakra {

/// The type and the attributes of a node, encoded with the kinds of values that the standard's readers
/// expect. It excludes the communicator of a collective and the ends of a message, which differ between
/// ranks.
/// \throws ContractViolation for work that traces cannot represent: Transfer, a ring shift
std::string fields_of(const graph::Work& work, graph::StreamId stream, const graph::Mesh& mesh);

/// The communicator of a collective.
std::string communicator_field(std::uint32_t number);

/// One end of a message.
struct Message {
    Bytes size;
    std::int64_t from{0};  ///< rank
    std::int64_t to{0};    ///< rank
    std::uint32_t tag{0};
    std::optional<graph::StreamId> stream;  ///< none: this end is not ordered by a stream
};
std::string fields_of_send(const Message& message);
std::string fields_of_receive(const Message& message);

/// What a node does, as the last part of its name: "gemm", "all_gather_tp".
std::string name_of(const graph::Work& work);

}  // namespace dse::trace::chakra
