// Policy priority: who is preempted when pages run out.
#include "dse/serving/replica.hpp"

namespace dse::serving {

Replica::Slot Replica::last_in_turn() const {
    Slot last = head_;
    for (Slot slot = head_; slot != nobody; slot = at(slot).after) {
        if (turn_of(*at(last).request, at(last).number, last) <
            turn_of(*at(slot).request, at(slot).number, slot))
            last = slot;
    }
    return last;
}

/// Takes pages for the decoding sequences, and preempts the last in turn until there are enough. (vLLM takes
/// them one by one, and gives those of a request back that it preempts later: the same are preempted.)
/// \returns how many were
std::int64_t Replica::make_room_by_priority() {
    std::int64_t preempted = 0;
    for (; cache_.needed(step_number_) > cache_.free(); ++preempted) preempt(last_in_turn());
    take(cache_.needed(step_number_));
    return preempted;
}

/// The decoding sequences of the step have their pages. One that is preempted for the reader gives its own
/// back.
void Replica::make_room_for_reader(std::int64_t pages, std::int64_t& preempted) {
    while (reader_ != nobody && pages > cache_.free()) {
        const Slot victim = last_in_turn();
        const Sequence& sequence = at(victim);
        const bool took_page =
            sequence.decodes && (sequence.offset + step_number_) % limits_.page_tokens == 0;
        preempt(victim);
        if (took_page) give(1);
        ++preempted;
    }
}

}  // namespace dse::serving
