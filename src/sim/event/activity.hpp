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

/// What a wait is charged to, nearest first. The last one takes all time before it.
struct Culprit {
    double since{0};
    Cause who;
};
using Culprits = std::array<Culprit, 3>;

/// What others may wait for in an activity.
enum class Signal : std::uint8_t {
    value,    ///< its value is ready
    stream,   ///< its stream is free; for a transfer, the sender's
    arrived,  ///< for a transfer: the message has arrived and the receiver's stream is free
    compute,  ///< it no longer blocks the compute stream
    started,  ///< for a transfer: it has started, as seen by the sender
};

/// An activity that waits for a signal.
struct Waiter {
    ActivityPtr activity;
    std::uint8_t slot{0};  ///< position in the order that decides ties
    Signal signal{Signal::value};
};

/// Something that starts once and that others wait for: a node of one rank, a message between two ranks, or
/// the moment at which a message stops blocking its sender's compute stream.
struct Activity {
    enum class Kind : std::uint8_t { node, transfer, release };
    Kind kind{Kind::node};
    std::int64_t rank{0};      ///< for a transfer, the sender's
    std::int64_t receiver{0};  ///< for a transfer
    std::uint32_t lane{0};     ///< for a transfer
    graph::WorkId work;
    graph::StreamId stream;
    NodeTime time;
    Cause cause;
    std::uint64_t number{0};  ///< issue order within the rank

    /// Number of signals still missing.
    std::size_t missing{0};
    // The latest signal so far (ties: the lowest slot).
    double last_time{0};
    std::uint8_t last_slot{0};
    bool has_last{false};
    Culprits last_culprits{};
    PathLinkPtr last_link{};  ///< its sender; for a release, the previous occupant of the compute stream
    /// The slot of the compute stream's signal, and when it arrived.
    std::uint8_t compute_slot{no_slot};
    double compute_free{0};
    double transfer_start{0};  ///< for a release

    bool started{false};
    double start{0};
    double compute_until{0};  ///< when the compute stream is free again, if this activity occupies it
    Culprits waited_for{};    ///< what its own wait is charged to
    Culprits culprits{};      ///< what waits for this activity are charged to
    PathLinkPtr link{};       ///< likewise, if the path is needed; for a release, what blocked the stream
    std::vector<Waiter> waiters;
    Meeting* meeting{nullptr};  ///< for a collective with other ranks; owned by its MeetingPlace

    /// If it shares the network: whether its end is still unknown, and the completed share of it.
    bool open{false};
    double done{0.0};
    double visible_share{1.0};  ///< `visible` as a share of its time on an idle network
    double hold_share{0.0};     ///< `hold` as a share of its time on an idle network
    ActivityPtr release{};      ///< for a message that blocks its sender's compute stream

    static constexpr std::uint8_t no_slot = 255;
};

/// Whether the time of a signal of a started activity is known: always, unless it shares the network.
bool is_known(const Activity& activity, Signal signal);

/// The time of a signal of a started activity, and what to charge for waits for it.
struct SignalTime {
    double time{0};
    Culprits culprits{};
    PathLinkPtr link{};
};
/// \pre is_known(activity, signal)
SignalTime signal_of(const Activity& activity, Signal signal);

/// Charges the wait of a compute stream between two times.
/// \param waits  records waits for other stages or ranks; nullptr if not needed
void charge(double from, double until, const Culprits& culprits, Parts& parts, Waits* waits);

}  // namespace dse::sim::event
