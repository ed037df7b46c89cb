#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dse/base/name_table.hpp"
#include "dse/trace/chakra/read_trace.hpp"
#include "trace/chakra/node_decoder.hpp"

namespace dse::trace::chakra {

/// Numbers values in order of their first appearance: 0, 1, ….
template <class Value>
class Slots {
  public:
    std::uint32_t add(Value value) {
        const auto [found, is_new] = slots_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
        if (is_new) values_.push_back(std::move(value));
        return found->second;
    }
    std::vector<Value> take() { return std::move(values_); }

  private:
    std::unordered_map<Value, std::uint32_t> slots_;
    std::vector<Value> values_;
};

/// Builds a trace from nodes in file order.
class TraceBuilder {
  public:
    explicit TraceBuilder(TraceFaults& faults);

    void add(DecodedNode& node);
    /// Must be called once, at the end: resolves the dependencies and releases excess memory.
    /// \return without path and version
    RankTrace finish();

  private:
    void add_communication(const DecodedNode& node, TraceStep& step);
    void tell(TraceFault::Kind kind, std::size_t node, std::string_view text);
    void resolve_dependencies();
    [[nodiscard]] std::uint64_t checksum() const;

    TraceFaults& faults_;
    Trace trace_;
    NameTable names_;
    Slots<std::string> groups_;
    Slots<std::int64_t> ranks_;
    Slots<std::int64_t> tags_;
    std::vector<ProcessGroup> declared_;
    std::vector<std::uint64_t> ids_;  ///< of the nodes waited for, parallel to Trace::dependencies_
};

}  // namespace dse::trace::chakra
