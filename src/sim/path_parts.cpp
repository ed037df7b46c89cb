#include "dse/sim/path_parts.hpp"

#include <algorithm>

namespace dse::sim {

PathLedger::PathLedger(std::uint32_t busiest, const Waits& waits, double from)
    : waits_{waits.stretches()}, from_{from} {
    parts_.busiest_stage = busiest;
}

PathLedger::PathLedger(std::uint32_t busiest, EarlierWaits& waits, double from)
    : earlier_{&waits}, from_{from} {
    parts_.busiest_stage = busiest;
}

void PathLedger::charge(const graph::Work& work, Place place, double start, double end) {
    start = std::max(start, from_);
    if (involves_busiest(place)) {
        if (end > start) parts_.busy.charge_run(work, end - start);
        return;
    }
    while (end > start) {
        find_waits(end, start);
        const Waits::Stretch wait = waits_.empty() ? Waits::Stretch{start, start} : waits_.back();
        const double works_from = std::max(start, std::min(wait.until, end));
        if (works_from < end) parts_.busy.charge_run(work, end - works_from);
        const double waits_from = std::max(start, wait.from);
        if (waits_from < works_from) parts_.bubble.charge_run(work, works_from - waits_from);
        end = std::min(waits_from, works_from);
    }
}

bool PathLedger::charge_whole(const Parts& run, Place place, double start, double end) {
    if (start < from_) return false;
    const bool is_busy = involves_busiest(place);
    if (!is_busy) find_waits(end, start);
    if (is_busy || waits_.empty() || waits_.back().until <= start) {
        parts_.busy.add(run, 1);
        return true;
    }
    if (waits_.back().from > start || waits_.back().until < end) return false;
    parts_.bubble.add(run, 1);
    return true;
}

/// Leaves out waits that are not before `end`, and finds some that end behind `start` if there are any.
void PathLedger::find_waits(double end, double start) {
    for (;;) {
        while (!waits_.empty() && waits_.back().from >= end) waits_ = waits_.first(waits_.size() - 1);
        if (!waits_.empty() || earlier_ == nullptr) return;
        waits_ = earlier_->before(end, start);
        if (waits_.empty()) return;
    }
}

}  // namespace dse::sim
