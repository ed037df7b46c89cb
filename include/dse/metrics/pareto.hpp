#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dse::metrics {

/// Points of a multi-objective problem: one row a point, one column an objective, all to be minimised.
class CostTable {
  public:
    /// \param objectives >= 1
    explicit CostTable(std::size_t objectives);

    /// \param row  as many values as objectives
    void add(std::span<const double> row);

    [[nodiscard]] std::size_t objectives() const { return objectives_; }
    [[nodiscard]] std::size_t size() const { return values_.size() / objectives_; }
    [[nodiscard]] std::span<const double> operator[](std::size_t row) const {
        return {values_.data() + row * objectives_, objectives_};
    }

  private:
    std::size_t objectives_;
    std::vector<double> values_;
};

/// Whether `a` is nowhere worse than `b` and somewhere better; false where a value is NaN.
bool dominates(std::span<const double> a, std::span<const double> b);

/// The rows that no other row dominates, ascending. Rows with a NaN or an infinity are never on the front;
/// equal rows are on it together.
/// O(n log n) for up to three objectives (sort, then a staircase of the two last ones); for more, each row in
/// lexicographic order is held against the front so far, O(n · front).
/// Source: Kung, Luccio, Preparata, "On finding the maxima of a set of vectors", J. ACM 22 (1975).
std::vector<std::size_t> pareto_front(const CostTable& table);

}  // namespace dse::metrics
