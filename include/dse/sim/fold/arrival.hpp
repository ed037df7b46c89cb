#pragma once

#include <algorithm>
#include <array>

#include "dse/sim/fold/max_plus.hpp"
#include "dse/sim/fold/schedule_state.hpp"
#include "dse/sim/parts.hpp"
#include "dse/sim/waits.hpp"

namespace dse::sim::fold {

/// Something that others waited for, from `start` on.
struct Link {
    double start{0};
    Cause cause;
    friend bool operator==(const Link&, const Link&) = default;
};

/// When a value is ready or a stream is free, and what it waited for: its producer, the producer's
/// last-arriving predecessor, and the last-arriving predecessor of that one. See Parts for the rule.
struct Arrival {
    double time{0};
    std::array<Link, 3> chain{};

    static Arrival none() { return {absent, {}}; }

    /// The arrival of something that started at last.time because it waited for `last`.
    static Arrival after(const Arrival& last, double time, Cause cause) {
        return {time, {Link{last.time, cause}, last.chain[0], last.chain[1]}};
    }

    /// The arrival of a message at its receiver: what happens at the peer counts as bubble.
    static Arrival of(const Message& message) {
        const Link peer{0, Cause::bubble()};
        return {message.end, {Link{message.start, Cause::message()}, peer, peer}};
    }
    friend bool operator==(const Arrival&, const Arrival&) = default;
};

/// Charges the wait for `last` of a compute stream that is free at `from`: the interval up to last.time.
/// \param waits  records waits for other stages or ranks; nullptr if not needed
inline void charge_wait(double from, const Arrival& last, Parts& parts, Waits* waits) {
    Waits::Backwards of_others{waits};
    double until = last.time;
    for (std::size_t i = 0; i < last.chain.size() && until > from; ++i) {
        const bool is_last = i + 1 == last.chain.size();
        const double begin = is_last ? from : std::clamp(last.chain[i].start, from, until);
        if (until > begin) {
            const Cause cause = last.chain[i].cause;
            parts.charge(cause, until - begin);
            if (cause.is_of_others()) of_others.add(begin, until);
        }
        until = begin;
    }
}

/// The same, `by` s later.
inline Arrival shifted(Arrival arrival, double by) {
    arrival.time += by;
    for (Link& link : arrival.chain) link.start += by;
    return arrival;
}

/// The arrival relative to `entry`, a time at which the compute stream is free, without anything that cannot
/// matter after it.
inline Arrival as_seen_from(double entry, const Arrival& arrival) {
    Arrival seen;
    seen.time = arrival.time - entry;
    if (seen.time <= 0) return seen;
    for (std::size_t i = 0; i < seen.chain.size(); ++i) {
        seen.chain[i] = {later(arrival.chain[i].start - entry, 0), arrival.chain[i].cause};
        if (seen.chain[i].start == 0) break;
    }
    return seen;
}

}  // namespace dse::sim::fold
