#include "dse/serving/ticks.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::serving {

namespace {

constexpr auto last = static_cast<Ticks>(longest_run / time_quantum);

}  // namespace

Ticks repeated(Ticks each, std::int64_t count) {
    return count > 0 && each > last / count ? last + 1 : each * count;
}

Ticks end_of(Ticks now, Ticks duration) {
    if (duration <= last - now) return now + duration;
    throw ModelError(
        fmt::format("the steps are so slow that the requests take longer than the {:g} s that a run may last",
                    longest_run));
}

}  // namespace dse::serving
