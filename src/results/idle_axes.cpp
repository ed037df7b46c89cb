#include "dse/results/idle_axes.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

namespace dse::results {
namespace {

/// NaN equals NaN.
std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

/// Rows by the values of all axes but one.
class Neighbours {
  public:
    Neighbours(const Table& table, std::size_t axis) : table_{table} {
        for (std::size_t c = 0; c < table.points.size(); ++c) {
            if (c != axis && table.schema.points[c].role == ColumnRole::axis) others_.push_back(c);
        }
        first_.reserve(table.rows());
    }

    /// The first row that agrees with this one in all other axes: the row itself, where there was none.
    std::size_t first_like(std::size_t row) {
        const auto [begin, end] = first_.equal_range(hash(row));
        const auto found =
            std::find_if(begin, end, [&](const auto& known) { return agree(known.second, row); });
        if (found != end) return found->second;
        first_.emplace(hash(row), row);
        return row;
    }

  private:
    [[nodiscard]] std::uint64_t hash(std::size_t row) const {
        std::uint64_t sum = 0;
        for (const std::size_t column : others_) {
            constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;  // Knuth's multiplicative hash
            sum = (std::rotl(sum, 23) ^ bits(table_.points[column][row])) * odd;
        }
        return sum;
    }
    [[nodiscard]] bool agree(std::size_t a, std::size_t b) const {
        return std::all_of(others_.begin(), others_.end(), [&](std::size_t column) {
            return table_.points[column][a] == table_.points[column][b];
        });
    }

    const Table& table_;
    std::vector<std::size_t> others_;
    std::unordered_multimap<std::uint64_t, std::size_t> first_;
};

/// Columns that all rows have: parts of a time only where somebody asked.
std::vector<std::size_t> answer_columns(const Table& table) {
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < table.metrics.size(); ++c) {
        const std::span<const metrics::MetricField> fields = metrics::metric_fields();
        const bool is_part = std::any_of(fields.begin(), fields.end(), [&](const auto& field) {
            return field.is_part && field.name == table.schema.metrics[c].name;
        });
        if (!is_part) columns.push_back(c);
    }
    return columns;
}

bool answers_agree(const Table& table, const std::vector<std::size_t>& columns, std::size_t a,
                   std::size_t b) {
    if (table.status[a] != table.status[b]) return false;
    return std::all_of(columns.begin(), columns.end(), [&](std::size_t column) {
        return bits(table.metrics[column][a]) == bits(table.metrics[column][b]);
    });
}

bool is_idle(const Table& table, std::size_t axis) {
    const std::vector<std::size_t> columns = answer_columns(table);
    Neighbours neighbours{table, axis};
    bool has_any = false;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::size_t like = neighbours.first_like(row);
        if (like == row) continue;
        if (!answers_agree(table, columns, like, row)) return false;
        has_any = has_any || table.status[row] == space::Status::ok;
    }
    return has_any;
}

}  // namespace

std::vector<std::string> idle_axes(const Table& table) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < table.points.size(); ++c) {
        const bool is_axis = table.schema.points[c].role == ColumnRole::axis;
        if (is_axis && is_idle(table, c)) names.push_back(table.schema.points[c].name);
    }
    return names;
}

}  // namespace dse::results
