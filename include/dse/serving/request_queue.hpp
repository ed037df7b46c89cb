#pragma once

#include <cstddef>
#include <deque>

#include "dse/serving/request.hpp"

namespace dse::serving {

/// Requests that one replica was sent, by their numbers from 0 on. Those that are answered are forgotten, so
/// that it holds no more than who waits, who is under way, and those answered out of turn.
class RequestQueue {
  public:
    /// \param place  in the requests of all replicas
    void push(const Request& request, std::size_t place) { held_.push_back({request, place, false}); }

    /// How many there were.
    [[nodiscard]] std::size_t size() const { return forgotten_ + held_.size(); }
    [[nodiscard]] std::size_t held() const { return held_.size(); }
    /// Of one that is not answered; it stays where it is.
    [[nodiscard]] Request& request(std::size_t number) { return held_[number - forgotten_].request; }
    [[nodiscard]] std::size_t place(std::size_t number) const { return held_[number - forgotten_].place; }

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
