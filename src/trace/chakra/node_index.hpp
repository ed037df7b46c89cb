#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// Finds nodes by their ids, using a table if the ids are dense, as in most traces, else a sorted list.
class NodesById {
  public:
    static constexpr std::uint32_t none = TraceStep::none;

    explicit NodesById(std::span<const TraceStep> steps);

    /// Index of the first node with this id, or none.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const;
    /// Nodes whose id an earlier node has, in file order.
    [[nodiscard]] std::span<const std::uint32_t> duplicates() const { return duplicates_; }

  private:
    void fill_table(std::span<const TraceStep> steps, std::uint64_t width);
    void fill_list(std::span<const TraceStep> steps);

    std::uint64_t lowest_{0};
    std::vector<std::uint32_t> table_;  ///< by id - lowest_; empty if the list is used
    std::vector<std::pair<std::uint64_t, std::uint32_t>> list_;  ///< by id
    std::vector<std::uint32_t> duplicates_;
};

}  // namespace dse::trace::chakra
