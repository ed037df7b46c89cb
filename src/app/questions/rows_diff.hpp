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

/// Differences in one metric that both files have, over the rows that both have.
struct MetricDifference {
    std::string metric;
    std::uint64_t rows{0};
    double largest{0.0};    ///< |b - a| as a share of the larger; 1 if only one has a value
    std::string example{};  ///< point with the largest difference
    double a{0.0};
    double b{0.0};
};

/// Rows of both files whose status differs.
struct StatusDifference {
    std::uint64_t rows{0};
    std::string example{};  ///< the first such point
    std::string reason{};   ///< why the first such point has no answer now, or had none before
};

/// Compares the rows of two results files, matched by the values of their axes. The rows of the first file
/// are kept in memory, those of the second are added block by block.
class RowsDiff {
  public:
    /// \param a          all rows of the first file
    /// \param columns_b  a table without rows, with the columns of the second file
    /// \param tolerance  numbers are equal if they differ by at most this share of the larger one
    RowsDiff(results::Table a, const results::Table& columns_b, double tolerance);

    void add(const results::Table& block_of_b);

    [[nodiscard]] std::uint64_t in_both() const { return in_both_; }
    [[nodiscard]] std::uint64_t equal() const { return equal_; }
    [[nodiscard]] std::uint64_t only_a() const { return keys_.size() - in_both_; }
    [[nodiscard]] std::uint64_t only_b() const { return only_b_; }
    /// Number of rows that equal an earlier row of the same file in all axes that both files know.
    [[nodiscard]] std::uint64_t repeated() const { return repeated_; }
    /// Axes for which one of the files has no value; they are ignored when matching.
    [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }
    /// Metrics that differ in some row, in descending order of the number of these rows.
    [[nodiscard]] std::vector<MetricDifference> metrics() const;
    [[nodiscard]] const std::map<std::pair<space::Status, space::Status>, StatusDifference>& statuses()
        const {
        return statuses_;
    }
    [[nodiscard]] const results::Table& a() const { return a_; }
    /// Keys by which the rows of the two files are matched.
    [[nodiscard]] const RowKey& key_of_a() const { return key_a_; }
    [[nodiscard]] const RowKey& key_of_b() const { return key_b_; }

  private:
    struct Kept {
        std::size_t row{0};
        bool met{false};
    };
    struct Shared {
        std::size_t a{0};     ///< index into the metrics of a
        std::size_t b{0};     ///< index into the metrics of b
        bool is_part{false};  ///< of the iteration time; a file has these only for rows that were asked for
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

/// A row by its axes, as text: "tp=8 pp=4".
std::string point_text(const results::Table& rows, std::size_t row);

}  // namespace dse::app
