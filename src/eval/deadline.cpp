#include "dse/eval/deadline.hpp"

#include <fmt/format.h>

#include "dse/config/quantity.hpp"

namespace dse::eval {

Deadline::Deadline(Seconds limit) : limit_{limit} {
    if (limit_ > Seconds{0.0}) begin_ = Clock::now();
}

void Deadline::check() const {
    if (!(limit_ > Seconds{0.0})) return;
    if (std::chrono::duration<double>(Clock::now() - begin_).count() <= limit_.value()) return;
    throw OutOfTime(fmt::format("took longer than {} (fidelity.time_limit)",
                                config::format_quantity(limit_.value(), config::dimension_of(limit_))));
}

}  // namespace dse::eval
