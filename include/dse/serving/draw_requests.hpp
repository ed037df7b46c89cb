#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "dse/graph/traffic.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/request_source.hpp"

namespace dse::serving {

/// The requests of draw_requests(), one at a time.
/// \throws ModelError as draw_requests() does
class DrawnRequests final : public RequestSource {
  public:
    DrawnRequests(const graph::Traffic& traffic, std::uint64_t seed);
    ~DrawnRequests() override;
    bool next(Request& request) override;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Draws the requests of a run. For a given seed the lengths do not depend on how requests arrive, so that
/// rates and schedules are compared on the same work. Requests of a closed loop all have arrival time 0.
/// \throws ModelError if the traffic does not say how requests arrive, or lasts too long
Requests draw_requests(const graph::Traffic& traffic, std::uint64_t seed);

/// Times of failures, by replica and the time from which on it runs: it fails after an exponentially
/// distributed time.
/// \param mean  of these times, s
std::function<Ticks(std::size_t replica, Ticks up)> draw_failures(double mean, std::uint64_t seed);

}  // namespace dse::serving
