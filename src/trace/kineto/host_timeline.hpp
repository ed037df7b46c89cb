#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "dse/trace/kineto/profile.hpp"

namespace dse::trace::kineto {

/// When each host thread is busy: operators and calls, merged if they touch or overlap. Annotations do not
/// count, since they also cover waiting.
std::map<std::int64_t, std::vector<Span>> busy_spans(const Profile& profile);

/// A thread that is idle while another one works for it.
struct HandOff {
    std::int64_t caller{0};  ///< thread
    std::int64_t worker{0};  ///< thread
    Span gap;                ///< of the caller
    Span work;               ///< of the worker: from the first to the last thing that it does in the gap
};

/// Gaps of a thread in which another thread is busy at least half of the time, but not at either end.
std::vector<HandOff> hand_offs(const std::map<std::int64_t, std::vector<Span>>& busy);

}  // namespace dse::trace::kineto
