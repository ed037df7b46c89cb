#include "sim/replay/tick_order.hpp"

namespace dse::sim::replay {

bool TickOrder::matters(const End& end) {
    begin(end.tick);
    const Lanes alone = end.freed | (end.ready & ~end.joint);
    // A node that waited for several becomes ready at the last of them. If this end does something else in
    // its lane, too, an earlier end of this tick may have been one of them.
    const bool meets = (touched_ & (alone | end.joint)) != 0 || (alone & end.joint) != 0;
    const bool matters = count_ > 0 && !end.follows && (meets || instant_ || end.waiting);
    instant_ = instant_ || end.waiting;
    touched_ |= alone | end.joint;
    ++count_;
    return matters;
}

}  // namespace dse::sim::replay
