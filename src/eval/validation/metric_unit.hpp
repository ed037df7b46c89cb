#pragma once

#include <string_view>

namespace dse::eval {

/// Units in which a metric of training steps can be read, for messages: "tokens/s". A wrong unit would not be
/// noticed otherwise: a rate in thousands of tokens is a plausible number, too.
/// \param metric  "tokens_per_s_per_gpu", "mfu", "step_time", …
/// \param unit    as the row states it; without one, the metric's name says all that is needed
/// \return empty if the unit is one of them, if there is none, or if the metric is not known
std::string_view units_instead_of(std::string_view metric, std::string_view unit);

/// Whether a share is in percent.
bool is_percent(std::string_view unit);

}  // namespace dse::eval
