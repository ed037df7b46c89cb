#pragma once

#include <string>
#include <vector>

#include "dse/eval/why/played_point.hpp"
#include "dse/model/network/tier_bytes.hpp"

namespace dse::eval {

/// A level of the network that this point uses.
struct Tier {
    std::string name;  ///< "scale_up", "scale_out", "dimension 2 (ring)"
    std::int64_t size{1};
    BytesPerSecond bandwidth;  ///< per device and direction: line rate over all of its links of this tier
};

/// All collectives of one kind over one group, or all messages between stages, on one device of the busiest
/// stage in one iteration.
struct CommunicationRow {
    std::string what;   ///< "all_gather"; "message" for incoming and outgoing messages
    std::string group;  ///< axes: "tp", "dp+cp"
    std::int64_t ranks{1};
    double count{0};
    double bytes{0};          ///< sum of full buffers
    double seconds{0};        ///< total duration, hidden or not
    model::TierBytes sent{};  ///< bytes that a device sends, by tier
    // The part of these seconds that delays the compute stream:
    double needed{0};               ///< the stream waits for their results
    double queued{0};               ///< the stream waits for another communication that had to wait for them
    double held{0};                 ///< they run on the stream, or block it
    double algorithm_bandwidth{0};  ///< B/s: buffer size divided by time
    double bus_bandwidth{0};  ///< B/s: algorithm bandwidth times the minimum share of a buffer that a device
                              ///< must send; comparable to the rate of a link

    [[nodiscard]] double exposed() const { return needed + queued + held; }
};

/// Utilization of a tier during an iteration.
struct TierUse {
    Tier tier;
    double bytes{0};        ///< sent by a device of the busiest stage
    double seconds{0};      ///< total duration of the collectives and messages that use it
    double utilization{0};  ///< bytes relative to what the tier could carry during the iteration
};

struct Communication {
    std::vector<CommunicationRow> rows;  ///< by decreasing exposed time, then by decreasing duration
    std::vector<TierUse> tiers;          ///< innermost first
};

Communication communication_of(const PlayedPoint& point, const Explanation& explanation);

/// The tiers of a scenario's network, innermost first.
/// \throws ModelError like model::job_dimensions
std::vector<Tier> tiers_of(const study::Scenario& scenario);

}  // namespace dse::eval
