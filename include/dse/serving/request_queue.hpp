#pragma once

#include <cstddef>
#include <deque>

#include "dse/serving/request.hpp"

namespace dse::serving {

/// Requests sent to one replica, numbered from 0. Answered requests are dropped, so that it holds only those
/// that wait, that are running, or that were answered out of order.
class RequestQueue {
  public:
    /// \param place  index among the requests of all replicas
    void push(const Request& request, std::size_t place) { held_.push_back({request, place, false}); }

    /// Number of requests ever pushed.
    [[nodiscard]] std::size_t size() const { return forgotten_ + held_.size(); }
    [[nodiscard]] std::size_t held() const { return held_.size(); }
    /// A request that is not answered yet; the reference stays valid until it is.
    [[nodiscard]] Request& request(std::size_t number) { return held_[number - forgotten_].request; }
    [[nodiscard]] std::size_t place(std::size_t number) const { return held_[number - forgotten_].place; }

    /// \param take  called with each request that is not answered, and its place, in order of arrival
    template <class Take>
    void for_each_unanswered(Take&& take) const {
        for (const Held& held : held_) {
            if (!held.answered) take(held.request, held.place);
        }
    }

    void answered(std::size_t number) {
        held_[number - forgotten_].answered = true;
        for (; !held_.empty() && held_.front().answered; ++forgotten_) held_.pop_front();
    }

  private:
    struct Held {
        Request request;
        std::size_t place{0};
        bool answered{false};
    };
    std::deque<Held> held_;
    std::size_t forgotten_{0};
};

}  // namespace dse::serving
