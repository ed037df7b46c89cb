#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "dse/trace/kineto/profile.hpp"

namespace dse::trace::kineto {

/// When each thread of the host does anything: operators and calls, joined where they touch or overlap.
/// Annotations do not count: they cover what waits as well.
std::map<std::int64_t, std::vector<Span>> busy_spans(const Profile& profile);

/// A thread that sits idle while another one works for it.
struct HandOff {
    std::int64_t caller{0};  ///< thread
    std::int64_t worker{0};  ///< thread
    Span gap;                ///< of the caller
    Span work;               ///< of the worker: from the first thing that it does in the gap to the last
};

/// Gaps of a thread in which another one works for at least half of the time, and neither before nor behind
/// the gap without a pause.
std::vector<HandOff> hand_offs(const std::map<std::int64_t, std::vector<Span>>& busy);

}  // namespace dse::trace::kineto
