#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/event/pool.hpp"

namespace dse::sim::event {

struct Activity;
using ActivityPtr = PoolPtr<Activity>;

/// What others may wait for in an activity.
enum class Signal : std::uint8_t {
    value,    ///< its value is ready
    stream,   ///< its stream is free; for a transfer, the sender's
    arrived,  ///< for a transfer: the message has arrived and the receiver's stream is free
    compute,  ///< it no longer blocks the compute stream
    started,  ///< for a transfer: it has started, as seen by the sender
};

/// An activity that waits for a signal.
struct Waiter {
    ActivityPtr activity;
    std::uint8_t slot{0};  ///< position in the order that decides ties
    Signal signal{Signal::value};
};

/// The waiters of an activity, in the order in which they came. Most have at most two.
class Waiters {
  public:
    void add(Waiter waiter) {
        if (count_ < few_.size()) {
            few_[count_++] = std::move(waiter);
        } else {
            if (others_ == nullptr) others_ = std::make_unique<std::vector<Waiter>>();
            others_->push_back(std::move(waiter));
        }
    }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    template <class Function>
    void for_each(const Function& function) const {
        for (std::size_t i = 0; i < count_; ++i) function(few_[i]);
        if (others_ == nullptr) return;
        for (const Waiter& waiter : *others_) function(waiter);
    }

  private:
    std::array<Waiter, 2> few_;
    std::uint32_t count_{0};  ///< of `few_`
    std::unique_ptr<std::vector<Waiter>> others_;
};

}  // namespace dse::sim::event
