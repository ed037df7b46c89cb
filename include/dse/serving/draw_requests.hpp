#pragma once

#include <cstdint>
#include <memory>

#include "dse/graph/traffic.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/request_source.hpp"

namespace dse::serving {

/// The requests of draw_requests(), one after another. \throws ModelError as it does
class DrawnRequests final : public RequestSource {
  public:
    DrawnRequests(const graph::Traffic& traffic, std::uint64_t seed);
    ~DrawnRequests() override;
    bool next(Request& request) override;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Draws the requests of a run. Lengths of one seed do not depend on how requests arrive, so that rates and
/// schedules are compared under the same work; those of a closed loop all stand at time 0.
/// \throws ModelError where the traffic says not how requests arrive, or lasts too long
Requests draw_requests(const graph::Traffic& traffic, std::uint64_t seed);

}  // namespace dse::serving
