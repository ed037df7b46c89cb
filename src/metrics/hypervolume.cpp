#include "dse/metrics/hypervolume.hpp"

#include <algorithm>
#include <vector>

#include "dse/base/check.hpp"

namespace dse::metrics {
namespace {

using Row = std::span<const double>;

bool inside(Row row, Row reference) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!(row[i] < reference[i])) return false;
    }
    return true;
}

/// Area or length: rows in ascending order of their first value, each adding what lies below the lowest
/// second value so far.
double area(std::vector<Row> rows, Row reference) {
    std::sort(rows.begin(), rows.end(), [](Row a, Row b) { return a[0] < b[0]; });
    if (reference.size() == 1) return rows.empty() ? 0.0 : reference[0] - rows.front()[0];
    double sum = 0.0;
    double lowest = reference[1];
    for (const Row row : rows) {
        if (row[1] >= lowest) continue;
        sum += (reference[0] - row[0]) * (lowest - row[1]);
        lowest = row[1];
    }
    return sum;
}

/// Rows need not be mutually non-dominated; only their first reference.size() values count.
double volume(std::vector<Row> rows, Row reference) {
    if (reference.size() <= 2) return area(std::move(rows), reference);
    const std::size_t last = reference.size() - 1;
    std::sort(rows.begin(), rows.end(), [last](Row a, Row b) { return a[last] < b[last]; });
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double top = i + 1 < rows.size() ? rows[i + 1][last] : reference[last];
        if (top == rows[i][last]) continue;
        const auto end = rows.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        sum += (top - rows[i][last]) * volume({rows.begin(), end}, reference.first(last));
    }
    return sum;
}

}  // namespace

double hypervolume(const CostTable& table, Row reference) {
    DSE_EXPECT(reference.size() == table.objectives());
    std::vector<Row> rows;
    for (const std::size_t row : pareto_front(table)) {
        if (inside(table[row], reference)) rows.push_back(table[row]);
    }
    return volume(std::move(rows), reference);
}

}  // namespace dse::metrics
