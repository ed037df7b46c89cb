#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "chakra/execution_trace.pb.h"
#include "dse/trace/chakra/trace_file.hpp"

namespace dse::trace::chakra {

/// What becomes of a trace's records, one after the other.
struct Rewriting {
    std::function<void(wire::GlobalMetadata& metadata)> metadata;  ///< or nothing: they stay
    std::function<void(wire::Node& node, std::size_t index)> node;
};

/// Writes a trace again, uncompressed, with its records changed.
/// \throws InputError where `from` is no Chakra trace, or `to` exists and may not be replaced
void rewrite_trace(const std::string& from, const std::string& to, Existing existing,
                   const Rewriting& rewriting);

}  // namespace dse::trace::chakra
