#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "chakra/execution_trace.pb.h"
#include "dse/trace/chakra/trace_file.hpp"

namespace dse::trace::chakra {

/// Functions that change the records of a trace in order.
struct Rewriting {
    std::function<void(wire::GlobalMetadata& metadata)> metadata;  ///< empty: unchanged
    std::function<void(wire::Node& node, std::size_t index)> node;
};

/// Copies a trace, uncompressed, with changed records.
/// \throws InputError if `from` is not a Chakra trace, or `to` exists and must not be replaced
void rewrite_trace(const std::string& from, const std::string& to, Existing existing,
                   const Rewriting& rewriting);

}  // namespace dse::trace::chakra
