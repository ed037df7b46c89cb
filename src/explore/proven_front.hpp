#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dse::explore {

/// Largest relative amount by which a cost of an answer exceeds its bound: 0 if none does, infinite if a
/// relative amount is undefined. Costs of maximised objectives are negated; for these it is the relative
/// amount by which the answer must grow.
double excess(std::span<const double> costs, std::span<const double> lower);

/// Whether nothing with these bounds can be better than the answer: it exceeds no bound by more than the
/// tolerance; for tolerance 0, it is as good in each cost and better in one. Without tolerance, equal answers
/// do not cover each other, so all of them are found.
bool covers(std::span<const double> costs, std::span<const double> lower, double tolerance);

/// The feasible answers that no other answer is better than.
class ProvenFront {
  public:
    struct Member {
        std::uint64_t row{0};
        std::vector<double> costs;
    };

    void admit(std::uint64_t row, const std::vector<double>& costs);

    [[nodiscard]] const std::vector<Member>& members() const { return members_; }

    /// The smallest excess of any member.
    [[nodiscard]] double gap(std::span<const double> lower) const;

    /// The row of a member that covers the bounds.
    [[nodiscard]] std::optional<std::uint64_t> cover(std::span<const double> lower, double tolerance) const;

  private:
    std::vector<Member> members_;
};

}  // namespace dse::explore
