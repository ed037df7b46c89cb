#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// Which dependencies of a trace are respected. Some recorders write the call tree as control dependencies,
/// which then contradict the data dependencies.
enum class Dependencies : std::uint8_t { all, data };

/// The dependencies of a trace for a readiness-driven simulation, and the precedence among ready nodes.
/// Shared by all ranks with the same trace.
class DependencyTable {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// \param before  by node: one additional dependency, or none; may be empty
    /// \throws InputError naming nodes with cyclic dependencies
    explicit DependencyTable(const trace::chakra::RankTrace& rank, std::vector<std::uint32_t> before = {},
                             Dependencies dependencies = Dependencies::all);

    [[nodiscard]] std::size_t size() const { return waits_.size(); }
    /// Number of distinct nodes that it depends on.
    [[nodiscard]] std::uint32_t waits(std::uint32_t node) const { return waits_[node]; }
    /// Nodes that depend on it.
    [[nodiscard]] std::span<const std::uint32_t> children(std::uint32_t node) const {
        return {children_.data() + first_child_[node], first_child_[node + 1] - first_child_[node]};
    }
    /// Its index among all nodes in ascending order of ids.
    [[nodiscard]] std::uint32_t place(std::uint32_t node) const { return place_[node]; }
    [[nodiscard]] std::uint32_t at_place(std::uint32_t place) const { return node_at_[place]; }

  private:
    void fill_parents(const trace::chakra::Trace& trace, std::uint32_t node,
                      std::vector<std::uint32_t>& parents) const;
    void sort_by_id(const trace::chakra::Trace& trace);
    void link(const trace::chakra::Trace& trace);
    void check_for_circles(const trace::chakra::RankTrace& rank) const;

    Dependencies dependencies_;
    std::vector<std::uint32_t> before_;
    std::vector<std::uint32_t> waits_;
    std::vector<std::uint32_t> first_child_;
    std::vector<std::uint32_t> children_;
    std::vector<std::uint32_t> place_;
    std::vector<std::uint32_t> node_at_;
};

}  // namespace dse::sim::replay
