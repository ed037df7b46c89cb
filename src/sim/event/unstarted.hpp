#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "dse/base/check.hpp"
#include "sim/event/activity.hpp"

namespace dse::sim::event {

/// The issued activities of a rank that have not started yet, by issue number. Few are out of order.
class Unstarted {
  public:
    /// \pre numbers are consecutive
    void add(std::uint64_t number, ActivityPtr activity) {
        DSE_EXPECT(number == first_ + activities_.size());
        activities_.push_back(std::move(activity));
        ++count_;
    }
    /// \pre it is there
    void erase(std::uint64_t number) {
        DSE_EXPECT(activities_.at(static_cast<std::size_t>(number - first_)) != nullptr);
        activities_[static_cast<std::size_t>(number - first_)] = nullptr;
        --count_;
        while (!activities_.empty() && !activities_.front()) {
            activities_.pop_front();
            ++first_;
        }
    }
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// The one issued first. \pre there is one
    [[nodiscard]] const Activity& front() const { return *activities_.front(); }

  private:
    std::uint64_t first_{0};              ///< number of the first activity in the list
    std::deque<ActivityPtr> activities_;  ///< nullptr: it has started
    std::size_t count_{0};
};

}  // namespace dse::sim::event
