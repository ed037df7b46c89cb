#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dse::explore {

/// By what share at least one cost of an answer is above a bound: 0 where none is, infinite where no share
/// says so. Costs that are to be large come with their sign turned; of them it is by what share the answer
/// must grow.
double excess(std::span<const double> costs, std::span<const double> lower);

/// Whether nothing that has these bounds is better than the answer: in no cost by more than the tolerance;
/// where that is 0, as good in each, and better in one. Of equal answers without tolerance neither covers the
/// other, so that all of them are found.
bool covers(std::span<const double> costs, std::span<const double> lower, double tolerance);

/// The feasible answers that no other one told is better than.
class ProvenFront {
  public:
    struct Member {
        std::uint64_t row{0};
        std::vector<double> costs;
    };

    void admit(std::uint64_t row, const std::vector<double>& costs);

    [[nodiscard]] const std::vector<Member>& members() const { return members_; }

    /// The least excess of any member.
    [[nodiscard]] double gap(std::span<const double> lower) const;

    /// The row of a member that covers the bounds.
    [[nodiscard]] std::optional<std::uint64_t> cover(std::span<const double> lower, double tolerance) const;

  private:
    std::vector<Member> members_;
};

}  // namespace dse::explore
