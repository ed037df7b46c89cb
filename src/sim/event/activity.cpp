#include "dse/sim/event/activity.hpp"

#include <algorithm>

namespace dse::sim::event {

bool is_known(const Activity& activity, Signal signal) {
    if (!activity.open) return true;
    switch (signal) {
        case Signal::value:
            return activity.done >= activity.visible_share;
        case Signal::compute:
            return activity.done >= activity.hold_share;
        case Signal::stream:
        case Signal::arrived:
            return activity.done >= 1.0;
        case Signal::started:
            break;
    }
    return true;
}

SignalTime signal_of(const Activity& activity, Signal signal) {
    switch (signal) {
        case Signal::value:
            return {activity.start + activity.time.visible, activity.culprits};
        case Signal::stream:
            return {activity.start + activity.time.duration, activity.culprits};
        case Signal::arrived: {
            const Culprit peer{0, Cause::bubble()};
            return {activity.start + activity.time.duration,
                    {Culprit{activity.start, Cause::transfer()}, peer, peer}};
        }
        case Signal::compute:
            return {activity.compute_until, activity.culprits};
        case Signal::started:
            break;
    }
    return {activity.start, activity.waited_for};
}

void charge(Parts& parts, double from, double until, const Culprits& culprits) {
    for (const Culprit& culprit : culprits) {
        const bool takes_rest = &culprit == &culprits.back();
        const double since = takes_rest ? from : std::max(from, culprit.since);
        if (since >= until) continue;
        parts.charge(culprit.who, until - since);
        until = since;
    }
}

}  // namespace dse::sim::event
