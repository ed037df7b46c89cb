#include "dse/metrics/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "dse/base/check.hpp"

namespace dse::metrics {
namespace {

/// The non-dominated pairs (x, y) seen so far: y falls strictly as x grows.
class Staircase {
  public:
    /// Whether an inserted pair is at most (x, y) in both values.
    [[nodiscard]] bool covers(double x, double y) const {
        const auto after = steps_.upper_bound(x);
        return after != steps_.begin() && std::prev(after)->second <= y;
    }

    /// \pre not covers(x, y)
    void insert(double x, double y) {
        auto step = steps_.insert_or_assign(x, y).first;
        for (++step; step != steps_.end() && step->second >= y;) step = steps_.erase(step);
    }

  private:
    std::map<double, double> steps_;
};

bool is_finite_row(std::span<const double> row) {
    return std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); });
}

bool equal_rows(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// Finite rows in lexicographic order: a row can only be dominated by one before it.
std::vector<std::size_t> lexicographic_order(const CostTable& table) {
    std::vector<std::size_t> order;
    order.reserve(table.size());
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (is_finite_row(table[row])) order.push_back(row);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto left = table[a];
        const auto right = table[b];
        if (equal_rows(left, right)) return a < b;
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
    return order;
}

/// Up to three objectives: the order handles the first, the staircase the other two.
class StaircaseFilter {
  public:
    [[nodiscard]] bool admits(std::span<const double> row) {
        const double x = row.size() > 1 ? row[1] : 0.0;
        const double y = row.size() > 2 ? row[2] : 0.0;
        if (staircase_.covers(x, y)) return false;
        staircase_.insert(x, y);
        return true;
    }

  private:
    Staircase staircase_;
};

/// Any number of objectives.
class FrontFilter {
  public:
    explicit FrontFilter(std::size_t objectives) : front_{objectives} {}

    [[nodiscard]] bool admits(std::span<const double> row) {
        for (std::size_t i = 0; i < front_.size(); ++i) {
            if (dominates(front_[i], row)) return false;
        }
        front_.add(row);
        return true;
    }

  private:
    CostTable front_;
};

template <class Filter>
std::vector<std::size_t> filtered_front(const CostTable& table, Filter filter) {
    std::vector<std::size_t> front;
    const std::vector<std::size_t> order = lexicographic_order(table);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool twin_of_last = i > 0 && !front.empty() && front.back() == order[i - 1] &&
                                  equal_rows(table[order[i - 1]], table[order[i]]);
        if (twin_of_last || filter.admits(table[order[i]])) front.push_back(order[i]);
    }
    std::sort(front.begin(), front.end());
    return front;
}

}  // namespace

CostTable::CostTable(std::size_t objectives) : objectives_{objectives} {
    DSE_REQUIRE(objectives >= 1);
}

void CostTable::add(std::span<const double> row) {
    DSE_EXPECT(row.size() == objectives_);
    values_.insert(values_.end(), row.begin(), row.end());
}

bool dominates(std::span<const double> a, std::span<const double> b) {
    DSE_EXPECT(a.size() == b.size());
    bool better = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(a[i] <= b[i])) return false;
        better = better || a[i] < b[i];
    }
    return better;
}

std::vector<std::size_t> pareto_front(const CostTable& table) {
    if (table.objectives() <= 3) return filtered_front(table, StaircaseFilter{});
    return filtered_front(table, FrontFilter{table.objectives()});
}

}  // namespace dse::metrics
