#pragma once

#include <string>
#include <vector>

#include "dse/eval/why/played_point.hpp"
#include "dse/model/network/tier_bytes.hpp"

namespace dse::eval {

/// A level of the network as this point sees it.
struct Tier {
    std::string name;  ///< "scale_up", "scale_out", "dimension 2 (ring)"
    std::int64_t size{1};
    BytesPerSecond bandwidth;  ///< a device and direction, line rate over all of its links there
};

/// What the collectives of one kind over one group, or the messages between stages, take and give, on one
/// device of the busiest stage in one iteration.
struct CommunicationRow {
    std::string what;   ///< "all_gather"; "message": those that come in and those that go out
    std::string group;  ///< axes: "tp", "dp+cp"
    std::int64_t ranks{1};
    double count{0};
    double bytes{0};          ///< sum of full buffers
    double seconds{0};        ///< that they take, hidden or not
    model::TierBytes sent{};  ///< by a device, by tier
    // Of these seconds the compute stream notices:
    double needed{0};               ///< while it waits for their result
    double queued{0};               ///< while it waits for another one that had to wait for them
    double held{0};                 ///< while they stand on it, or hold it
    double algorithm_bandwidth{0};  ///< B/s: buffer by time
    double bus_bandwidth{0};  ///< B/s: the same times the least share of a buffer that a device sends, so
                              ///< that it compares with a link's rate

    [[nodiscard]] double exposed() const { return needed + queued + held; }
};

/// How much of a tier's bandwidth an iteration uses.
struct TierUse {
    Tier tier;
    double bytes{0};        ///< sent by a device of the busiest stage
    double seconds{0};      ///< while collectives and messages that use it are under way
    double utilization{0};  ///< bytes by what the tier could carry in the iteration
};

struct Communication {
    std::vector<CommunicationRow> rows;  ///< longest exposed first, then longest
    std::vector<TierUse> tiers;          ///< innermost first
};

Communication communication_of(const PlayedPoint& point, const Explanation& explanation);

/// The tiers of a scenario's network, innermost first.
/// \throws ModelError as model::job_dimensions
std::vector<Tier> tiers_of(const study::Scenario& scenario);

}  // namespace dse::eval
