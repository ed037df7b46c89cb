#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

/// ASTRA-sim's analytical networks.
enum class AstraNetwork : std::uint8_t {
    unaware,  ///< congestion-unaware: messages do not interfere
    aware,    ///< congestion-aware: messages share links, first come, first served; one dimension only
};

/// The links of one dimension in the congestion-aware network: a message occupies a link for its bytes, waits
/// while another one occupies it, and is forwarded once it has arrived completely.
class AstraLinks {
  public:
    /// A message in transit.
    struct Journey {
        std::int64_t at{0};
        std::int64_t to{0};
        std::int64_t bytes{0};
        std::int64_t message{0};  ///< identifier chosen by its owner
    };
    /// The start of a transmission on a link.
    struct Departure {
        std::int64_t from{0};
        std::int64_t next{0};
        Ticks arrives{0};
        Ticks frees_link{0};
        Journey journey;
    };

    /// \throws ModelError for a system of several dimensions
    explicit AstraLinks(const AstraSystem& system);

    /// Offers a message for transmission from its position.
    /// \returns its departure, or nullptr if it has to wait
    const Departure* offer(const Journey& journey, Ticks now);
    /// Marks the link as free. \returns its next transmission, or nullptr
    const Departure* free(std::int64_t from, std::int64_t next, Ticks now);

  private:
    struct Link {
        bool busy{false};
        std::deque<Journey> waiting;
    };

    /// The next device on the path; a switch is numbered after the last NPU.
    [[nodiscard]] std::int64_t next_hop(const Journey& journey) const;
    const Departure* depart(Link& link, std::int64_t next, const Journey& journey, Ticks now);

    AstraDimension dimension_;
    std::map<std::pair<std::int64_t, std::int64_t>, Link> links_;
    Departure latest_;
};

}  // namespace dse::netsim
