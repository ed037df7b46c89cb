#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/questions/row_key.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Of one metric that both files have: the rows of both in which it differs.
struct MetricDifference {
    std::string metric;
    std::uint64_t rows{0};
    double largest{0.0};    ///< |b - a| over the larger of both; 1 where only one has a value
    std::string example{};  ///< point with the largest
    double a{0.0};
    double b{0.0};
};

/// Rows of both files that ended differently.
struct StatusDifference {
    std::uint64_t rows{0};
    std::string example{};  ///< the first such point
    std::string reason{};   ///< of the first such point: why it has no answer now, or had none before
};

/// Holds the rows of one results file against those of another, matched by the values of their axes. The
/// first file's rows are kept, the second's go by.
class RowsDiff {
  public:
    /// \param a          all rows of the first file
    /// \param columns_b  a table without rows, with the columns of the second
    /// \param tolerance  numbers are equal that differ by no more than this share of the larger
    RowsDiff(results::Table a, const results::Table& columns_b, double tolerance);

    void add(const results::Table& block_of_b);

    [[nodiscard]] std::uint64_t in_both() const { return in_both_; }
    [[nodiscard]] std::uint64_t equal() const { return equal_; }
    [[nodiscard]] std::uint64_t only_a() const { return keys_.size() - in_both_; }
    [[nodiscard]] std::uint64_t only_b() const { return only_b_; }
    /// Rows of either file that have the same values of all axes that both files know as an earlier one.
    [[nodiscard]] std::uint64_t repeated() const { return repeated_; }
    /// Axes that one of the files says nothing of: they match whatever the other has.
    [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }
    /// Those that differ somewhere, by the number of rows, the most first.
    [[nodiscard]] std::vector<MetricDifference> metrics() const;
    [[nodiscard]] const std::map<std::pair<space::Status, space::Status>, StatusDifference>& statuses()
        const {
        return statuses_;
    }
    [[nodiscard]] const results::Table& a() const { return a_; }
    /// What rows of the files are matched by.
    [[nodiscard]] const RowKey& key_of_a() const { return key_a_; }
    [[nodiscard]] const RowKey& key_of_b() const { return key_b_; }

  private:
    struct Kept {
        std::size_t row{0};
        bool met{false};
    };
    struct Shared {
        std::size_t a{0};  ///< by index into metrics
        std::size_t b{0};
        bool is_part{false};  ///< of the iteration time: a file has them of the rows of which somebody asked
        MetricDifference found;
    };
    void share_metrics(const results::Table& columns_b);
    void index_rows();
    bool compare(std::size_t row_a, const results::Table& b, std::size_t row_b);
    bool compare_status(std::size_t row_a, const results::Table& b, std::size_t row_b);

    results::Table a_;
    double tolerance_;
    std::vector<std::string> left_out_;
    RowKey key_a_;
    RowKey key_b_;
    std::vector<Shared> shared_;
    std::unordered_map<std::string, Kept> keys_;
    std::uint64_t in_both_{0};
    std::uint64_t equal_{0};
    std::uint64_t only_b_{0};
    std::uint64_t repeated_{0};
    std::map<std::pair<space::Status, space::Status>, StatusDifference> statuses_;
};

/// "tp=8 pp=4": a row by its axes, for people.
std::string point_text(const results::Table& rows, std::size_t row);

}  // namespace dse::app
