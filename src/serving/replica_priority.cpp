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

/// The last in turn is preempted, and gives back the page that it has taken for the planned step.
/// \param before  number of admissions before the sequence that needs a page; those before it have theirs
/// \returns who it was
Replica::Slot Replica::preempt_last_in_turn(std::int64_t before) {
    const Slot victim = last_in_turn();
    const Sequence& sequence = at(victim);
    if (sequence.decodes && sequence.admitted < before && takes_page(sequence)) give(1);
    preempt(victim);
    return victim;
}

/// Takes pages for the decoding sequences, in order of admission; if there are too few, the last in turn are
/// preempted.
/// \returns how many were
std::int64_t Replica::make_room_by_priority() {
    std::int64_t preempted = 0;
    for (Slot slot = head_; slot != nobody; slot = at(slot).after) {
        if (!at(slot).decodes || !takes_page(at(slot))) continue;
        bool runs = true;
        for (; runs && cache_.free() == 0; ++preempted)
            runs = preempt_last_in_turn(at(slot).admitted) != slot;
        if (runs) take(1);
    }
    return preempted;
}

/// The decoding sequences have their pages.
void Replica::make_room_for_reader(std::int64_t pages, std::int64_t& preempted) {
    for (; reader_ != nobody && pages > cache_.free(); ++preempted) preempt_last_in_turn(admitted_);
}

}  // namespace dse::serving
