#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/parts.hpp"
#include "dse/sim/waits.hpp"
#include "sim/event/path_link.hpp"
#include "sim/event/pool.hpp"
#include "sim/event/waiters.hpp"

namespace dse::sim::event {

struct Meeting;

/// What a wait is charged to, nearest first. The last one takes all time before it.
struct Culprit {
    double since{0};
    Cause who;
};
using Culprits = std::array<Culprit, 3>;

/// The nearest one before others; the farthest of these is left out.
Culprits after(Culprit first, const Culprits& rest);

/// What breakdowns need to know of an activity.
struct History {
    /// What its own wait is charged to; until it starts, what waits for its latest signal so far are charged
    /// to. What others wait for it is charged to itself, then to this.
    Culprits waited_for{};
    PathLinkPtr last_link{};  ///< sender of its latest signal; for a release, the previous occupant of the
                              ///< compute stream
    PathLinkPtr link{};       ///< of itself, if the path is needed; for a release, what blocked the stream
};

/// What is known of an activity that shares the network.
struct OnNetwork {
    double done{0.0};           ///< the completed share of it
    double visible_share{1.0};  ///< `visible` as a share of its time on an idle network
    double hold_share{0.0};     ///< `hold` as a share of its time on an idle network
    ActivityPtr release{};      ///< for a message that blocks its sender's compute stream
};

/// Something that starts once and that others wait for: a node of one rank, a message between two ranks, or
/// the moment at which a message stops blocking its sender's compute stream. Three cache lines: simulations
/// of many ranks spend their time on fetching them.
struct Activity : Pooled<Activity> {
    enum class Kind : std::uint8_t { node, transfer, release };
    static constexpr std::uint8_t no_slot = 255;

    std::int64_t rank{0};  ///< for a transfer, the sender's
    graph::WorkId work;
    graph::StreamId stream;
    std::uint32_t missing{0};  ///< number of signals still missing
    Kind kind{Kind::node};
    std::uint8_t lane{0};  ///< for a transfer
    bool started{false};
    bool open{false};  ///< whether its end is still unknown, because it shares the network
    Cause cause;
    std::uint8_t compute_slot{no_slot};  ///< of the compute stream's signal
    // The latest signal so far (ties: the lowest slot).
    bool has_last{false};
    std::uint8_t last_slot{0};
    double last_time{0};
    double compute_free{0};  ///< when the compute stream's signal arrived
    double start{0};

    double compute_until{0};  ///< when the compute stream is free again, if this activity occupies it
    NodeTime time;
    std::uint64_t number{0};                ///< issue order within the rank
    Meeting* meeting{nullptr};              ///< for a collective with other ranks; owned by its MeetingPlace
    std::unique_ptr<History> history;       ///< if breakdowns are needed; kept by reset()
    std::unique_ptr<OnNetwork> on_network;  ///< if it shares the network

    Waiters waiters;
    std::int64_t receiver{0};  ///< for a transfer
    double transfer_start{0};  ///< for a release

    void reset();
};

/// Whether the time of a signal of a started activity is known: always, unless it shares the network.
bool is_known(const Activity& activity, Signal signal);

/// The time of a signal of a started activity.
/// \pre is_known(activity, signal)
double time_of(const Activity& activity, Signal signal);

/// What to charge for waits for a signal.
struct Blame {
    Culprits culprits{};
    PathLinkPtr link{};
};
/// \pre it has a history
Blame blame_of(const Activity& activity, Signal signal);

/// Charges the wait of a compute stream between two times.
/// \param waits  records waits for other stages or ranks; nullptr if not needed
void charge(double from, double until, const Culprits& culprits, Parts& parts, Waits* waits);

}  // namespace dse::sim::event
