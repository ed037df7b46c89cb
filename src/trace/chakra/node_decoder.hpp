#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/trace/chakra/read_trace.hpp"

namespace dse::trace::chakra {

/// A record's fields as simulators want them. Views are of the record's bytes.
struct DecodedNode {
    TraceStep step;
    Communication communication;
    bool communicates{false};  ///< it has a field of communication
    std::string_view name;
    std::string_view group;  ///< pg_name
    std::int64_t source{0};
    std::int64_t destination{0};
    std::int64_t tag{0};
    std::string_view input_values;  ///< of its arguments, as the framework printed them
    std::vector<std::uint64_t> control;
    std::vector<std::uint64_t> data;
    std::vector<std::pair<TraceFault::Kind, std::string>> faults;  ///< without the record's place

    void clear();
    void wrong(TraceFault::Kind kind, std::string text) { faults.emplace_back(kind, std::move(text)); }

    std::string group_number;  ///< what `group` views where the file has a number
};

/// Takes a node out of its bytes: several million a second, since nothing is copied and what no simulator
/// reads is skipped. \param node  cleared first \return false where the bytes are no node
bool decode(std::span<const std::uint8_t> record, DecodedNode& node);

}  // namespace dse::trace::chakra
