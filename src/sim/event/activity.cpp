#include "sim/event/activity.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace dse::sim::event {

void Activity::reset() {
    Pool<Activity>* const own = pool;
    std::unique_ptr<History> kept = std::move(history);
    std::destroy_at(this);
    std::construct_at(this);
    pool = own;
    if (kept) *kept = {};
    history = std::move(kept);
}

bool is_known(const Activity& activity, Signal signal) {
    if (!activity.open) return true;
    const OnNetwork& on_network = *activity.on_network;
    switch (signal) {
        case Signal::value:
            return on_network.done >= on_network.visible_share;
        case Signal::compute:
            return on_network.done >= on_network.hold_share;
        case Signal::stream:
        case Signal::arrived:
            return on_network.done >= 1.0;
        case Signal::started:
            break;
    }
    return true;
}

double time_of(const Activity& activity, Signal signal) {
    switch (signal) {
        case Signal::value:
            return activity.start + activity.time.visible;
        case Signal::stream:
        case Signal::arrived:
            return activity.start + activity.time.duration;
        case Signal::compute:
            return activity.compute_until;
        case Signal::started:
            break;
    }
    return activity.start;
}

Blame blame_of(const Activity& activity, Signal signal) {
    const History& history = *activity.history;
    switch (signal) {
        case Signal::value:
        case Signal::stream:
        case Signal::compute:
            if (activity.kind == Activity::Kind::release) return {{}, history.link};
            return {after({activity.start, activity.cause}, history.waited_for), history.link};
        case Signal::arrived: {
            const Culprit peer{0, Cause::bubble()};
            return {{Culprit{activity.start, Cause::message()}, peer, peer}, history.link};
        }
        case Signal::started:
            break;
    }
    return {history.waited_for, history.link};
}

Culprits after(Culprit first, const Culprits& rest) {
    return {first, rest[0], rest[1]};
}

void charge(double from, double until, const Culprits& culprits, Parts& parts, Waits* waits) {
    Waits::Backwards of_others{waits};
    for (const Culprit& culprit : culprits) {
        const bool takes_rest = &culprit == &culprits.back();
        const double since = takes_rest ? from : std::max(from, culprit.since);
        if (since >= until) continue;
        parts.charge(culprit.who, until - since);
        if (culprit.who.is_of_others()) of_others.add(since, until);
        until = since;
    }
}

}  // namespace dse::sim::event
