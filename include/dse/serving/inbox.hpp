#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dse/serving/closed_loop.hpp"
#include "dse/serving/front_end.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/request_queue.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// The requests that one replica answers: every `stride`-th, starting with `first`.
struct Share {
    Requests& requests;
    std::size_t first{0};
    std::size_t stride{1};
    /// Of a closed loop, which sets the arrival times, and, if the requests have pauses, shares their
    /// conversations out rather than the requests; 0: arrival times are given.
    std::int64_t clients{0};
    /// Requests that a router has sent to the replica so far; replaces `first` and `stride`.
    RequestQueue* routed{nullptr};
    std::uint32_t replica{0};  ///< number of the replica, for the recorder
};

/// The requests of a share on their way from the clients to a scheduler, numbered in the order in which they
/// are sent.
class Inbox {
  public:
    Inbox(const graph::ServingEngine& engine, const Share& share);

    /// Clients send their first requests, or the first one to arrive is awaited.
    void open();
    /// The last of the routed requests arrives now.
    void take_up();
    /// The client of a request has its answer, or has given up, and is free from then on.
    void answered(std::size_t number, Ticks free);

    /// When the scheduler will receive the next request; `never`: it has received all.
    [[nodiscard]] Ticks ready() const { return ready_; }
    /// The scheduler receives the next request. \returns its number
    std::size_t receive();

    /// Requests that clients have sent, or will send at a known time.
    [[nodiscard]] std::size_t sent() const { return sent_; }
    /// Those of them that the scheduler knows of.
    [[nodiscard]] std::size_t received() const { return received_; }
    [[nodiscard]] Request& request(std::size_t number) const;
    /// Index among the requests of all replicas.
    [[nodiscard]] std::size_t place_of(std::size_t number) const;

  private:
    [[nodiscard]] std::size_t count() const;
    void send_next(Ticks time, std::optional<std::size_t> answered);
    [[nodiscard]] std::size_t place_in_line(Ticks arrival) const;
    void expect_next();

    Share share_;
    std::optional<ClosedLoop> clients_;
    std::vector<std::size_t> order_;  ///< of conversations: places of the sent requests, by number
    FrontEnd front_end_;
    std::size_t sent_{0};
    std::size_t received_{0};
    Ticks ready_{never};
};

}  // namespace dse::serving
