#include "dse/serving/ticks.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::serving {

Ticks end_of(Ticks now, Ticks duration) {
    constexpr auto last = static_cast<Ticks>(longest_run / time_quantum);
    if (duration <= last - now) return now + duration;
    throw ModelError(
        fmt::format("the steps are so slow that the requests take longer than the {:g} s that a run may last",
                    longest_run));
}

}  // namespace dse::serving
