#include "sim/event/activity.hpp"

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
            return {activity.start + activity.time.visible, activity.culprits, activity.link};
        case Signal::stream:
            return {activity.start + activity.time.duration, activity.culprits, activity.link};
        case Signal::arrived: {
            const Culprit peer{0, Cause::bubble()};
            return {activity.start + activity.time.duration,
                    {Culprit{activity.start, Cause::message()}, peer, peer},
                    activity.link};
        }
        case Signal::compute:
            return {activity.compute_until, activity.culprits, activity.link};
        case Signal::started:
            break;
    }
    return {activity.start, activity.waited_for, activity.link};
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
