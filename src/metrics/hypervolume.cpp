#include "dse/metrics/hypervolume.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "dse/base/check.hpp"

namespace dse::metrics {
namespace {

using Row = std::span<const double>;

/// Rows below a reference; values beyond the reference's dimension are ignored.
using Rows = std::vector<const double*>;

bool inside(Row row, Row reference) {
    return std::equal(row.begin(), row.end(), reference.begin(), [](double x, double r) { return x < r; });
}

double length(const Rows& rows, Row reference) {
    double lowest = reference[0];
    for (const double* row : rows) lowest = std::min(lowest, row[0]);
    return reference[0] - lowest;
}

/// With rows in ascending order of their first value, each adds the part of its area below the lowest second
/// value so far.
double area(Rows rows, Row reference) {
    std::sort(rows.begin(), rows.end(), [](const double* a, const double* b) { return a[0] < b[0]; });
    double sum = 0.0;
    double lowest = reference[1];
    for (const double* row : rows) {
        if (row[1] >= lowest) continue;
        sum += (reference[0] - row[0]) * (lowest - row[1]);
        lowest = row[1];
    }
    return sum;
}

/// An area that grows row by row, stored as the corners of its lower left edge, with y falling as x grows.
class GrowingArea {
  public:
    explicit GrowingArea(Row reference) : right_{reference[0]}, top_{reference[1]} {}

    void add(double x, double y) {
        auto next = corners_.upper_bound(x);
        double ceiling = next == corners_.begin() ? top_ : std::prev(next)->second;
        if (ceiling <= y) return;
        // Strips to the right of x, each between y and the previous edge, as long as that edge is above y.
        double left = x;
        while (next != corners_.end() && next->second > y) {
            area_ += (next->first - left) * (ceiling - y);
            left = next->first;
            ceiling = next->second;
            next = corners_.erase(next);
        }
        const double end = next == corners_.end() ? right_ : next->first;
        area_ += (end - left) * (ceiling - y);
        corners_[x] = y;
    }

    [[nodiscard]] double area() const { return area_; }

  private:
    double right_;
    double top_;
    double area_{0.0};
    std::map<double, double> corners_;
};

/// Rows in ascending order of their third value: between two consecutive rows, the cross-section is the area
/// of the rows so far.
double volume_of_three(Rows rows, Row reference) {
    std::sort(rows.begin(), rows.end(), [](const double* a, const double* b) { return a[2] < b[2]; });
    GrowingArea below{reference};
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        below.add(rows[i][0], rows[i][1]);
        const double end = i + 1 < rows.size() ? rows[i + 1][2] : reference[2];
        sum += below.area() * (end - rows[i][2]);
    }
    return sum;
}

bool covers(const double* a, const double* b, std::size_t dimension) {
    return std::equal(a, a + dimension, b, [](double x, double y) { return x <= y; });
}

/// The rows that no other row covers.
Rows uncovered(const Rows& rows, std::size_t dimension) {
    Rows front;
    for (const double* row : rows) {
        const auto covered = [&](const double* other) { return covers(other, row, dimension); };
        if (std::any_of(front.begin(), front.end(), covered)) continue;
        std::erase_if(front, [&](const double* other) { return covers(row, other, dimension); });
        front.push_back(row);
    }
    return front;
}

double volume(Rows rows, Row reference);

/// Volume that the last row adds to the region of the others. In the last dimension all others start before
/// it and reach the reference as it does, so it adds a prism over the part of its cross-section that the
/// others leave uncovered.
double added_by_last(const Rows& rows, Row reference) {
    const std::size_t last = reference.size() - 1;
    const double* const own = rows.back();
    double box = 1.0;
    for (std::size_t i = 0; i < last; ++i) box *= reference[i] - own[i];
    std::vector<double> limited;
    limited.reserve((rows.size() - 1) * last);
    for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
        for (std::size_t i = 0; i < last; ++i) limited.push_back(std::max(rows[row][i], own[i]));
    }
    Rows taken;
    for (std::size_t at = 0; at < limited.size(); at += last) taken.push_back(limited.data() + at);
    const double shared = volume(uncovered(taken, last), reference.first(last));
    return (box - shared) * (reference[last] - own[last]);
}

double volume(Rows rows, Row reference) {
    if (rows.empty()) return 0.0;
    if (reference.size() == 1) return length(rows, reference);
    if (reference.size() == 2) return area(std::move(rows), reference);
    if (reference.size() == 3) return volume_of_three(std::move(rows), reference);
    const std::size_t last = reference.size() - 1;
    std::sort(rows.begin(), rows.end(),
              [last](const double* a, const double* b) { return a[last] < b[last]; });
    double sum = 0.0;
    Rows so_far;
    for (const double* row : rows) {
        so_far.push_back(row);
        sum += added_by_last(so_far, reference);
    }
    return sum;
}

}  // namespace

double hypervolume(const CostTable& table, Row reference) {
    DSE_EXPECT(reference.size() == table.objectives());
    Rows rows;
    for (const std::size_t row : pareto_front(table)) {
        if (inside(table[row], reference)) rows.push_back(table[row].data());
    }
    return volume(std::move(rows), reference);
}

}  // namespace dse::metrics
