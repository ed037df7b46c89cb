#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/parts.hpp"
#include "dse/sim/waits.hpp"
#include "sim/event/path_link.hpp"

namespace dse::sim::event {

struct Activity;
struct Meeting;
using ActivityPtr = std::shared_ptr<Activity>;

/// Whom a wait is charged to, nearest first: {from when on, who}. The last one takes whatever is before it.
struct Culprit {
    double since{0};
    Cause who;
};
using Culprits = std::array<Culprit, 3>;

/// What others may wait for in an activity.
enum class Signal : std::uint8_t {
    value,    ///< its value is there
    stream,   ///< its stream is free: of a transfer, the sender's
    arrived,  ///< of a transfer: the message is at the receiver, whose stream is free
    compute,  ///< it does not hold the compute stream any more
    started,  ///< of a transfer: it has begun, as its sender sees it
};

/// One who waits.
struct Waiter {
    ActivityPtr activity;
    std::uint8_t slot{0};  ///< its place in the order that breaks ties
    Signal signal{Signal::value};
};

/// Something that starts once and is waited for: a node of one rank, a message between two, or the moment
/// when a message stops holding its sender's compute stream.
struct Activity {
    enum class Kind : std::uint8_t { node, transfer, release };
    Kind kind{Kind::node};
    std::int64_t rank{0};      ///< the sender's, of a transfer
    std::int64_t receiver{0};  ///< of a transfer
    std::uint32_t lane{0};     ///< likewise
    graph::WorkId work;
    graph::StreamId stream;
    NodeTime time;
    Cause cause;
    std::uint64_t number{0};  ///< of the rank, in issue order

    /// Signals that have not come yet.
    std::size_t missing{0};
    // The last signal so far (ties: the lowest slot).
    double last_time{0};
    std::uint8_t last_slot{0};
    bool has_last{false};
    Culprits last_culprits{};
    PathLinkPtr last_link{};  ///< who sent it; of a release, who occupied the compute stream before
    /// The slot on which the compute stream's signal comes, and when it came.
    std::uint8_t compute_slot{no_slot};
    double compute_free{0};
    double transfer_start{0};  ///< of a release

    bool started{false};
    double start{0};
    double compute_until{0};  ///< when the compute stream is free again, where this one occupies it
    Culprits waited_for{};    ///< whom its own wait is charged to
    Culprits culprits{};      ///< for those who wait for this one
    PathLinkPtr link{};       ///< likewise, where the path is asked for; of a release, who held the stream
    std::vector<Waiter> waiters;
    Meeting* meeting{nullptr};  ///< of a collective with other ranks; its MeetingPlace owns it

    /// Of what shares the network: whether its end is still open, and the share of it that has passed.
    bool open{false};
    double done{0.0};
    double visible_share{1.0};  ///< of its time on an idle network
    double hold_share{0.0};     ///< likewise
    ActivityPtr release{};      ///< of a message that holds its sender's compute stream

    static constexpr std::uint8_t no_slot = 255;
};

/// Whether it is known when a signal of a started activity comes: always, but for what shares the network.
bool is_known(const Activity& activity, Signal signal);

/// When a signal of a started activity comes, and whom to charge for the wait.
struct SignalTime {
    double time{0};
    Culprits culprits{};
    PathLinkPtr link{};
};
/// \pre is_known(activity, signal)
SignalTime signal_of(const Activity& activity, Signal signal);

/// Charges the wait of a compute stream between two times.
/// \param waits  notes when it was for others; nullptr where nobody asks
void charge(double from, double until, const Culprits& culprits, Parts& parts, Waits* waits);

}  // namespace dse::sim::event
