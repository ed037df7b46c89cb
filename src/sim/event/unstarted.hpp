#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "dse/base/check.hpp"
#include "sim/event/activity.hpp"

namespace dse::sim::event {

/// The issued activities of a rank that have not started yet, by issue number. Few are out of order.
class Unstarted {
  public:
    /// \pre numbers are consecutive
    void add(std::uint64_t number, ActivityPtr activity) {
        if (activities_.empty()) first_ = number;
        DSE_EXPECT(number == first_ + activities_.size());
        activities_.push_back(std::move(activity));
        ++count_;
    }
    /// \pre it is there
    void erase(std::uint64_t number) {
        DSE_EXPECT(activities_.at(static_cast<std::size_t>(number - first_)));
        activities_[static_cast<std::size_t>(number - first_)] = nullptr;
        if (--count_ == 0) return forget(activities_.size());
        while (!activities_[started_]) ++started_;
        if (2 * started_ > activities_.size()) forget(started_);
    }
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// The one issued first. \pre there is one
    [[nodiscard]] const Activity& front() const { return *activities_[started_]; }

  private:
    void forget(std::size_t count) {
        activities_.erase(activities_.begin(), activities_.begin() + static_cast<std::ptrdiff_t>(count));
        first_ += count;
        started_ = 0;
    }

    std::uint64_t first_{0};               ///< number of the first activity in the list
    std::vector<ActivityPtr> activities_;  ///< nullptr: it has started
    std::size_t started_{0};               ///< how many of the first ones have started
    std::size_t count_{0};
};

}  // namespace dse::sim::event
