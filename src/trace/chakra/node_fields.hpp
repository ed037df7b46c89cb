#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dse/graph/graph.hpp"

namespace dse::trace::chakra {

/// The type and the attributes of a node, encoded, with the kinds of values that the standard's readers look
/// for. The names of a collective's communicator and of a message's ends differ between ranks and are not
/// among them. \throws ContractViolation for a work that traces have no node for: Transfer, a ring shift
std::string fields_of(const graph::Work& work, graph::StreamId stream, const graph::Mesh& mesh);

/// Of a collective: its communicator.
std::string communicator_field(std::uint32_t number);

/// One end of a message.
struct Message {
    Bytes size;
    std::int64_t from{0};  ///< rank
    std::int64_t to{0};    ///< rank
    std::uint32_t tag{0};
    std::optional<graph::StreamId> stream;  ///< none: of an end that nothing orders
};
std::string fields_of_send(const Message& message);
std::string fields_of_receive(const Message& message);

/// What a node does, as the last part of its name: "gemm", "all_gather_tp".
std::string name_of(const graph::Work& work);

}  // namespace dse::trace::chakra
