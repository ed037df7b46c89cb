#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/trace/chakra/read_trace.hpp"

namespace dse::trace::chakra {

/// The fields of a record as simulators need them. Views point into the record's bytes.
struct DecodedNode {
    TraceStep step;
    Communication communication;
    bool communicates{false};  ///< whether it has a communication field
    std::string_view name;
    std::string_view group;  ///< pg_name
    std::int64_t source{0};
    std::int64_t destination{0};
    std::int64_t tag{0};
    std::string_view input_values;  ///< of its arguments, as printed by the framework
    std::vector<std::uint64_t> control;
    std::vector<std::uint64_t> data;
    std::vector<std::pair<TraceFault::Kind, std::string>> faults;  ///< without the position of the record

    void clear();
    void wrong(TraceFault::Kind kind, std::string text) { faults.emplace_back(kind, std::move(text)); }

    std::string group_number;  ///< storage for `group` if the file has a number
};

/// Decodes a node from its bytes: several million per second, since nothing is copied and what no simulator
/// reads is skipped.
/// \param node  cleared first
/// \return false if the bytes are not a node
bool decode(std::span<const std::uint8_t> record, DecodedNode& node);

}  // namespace dse::trace::chakra
