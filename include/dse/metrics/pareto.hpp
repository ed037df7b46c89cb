#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dse::metrics {

/// Points of a multi-objective problem: one row per point, one column per objective, all to be minimized.
class CostTable {
  public:
    /// \param objectives >= 1
    explicit CostTable(std::size_t objectives);

    /// \param row  one value per objective
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

/// Whether `a` is at least as good as `b` in all objectives and better in one; false if a value is NaN.
bool dominates(std::span<const double> a, std::span<const double> b);

/// Indices of the rows that no other row dominates, ascending. Rows with a NaN or an infinity are never on
/// the front; equal rows are on it together. O(n log n) for up to three objectives (sort, then a staircase of
/// the last two); for more, each row in lexicographic order is compared with the front so far, O(n · front).
/// Source: Kung, Luccio, Preparata, "On finding the maxima of a set of vectors", J. ACM 22 (1975).
std::vector<std::size_t> pareto_front(const CostTable& table);

}  // namespace dse::metrics
