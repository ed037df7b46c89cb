// Clients that give up, and what becomes of their requests.
#include <algorithm>

#include "dse/serving/replica.hpp"

namespace dse::serving {

/// The scheduler has received a request whose client may give up.
void Replica::await_end(std::size_t number) {
    const Request& one = request(number);
    const graph::RequestPatience* patience = patience_of(one);
    if (patience == nullptr || !patience->ends()) return;
    unended_.emplace(number, nobody);
    const auto add = [&](Seconds time, bool first_token) {
        const Ticks deadline = deadline_of(one.sent(), time.value());
        if (deadline != never) deadlines_.insert({deadline, number, first_token});
    };
    add(patience->first_token_timeout, true);
    add(patience->timeout, false);
}

void Replica::give_up() {
    while (!deadlines_.empty() && deadlines_.begin()->time <= now_) {
        const Deadline deadline = *deadlines_.begin();
        deadlines_.erase(deadlines_.begin());
        const auto found = unended_.find(deadline.number);
        if (found == unended_.end()) continue;
        const bool has_first = found->second != nobody && at(found->second).first_token > 0 &&
                               at(found->second).first_token <= deadline.time;
        if (deadline.first_token && has_first) continue;
        abandon(deadline.number);
    }
}

/// Of a request that has all its tokens: when its client gave up, if they came too late.
std::optional<Ticks> Replica::when_given_up(const Sequence& sequence) const {
    const graph::RequestPatience* patience = patience_of(*sequence.request);
    if (patience == nullptr) return std::nullopt;
    const Ticks sent = sequence.request->sent();
    Ticks when = never;
    const Ticks first = deadline_of(sent, patience->first_token_timeout.value());
    if (sequence.first_token > first) when = first;
    const Ticks last = deadline_of(sent, patience->timeout.value());
    if (sender_.arrived() > last) when = std::min(when, last);
    return when == never ? std::nullopt : std::optional{when};
}

void Replica::abandon(std::size_t number) {
    recorder_.gave_up(request(number));
    recorder_.ended(now_);
    const Slot slot = unended_.at(number);
    if (slot == nobody) {
        leave_line(number);
    } else {
        drop(slot);
    }
    end(number, now_);
}

/// A request that has not been admitted yet no longer waits.
void Replica::leave_line(std::size_t number) {
    const Request& one = request(number);
    if (by_priority_) {
        turns_.erase(turn_of(one, number, nobody));
        return;
    }
    if (has_adapters()) adapters_.drop(one.adapter, number);
    left_.insert(number);
    ++passed_over_;
    skip_entered();
}

/// Releases everything that an admitted or preempted request holds.
void Replica::drop(Slot slot) {
    const Sequence& sequence = at(slot);
    prefixes_.forget(static_cast<std::uint32_t>(slot));
    const auto place = std::ranges::find(preempted_, slot);
    if (by_priority_ && turns_.erase(turn_of(*sequence.request, sequence.number, slot)) > 0) {
        // It waited to be admitted again.
    } else if (place != preempted_.end()) {
        if (prompts_first()) places_.erase(places_.begin() + (place - preempted_.begin()));
        preempted_.erase(place);
    } else {
        std::erase(fresh_, slot);
        remove(slot);
    }
    free_slots_.push_back(slot);
}

/// Passes over requests that no longer wait, up to the first that does.
void Replica::skip_entered() {
    const auto has_entered = [&](std::size_t number) {
        return left_.erase(number) > 0 ||
               (has_adapters() && adapters_.first(request(number).adapter) != number);
    };
    for (; next_ < inbox_.received() && has_entered(next_); ++next_) --passed_over_;
}

}  // namespace dse::serving
