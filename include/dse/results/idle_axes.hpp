#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::results {

/// Watches rows go by and finds the axes that change nothing: there are rows that differ in this axis alone,
/// and all of them have equal status and metrics. A swept field that no model reads, or that only matters
/// beside others that the sweep leaves out. An axis without such rows (of a sampler that draws, or tied to
/// others by `require`) is not among them.
///
/// Rows are known by hashes of 64 bits. Where there are more groups of rows that differ in one axis alone
/// than `most_groups`, a part of them is looked at, chosen by their hashes, so that memory does not grow with
/// the rows.
class IdleAxes {
  public:
    /// \param columns  a table without rows, with the columns of those that will come
    explicit IdleAxes(const Table& columns);

    void add(const Table& block);

    [[nodiscard]] std::vector<std::string> names() const;

    /// Of how many groups one was looked at, at worst; 1 where all were.
    [[nodiscard]] std::uint64_t looked_at_one_of() const;

    static constexpr std::size_t most_groups = std::size_t{1} << 16U;

  private:
    struct Axis {
        std::string name;
        std::size_t column{0};
        bool differs{false};    ///< two rows that differ in this axis alone have different answers
        bool has_any{false};    ///< two such rows have equal ones
        std::uint64_t mask{0};  ///< groups whose hash has one of these bits are not looked at
        std::unordered_map<std::uint64_t, std::uint64_t> answers;  ///< of a group, that of its first row
    };

    void add_row(const Table& block, std::size_t row);
    static void add_to(Axis& axis, std::uint64_t group, std::uint64_t answer, bool is_ok);

    std::vector<std::size_t> answers_;  ///< columns of metrics
    std::vector<Axis> axes_;
    std::vector<std::uint64_t> value_hashes_;
};

}  // namespace dse::results
