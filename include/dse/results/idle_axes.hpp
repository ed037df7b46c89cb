#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::results {

/// Finds the axes without effect in a stream of rows: there are rows that differ in this axis only, and all
/// of them have equal status and metrics. Examples are fields that no model reads, or that only matter
/// together with fields that the sweep does not set. Axes without such rows (random samplers, axes tied to
/// others by `require`) are not reported.
///
/// Rows are identified by 64-bit hashes. If there are more than `most_groups` groups of rows that differ in
/// one axis only, a part of them, selected by hash, is examined, so that memory does not grow with the rows.
class IdleAxes {
  public:
    /// \param columns  an empty table with the columns of the rows to come
    explicit IdleAxes(const Table& columns);

    void add(const Table& block);

    [[nodiscard]] std::vector<std::string> names() const;

    /// At worst one of this number of groups was examined; 1 if all were.
    [[nodiscard]] std::uint64_t looked_at_one_of() const;

    static constexpr std::size_t most_groups = std::size_t{1} << 16U;

  private:
    struct Axis {
        std::string name;
        std::size_t column{0};
        bool differs{false};    ///< two rows that differ in this axis only have different results
        bool has_any{false};    ///< two such rows have equal results
        std::uint64_t mask{0};  ///< groups whose hash has any of these bits are not examined
        std::unordered_map<std::uint64_t, std::uint64_t> answers;  ///< of a group, that of its first row
    };

    void add_row(const Table& block, std::size_t row);
    static void add_to(Axis& axis, std::uint64_t group, std::uint64_t answer, bool is_ok);

    std::vector<std::size_t> answers_;  ///< columns of metrics
    std::vector<Axis> axes_;
    std::vector<std::uint64_t> value_hashes_;
};

}  // namespace dse::results
