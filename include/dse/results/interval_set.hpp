#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace dse::results {

/// Indices [first, last).
struct Interval {
    std::uint64_t first{0};
    std::uint64_t last{0};

    [[nodiscard]] std::uint64_t count() const { return last - first; }
    friend bool operator==(const Interval&, const Interval&) = default;
};

/// A set of indices as disjoint, non-adjacent intervals in ascending order: a hundred million finished points
/// of a sweep are usually a handful of intervals.
class IntervalSet {
  public:
    IntervalSet() = default;

    /// \param intervals  in any order; they may overlap or be empty
    explicit IntervalSet(std::vector<Interval> intervals);

    /// \pre interval.first <= interval.last
    void insert(Interval interval);

    [[nodiscard]] bool contains(std::uint64_t index) const;
    [[nodiscard]] std::uint64_t count() const;
    [[nodiscard]] const std::vector<Interval>& intervals() const& { return intervals_; }
    /// By value for a temporary set, so that a range-for over `set.gaps(n).intervals()` does not dangle.
    [[nodiscard]] std::vector<Interval> intervals() && { return std::move(intervals_); }

    /// The part of [0, size) that is not in the set.
    [[nodiscard]] IntervalSet gaps(std::uint64_t size) const;

  private:
    std::vector<Interval> intervals_;
};

}  // namespace dse::results
