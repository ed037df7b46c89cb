#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

/// Which of ASTRA-sim's analytical networks.
enum class AstraNetwork : std::uint8_t {
    unaware,  ///< messages never meet
    aware,    ///< messages share links, first come, first served; one dimension only
};

/// The links of one dimension as the congestion-aware network has them: a message takes a link for its
/// bytes, waits for it where another one has it, and is passed on once it is there as a whole.
class AstraLinks {
  public:
    /// A message on its way.
    struct Journey {
        std::int64_t at{0};
        std::int64_t to{0};
        std::int64_t bytes{0};
        std::int64_t message{0};  ///< what its owner calls it
    };
    /// What a link started to carry.
    struct Departure {
        std::int64_t from{0};
        std::int64_t next{0};
        Ticks arrives{0};
        Ticks frees_link{0};
        Journey journey;
    };

    /// \throws ModelError for a system of several dimensions
    explicit AstraLinks(const AstraSystem& system);

    /// A message wants to go on from where it is. \returns its departure, or nullptr where it waits
    const Departure* offer(const Journey& journey, Ticks now);
    /// The link is free again. \returns what it carries next, or nullptr
    const Departure* free(std::int64_t from, std::int64_t next, Ticks now);

  private:
    struct Link {
        bool busy{false};
        std::deque<Journey> waiting;
    };

    /// The next device on the way, a switch being the one after the last NPU.
    [[nodiscard]] std::int64_t next_hop(const Journey& journey) const;
    const Departure* depart(Link& link, std::int64_t next, const Journey& journey, Ticks now);

    AstraDimension dimension_;
    std::map<std::pair<std::int64_t, std::int64_t>, Link> links_;
    Departure latest_;
};

}  // namespace dse::netsim
